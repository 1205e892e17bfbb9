// Every GPU: figures with their sources, dense peaks only; what sparse and accumulate mean.
#include <algorithm>

#include "web/views.hpp"

namespace xuanka::web {
namespace {

const Gpu& gpu_at(const Ui& ui, std::size_t i) { return ui.api.knowledge().catalog.gpus[i]; }

std::optional<double> peak(const Gpu& gpu, PeakFormat format) {
  return gpu.tflops[static_cast<std::size_t>(format)];
}

std::string figure(const std::optional<double>& value) {
  return value ? format_number(*value) : "—";
}

// Who says so: the titles of the sources of one field.
std::string sources_of(const Ui& ui, const Gpu& gpu, std::string_view field) {
  std::string out;
  for (const auto& [name, ids] : gpu.sources) {
    if (name != field && !name.starts_with(std::string(field) + ".") && !field.starts_with(name))
      continue;
    for (const std::string& id : ids) {
      const Source* source = ui.api.knowledge().catalog.find_source(id);
      const std::string title = source != nullptr ? source->title : id;
      if (out.find(title) == std::string::npos) out += (out.empty() ? "" : "\n") + title;
    }
  }
  return out.empty() ? "" : ui.trf("ui.source_is", {{"source", out}});
}

std::string fp16_hint(const Ui& ui, const Gpu& gpu) {
  std::string out = sources_of(ui, gpu, "tflops");
  if (const auto half = peak(gpu, PeakFormat::kFp16TensorAcc16))
    out += "\n" + ui.trf("ui.gpu.acc16", {{"tflops", *half}});
  const auto sparse = gpu.sparse_multiplier.find("tensor");
  const auto dense = peak(gpu, PeakFormat::kFp16Tensor);
  if (sparse != gpu.sparse_multiplier.end() && dense && sparse->second > 1)
    out += "\n" + ui.trf("ui.gpu.sparse", {{"tflops", *dense * sparse->second}});
  return out;
}

bool has_format(const Gpu& gpu, std::string_view need) {
  if (need == "bf16") return peak(gpu, PeakFormat::kBf16Tensor).has_value();
  if (need == "fp8") return peak(gpu, PeakFormat::kFp8Tensor).has_value();
  if (need == "fp64") return peak(gpu, PeakFormat::kFp64).has_value();
  if (need == "nvlink") return gpu.nvlink.has_value();
  return gpu.memory_gb >= read_number(need.substr(0, need.size() - 2)).value_or(0);
}

// Search, then quick filters: a click puts the word into the search line or takes it out.
float filters(const Ui& ui, float x, float y, float width) {
  std::string text = ui.state.filter[static_cast<std::size_t>(ListId::kGpus)];
  const float h = ui.row();
  if (text_box(ui, "###gpu-search", {x, y, std::min(width, ui.u(360)), h}, text,
               ui.tr("ui.search_gpus"),
               {.key = "filter:1",
                .title = ui.tr("ui.search_gpus"),
                .value = text,
                .unit = "",
                .hint = "",
                .kind = SheetRequest::Kind::kText})) {
    ui.act(SetFilter{ListId::kGpus, text});
  }
  Flow flow(x, y + h + ui.u(8), width, ui.u(6), ui.u(ui.fingers() ? 36 : 26));
  for (const std::string_view word : {"NVIDIA", "AMD", "Huawei", "Intel", "Hopper", "Ada", "Ampere",
                                      "Volta", "bf16", "fp8", "nvlink", "16gb", "32gb", "64gb"}) {
    const std::string token =
        std::string(word.find("gb") != std::string_view::npos ? "≥" : "") + std::string(word);
    const bool on = (" " + text + " ").find(" " + std::string(word) + " ") != std::string::npos;
    if (!chip(ui, "###gpu-" + std::string(word), flow, token, on)) continue;
    std::string next;
    if (on) {
      next = " " + text + " ";
      next.erase(next.find(" " + std::string(word) + " "), word.size() + 1);
    } else {
      next = text + " " + std::string(word);
    }
    while (!next.empty() && next.front() == ' ') next.erase(0, 1);
    while (!next.empty() && next.back() == ' ') next.pop_back();
    ui.act(SetFilter{ListId::kGpus, next});
  }
  return flow.bottom();
}

}  // namespace

Table gpus_table(const Ui& ui) {
  const auto gpu = [&ui](std::size_t i) -> const Gpu& { return gpu_at(ui, i); };
  const auto peak_column = [&](std::string title, PeakFormat format, int priority) {
    return Column{std::move(title),
                  Align::kRight,
                  76,
                  priority,
                  [=](std::size_t i) { return figure(peak(gpu(i), format)); },
                  [=](std::size_t i) { return peak(gpu(i), format); },
                  nullptr,
                  [=, &ui](std::size_t i) { return sources_of(ui, gpu(i), "tflops"); }};
  };
  Table table{
      ListId::kGpus, "gpus", ui.tr("ui.t.gpus"), {}, ui.api.knowledge().catalog.gpus.size()};
  table.columns = {
      {ui.tr("ui.c.gpu"), Align::kLeft, 190, 0,
       [=](std::size_t i) { return gpu(i).name + (gpu(i).own ? " *" : ""); }, nullptr, nullptr,
       [=](std::size_t i) { return gpu(i).notes; }},
      {ui.tr("ui.c.architecture"), Align::kLeft, 142, 4,
       [=](std::size_t i) { return gpu(i).vendor_name + " " + gpu(i).architecture; }},
      {ui.tr("ui.c.memory_gb"), Align::kRight, 90, 0,
       [=](std::size_t i) { return format_number(gpu(i).memory_gb); },
       [=](std::size_t i) -> std::optional<double> { return gpu(i).memory_gb; }, nullptr,
       [=, &ui](std::size_t i) {
         return gpu(i).memory_type + "\n" + sources_of(ui, gpu(i), "memory_gb");
       }},
      {"GB/s", Align::kRight, 64, 2,
       [=](std::size_t i) { return format_number(gpu(i).bandwidth.value() / 1e9, 4); },
       [=](std::size_t i) -> std::optional<double> { return gpu(i).bandwidth.value(); }, nullptr,
       [=, &ui](std::size_t i) { return sources_of(ui, gpu(i), "bandwidth_gb_s"); }},
      {"FP16", Align::kRight, 70, 0,
       [=](std::size_t i) { return figure(peak(gpu(i), PeakFormat::kFp16Tensor)); },
       [=](std::size_t i) { return peak(gpu(i), PeakFormat::kFp16Tensor); }, nullptr,
       [=, &ui](std::size_t i) { return fp16_hint(ui, gpu(i)); }},
      peak_column("BF16", PeakFormat::kBf16Tensor, 3),
      peak_column("FP32", PeakFormat::kFp32, 3),
      peak_column("FP8", PeakFormat::kFp8Tensor, 5),
      {"NVLink", Align::kRight, 70, 6,
       [=](std::size_t i) {
         return gpu(i).nvlink ? format_number(gpu(i).nvlink->total.value() / 1e9) : "—";
       },
       [=](std::size_t i) -> std::optional<double> {
         return gpu(i).nvlink ? std::optional(gpu(i).nvlink->total.value()) : std::nullopt;
       },
       nullptr,
       [=, &ui](std::size_t i) {
         return gpu(i).p2p + (gpu(i).p2p.empty() ? "" : "\n") + sources_of(ui, gpu(i), "nvlink");
       }},
      {"TDP W", Align::kRight, 62, 7, [=](std::size_t i) { return figure(gpu(i).tdp_w); },
       [=](std::size_t i) { return gpu(i).tdp_w; }, nullptr,
       [=, &ui](std::size_t i) { return sources_of(ui, gpu(i), "tdp_w"); }},
      {ui.tr("ui.c.launch"), Align::kRight, 72, 5, [=](std::size_t i) { return gpu(i).launch; },
       nullptr, nullptr, [=, &ui](std::size_t i) { return sources_of(ui, gpu(i), "launch"); }},
  };
  return table;
}

float view_gpus(const Ui& ui, float x, float y, float width) {
  const Table table = gpus_table(ui);
  y = filters(ui, x, y + ui.u(12), width) + ui.u(8);
  // The quick filters test figures; only the other words search the texts.
  State searched = initial_state();
  searched.sort = ui.state.sort;
  std::vector<std::string> needs;
  std::string word;
  for (const char c : ui.state.filter[static_cast<std::size_t>(ListId::kGpus)] + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    const bool figure_filter = word == "bf16" || word == "fp8" || word == "nvlink" ||
                               word == "16gb" || word == "32gb" || word == "64gb";
    if (figure_filter) needs.push_back(word);
    if (!figure_filter && !word.empty())
      searched.filter[static_cast<std::size_t>(ListId::kGpus)] += word + " ";
    word.clear();
  }
  auto order = table_order(table, searched);
  std::erase_if(order, [&](std::size_t i) {
    return !std::all_of(needs.begin(), needs.end(),
                        [&](const std::string& need) { return has_format(gpu_at(ui, i), need); });
  });
  const TableEvents events{
      .selected =
          [&](std::size_t i) {
            const auto chosen = ui.state.many(FieldId::kGpus);
            return std::find(chosen.begin(), chosen.end(), gpu_at(ui, i).id) != chosen.end();
          },
      .pressed = [&](std::size_t i) { ui.act(ToggleWord{FieldId::kGpus, gpu_at(ui, i).id}); }};
  y += draw_wrapped(ui, x, y, width,
                    ui.trf("ui.gpus.hint", {{"n", static_cast<double>(order.size())}}),
                    {.size = kSmallSize, .color = Color::kDim}) +
       ui.u(4);
  y = ui.phone() ? draw_cards(ui, table, order, x, y, width, events)
                 : draw_table(ui, table, order, x, y, width, events);
  y += ui.u(12);
  return y + draw_wrapped(ui, x, y, width, ui.tr("ui.gpus.explained"),
                          {.size = kSmallSize, .color = Color::kDim});
}

}  // namespace xuanka::web
