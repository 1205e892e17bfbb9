#include "shell/probe/verify.hpp"

#include <algorithm>

#include "api/json_writer.hpp"
#include "json/json_document.hpp"
#include "shell/probe/probe.hpp"

namespace xuanka::probe {
namespace {

constexpr double kMicroBatches = 64;  // of a step: the optimizer's part of the difference fades

std::string request_of(const Block& block, int layers, const std::string& gpu,
                       const MeasuredGpu* measured, bool bf16) {
  JsonWriter out;
  out.begin_object().field("version", 1).key("workload").begin_object();
  out.field("kind", "train").key("model").begin_object().key("transformer").begin_object();
  out.field("layers", layers)
      .field("hidden", block.hidden)
      .field("heads", block.heads)
      .field("kv_heads", block.kv_heads);
  out.field("head_dim", block.head_dim)
      .field("ffn", block.ffn)
      .field("vocab", 1000)
      .field("gated_mlp", block.gated);
  out.end_object().end_object();
  out.field("seq_len", block.seq_len)
      .field("micro_batch", block.batch)
      .field("global_batch", block.batch * kMicroBatches);
  out.field("precision", bf16 ? "bf16" : "fp16")
      .field("optimizer", "sgd")
      .field("recompute", "none");
  out.field("flash_attention", false).end_object();
  out.key("hardware").begin_object().key("gpus").begin_array().string(gpu).end_array();
  out.key("counts").raw("[1]").key("plan").raw(R"({"zero":0,"offload":"none"})").end_object();
  if (measured != nullptr)
    out.key("overrides")
        .begin_object()
        .key("measured")
        .raw(measured_json({*measured}))
        .end_object();
  return out.end_object().take();
}

std::optional<double> step_seconds(const Api& api, const std::string& request) {
  const auto parsed = json::parse(api.rank(request, Lang::kEn));
  if (!parsed.document) return std::nullopt;
  const auto list = parsed.document->root().find("candidates");
  if (!list || list->size() == 0) return std::nullopt;
  const auto time = (*list->children().begin()).find("time");
  const auto step = time ? time->find("step_seconds") : std::nullopt;
  return step && step->is_number() && step->number() > 0 ? std::optional(step->number())
                                                         : std::nullopt;
}

}  // namespace

Result<Block> block_of(const Api& api, std::string_view request_json) {
  XUANKA_TRY(request, parse_request(api.knowledge().catalog, request_json));
  const auto& groups = request.workload.model.groups;
  const auto most =
      std::max_element(groups.begin(), groups.end(),
                       [](const LayerGroup& a, const LayerGroup& b) { return a.count < b.count; });
  const bool plain = most != groups.end() && !most->attention.mla && !most->attention.linear &&
                     most->ffn.experts == 0 && !most->cross_attention && most->attention.heads > 0;
  if (!plain) {
    return tl::unexpected(
        std::vector<Issue>{{IssueCode::kUnsupportedModel,
                            "workload.model",
                            {{"what", std::string("a plain transformer layer is measured")}}}});
  }
  Block block;
  block.hidden = most->hidden;
  block.heads = most->attention.heads;
  block.kv_heads = most->attention.kv_heads;
  block.head_dim = most->attention.head_dim;
  block.ffn = most->ffn.width;
  block.gated = most->ffn.gated;
  block.seq_len = request.workload.seq_len;
  block.batch = request.workload.micro_batch.value_or(1);
  return block;
}

std::optional<double> expected_seconds(const Api& api, const Block& block, const std::string& gpu,
                                       const MeasuredGpu* measured) {
  const Gpu* card = api.knowledge().catalog.find_gpu(gpu);
  if (card == nullptr) return std::nullopt;
  const bool bf16 = card->peak(PeakFormat::kBf16Tensor).has_value();
  const auto one = step_seconds(api, request_of(block, 1, gpu, measured, bf16));
  const auto two = step_seconds(api, request_of(block, 2, gpu, measured, bf16));
  if (!one || !two || *two <= *one) return std::nullopt;
  return (*two - *one) / kMicroBatches;
}

std::string verify_json(const Block& block, const std::string& gpu,
                        std::optional<double> by_constants, std::optional<double> by_measured,
                        const Tried<BlockTiming>& timing) {
  JsonWriter out;
  out.begin_object().field("gpu", std::string_view(gpu)).key("block").begin_object();
  out.field("hidden", block.hidden).field("heads", block.heads).field("kv_heads", block.kv_heads);
  out.field("head_dim", block.head_dim).field("ffn", block.ffn).field("gated", block.gated);
  out.field("batch", block.batch).field("seq_len", block.seq_len).end_object();
  std::optional<double> measured;
  if (timing) measured = median(timing->forward.seconds) + median(timing->backward.seconds);
  const auto ratio = [&](std::optional<double> estimate) {
    return measured && estimate && *estimate > 0 ? std::optional(*measured / *estimate)
                                                 : std::nullopt;
  };
  out.field("measured_seconds", measured)
      .field("estimated_seconds", by_constants)
      .field("ratio", ratio(by_constants));
  out.field("estimated_seconds_measured_here", by_measured)
      .field("ratio_measured_here", ratio(by_measured));
  if (!timing) out.field("why", std::string_view(timing.error()));
  return out.end_object().take();
}

}  // namespace xuanka::probe
