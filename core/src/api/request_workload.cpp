// `workload` without its model and data: how the job is run.
#include <algorithm>

#include "api/request_reader.hpp"

namespace xuanka::request_json {
namespace {

using json::View;

constexpr double kUsualLength = 2048;
constexpr json::Range kLength{1, 1e7};

bool is_language(const Model& model) {
  return model.patches == 0 &&
         (model.kind == ModelKind::kTransformer || model.kind == ModelKind::kSizeOnly);
}

void read_sequence(Reader& reader, const View& view) {
  WorkloadRequest& out = reader.request.workload;
  out.packed = view.boolean("packed").value_or(true);
  const auto length = view.integer("seq_len", kLength);
  out.seq_len = kUsualLength;
  if (out.model.max_seq_len > 0) out.seq_len = std::min(kUsualLength, out.model.max_seq_len);
  if (length) out.seq_len = *length;
  const bool assumed = !view.has("seq_len") && is_language(out.model);
  if (assumed && out.kind != JobKind::kInference) reader.assume("workload.seq_len");
  out.mean_tokens = view.number("mean_tokens", {1, out.seq_len});
  if (out.mean_tokens && out.packed) {
    view.report(IssueCode::kConflict, "mean_tokens", {{"other", std::string("workload.packed")}});
  }
  if (const auto size = read_image_size(view, "image_size"); size.height > 0) {
    out.image_height = size.height;
    out.image_width = size.width;
  }
}

void read_batch(Reader& reader, const View& view) {
  WorkloadRequest& out = reader.request.workload;
  out.global_batch = view.integer("global_batch", {1, 1e9});
  out.micro_batch = view.integer("micro_batch", {1, 1e6});
  if (out.global_batch && out.micro_batch && *out.micro_batch > *out.global_batch) {
    view.report(IssueCode::kConflict, "micro_batch",
                {{"other", std::string("workload.global_batch")}});
  }
  if (out.kind == JobKind::kInference) return;
  if (!view.has("global_batch")) reader.assume("workload.global_batch");
  if (!view.has("micro_batch")) reader.assume("workload.micro_batch");
}

void read_training(Reader& reader, const View& view) {
  WorkloadRequest& out = reader.request.workload;
  const bool training = out.kind != JobKind::kInference;
  const auto optimizer = view.word<Optimizer>("optimizer");
  if (optimizer) out.optimizer = *optimizer;
  if (training && !view.has("optimizer")) reader.assume("workload.optimizer");
  out.optimizer_precision =
      word_among(view, "optimizer_precision", {StorageType::kFp32, StorageType::kBf16})
          .value_or(StorageType::kFp32);
  out.master_weights = view.boolean("master_weights");
  out.grad_precision = word_among(view, "grad_precision",
                                  {StorageType::kFp32, StorageType::kBf16, StorageType::kFp16});
  out.optimizer_in_backward = view.boolean("optimizer_in_backward").value_or(false);
  out.recompute = view.word<Recompute>("recompute");
  if (training && !view.has("recompute") && out.model.kind != ModelKind::kMeasured) {
    reader.assume("workload.recompute");
  }
  out.activation_offload = view.boolean("activation_offload").value_or(false);
  out.compile = view.boolean("compile").value_or(false);
  out.channels_last = view.boolean("channels_last").value_or(out.channels_last);
  out.loss_chunk_tokens = view.integer("loss_chunk_tokens", {0, 1e9}).value_or(0);
  out.flash_attention = view.boolean("flash_attention");
  out.framework = view.word<Framework>("framework").value_or(Framework::kPytorch);
  out.copies = view.number("copies", {1, 100}).value_or(1);
}

// Habits of the program that published measurements state and most users leave to the framework.
void read_software(Reader& reader, const View& workload) {
  const auto view = workload.object("software");
  if (!view) return;
  view->only({"logit_bytes", "fused_optimizer", "cache_in_place", "loads_whole_model"}, true);
  SoftwareDetails& out = reader.request.workload.software;
  out.logit_bytes = view->number("logit_bytes", {0.1, 64});
  out.fused_optimizer = view->boolean("fused_optimizer").value_or(out.fused_optimizer);
  out.cache_in_place = view->boolean("cache_in_place").value_or(out.cache_in_place);
  out.loads_whole_model = view->boolean("loads_whole_model").value_or(out.loads_whole_model);
}

void read_lora(Reader& reader, const View& view) {
  WorkloadRequest& out = reader.request.workload;
  const bool adapters = out.kind == JobKind::kLora || out.kind == JobKind::kQlora;
  const auto lora = view.object("lora");
  if (lora) {
    lora->only({"rank", "targets", "base"}, true);
    out.lora.rank = lora->integer("rank", {1, 65536}).value_or(out.lora.rank);
    out.lora.targets = lora->word<LoraTargets>("targets").value_or(out.lora.targets);
    out.lora.base = word_among(*lora, "base",
                               {StorageType::kBf16, StorageType::kFp16, StorageType::kInt8,
                                StorageType::kNf4, StorageType::kNf4Dq});
  }
  if (!adapters) return;
  if (!lora || !lora->has("rank")) reader.assume("workload.lora.rank");
  if (!lora || !lora->has("targets")) reader.assume("workload.lora.targets");
  if (!lora || !lora->has("base")) reader.assume("workload.lora.base");
}

void read_inference(Reader& reader, const View& view) {
  WorkloadRequest& out = reader.request.workload;
  InferenceOptions& options = out.inference;
  const auto inference = view.object("inference");
  if (inference) {
    inference->only({"prompt_tokens", "output_tokens", "concurrency", "output_tokens_total",
                     "weights", "weight_bits", "kv_cache"},
                    true);
    options.prompt_tokens = inference->integer("prompt_tokens", kLength).value_or(1024);
    options.output_tokens = inference->integer("output_tokens", kLength).value_or(256);
    options.concurrency = inference->integer("concurrency", {1, 1e6}).value_or(8);
    options.output_tokens_total = inference->number("output_tokens_total", {1, 1e18});
    using enum StorageType;
    options.weights =
        word_among(*inference, "weights", {kFp32, kFp16, kBf16, kFp8, kInt8, kInt4, kNf4})
            .value_or(kFp16);
    options.weight_bits = inference->number("weight_bits", {0.5, 32});
    options.kv_cache =
        word_among(*inference, "kv_cache", {kFp16, kBf16, kFp8, kInt8}).value_or(kFp16);
  }
  if (out.kind != JobKind::kInference) return;
  const bool chosen = (inference && inference->has("weights")) || options.weight_bits;
  if (out.model.published_weights && !chosen) {
    options.weights = *out.model.published_weights;
    reader.request.notes.push_back({NoteCode::kPublishedWeights,
                                    Severity::kInfo,
                                    {{"type", std::string(name_of(options.weights))}}});
  }
  if (!is_language(out.model)) {  // serving is counted in tokens of an answer
    view.report(IssueCode::kConflict, "kind", {{"other", std::string("workload.model")}});
  }
  for (const std::string_view key :
       {"prompt_tokens", "output_tokens", "concurrency", "weights", "kv_cache"}) {
    const bool weights_by_bits = key == "weights" && options.weight_bits;
    if ((inference && inference->has(key)) || weights_by_bits) continue;
    reader.assume("workload.inference." + std::string(key));
  }
}

}  // namespace

void read_workload(Reader& reader, const View& root) {
  const auto view = root.need_object("workload");
  if (!view) return;
  view->only({"kind",
              "model",
              "data",
              "packed",
              "mean_tokens",
              "seq_len",
              "image_size",
              "global_batch",
              "micro_batch",
              "precision",
              "optimizer",
              "optimizer_precision",
              "master_weights",
              "grad_precision",
              "optimizer_in_backward",
              "recompute",
              "activation_offload",
              "compile",
              "channels_last",
              "loss_chunk_tokens",
              "flash_attention",
              "framework",
              "software",
              "copies",
              "lora",
              "inference",
              "flops_convention"},
             true);
  WorkloadRequest& out = reader.request.workload;
  set_or_assume(reader, *view, "kind", view->word<JobKind>("kind"), out.kind);
  read_model(reader, *view);
  read_data(reader, *view);
  read_sequence(reader, *view);
  read_batch(reader, *view);
  out.precision = view->word<Precision>("precision");
  if (!view->has("precision")) reader.assume("workload.precision");
  read_training(reader, *view);
  read_software(reader, *view);
  read_lora(reader, *view);
  read_inference(reader, *view);
  out.flops_convention =
      view->word<FlopsConvention>("flops_convention").value_or(FlopsConvention::kFull);
}

}  // namespace xuanka::request_json
