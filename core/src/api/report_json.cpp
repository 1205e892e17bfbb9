// Report -> JSON text, keys in the contract's order.
#include <array>
#include <cmath>
#include <numeric>

#include "api/json_writer.hpp"
#include "api/wire.hpp"
#include "xuanka/api/api.hpp"
#include "xuanka/api/overlay.hpp"
#include "xuanka/cost/ledger.hpp"
#include "xuanka/host/host.hpp"

namespace xuanka {
namespace wire {

void write_args(JsonWriter& out, const Args& args) {
  out.key("args").begin_object();
  for (const Arg& arg : args) {
    if (const auto* number = std::get_if<double>(&arg.value)) {
      out.field(arg.name, *number);
    } else {
      out.field(arg.name, std::get<std::string>(arg.value));
    }
  }
  out.end_object();
}

void write_notes(JsonWriter& out, const std::vector<Note>& notes) {
  out.key("notes").begin_array();
  for (const Note& note : notes) {
    out.begin_object()
        .field("code", note_code_name(note.code))
        .field("severity", severity_name(note.severity));
    write_args(out, note.args);
    out.end_object();
  }
  out.end_array();
}

void write_id(JsonWriter& out, std::string_view id, bool has_id, bool is_number) {
  out.key("id");
  if (!has_id) {
    out.null();
  } else if (is_number) {
    out.raw(id);
  } else {
    out.string(id);
  }
}

}  // namespace wire

namespace {

using wire::write_notes;

struct MemoryPart {
  std::string_view name;
  Bytes MemoryParts::* bytes;
};
constexpr std::array<MemoryPart, 8> kMemoryParts{{{"weights", &MemoryParts::weights},
                                                  {"gradients", &MemoryParts::gradients},
                                                  {"optimizer", &MemoryParts::optimizer},
                                                  {"activations", &MemoryParts::activations},
                                                  {"logits", &MemoryParts::logits},
                                                  {"kv_cache", &MemoryParts::kv_cache},
                                                  {"buffers", &MemoryParts::buffers},
                                                  {"overhead", &MemoryParts::overhead}}};
struct TimePart {
  std::string_view name;
  Seconds TimeParts::* seconds;
};
constexpr std::array<TimePart, 6> kTimeParts{{{"compute", &TimeParts::compute},
                                              {"memory", &TimeParts::memory},
                                              {"communication", &TimeParts::communication},
                                              {"bubble", &TimeParts::bubble},
                                              {"input", &TimeParts::input},
                                              {"overhead", &TimeParts::overhead}}};

double whole(double value) { return std::floor(value + 0.5); }
double whole(Bytes bytes) { return whole(bytes.value()); }

void write_model(JsonWriter& out, const Report& report) {
  out.key("model")
      .begin_object()
      .field("name", report.model_name)
      .field("params", report.params)
      .field("active_params", report.active_params)
      .field("flops_per_unit", report.flops_per_unit.value())
      .field("unit", report.unit)
      .field("flops_convention", name_of(report.convention))
      .end_object();
}

void write_plan(JsonWriter& out, const Candidate& c) {
  const Plan& plan = c.planned.plan;
  out.key("plan")
      .begin_object()
      .field("data", plan.data)
      .field("tensor", plan.tensor)
      .field("pipeline", plan.pipeline)
      .field("context", plan.context)
      .field("expert", plan.expert)
      .field("zero", plan.zero)
      .field("sequence_parallel", plan.sequence_parallel)
      .field("interleave", plan.interleave)
      .field("micro_batch", plan.micro_batch)
      .field("grad_accumulation", plan.grad_accumulation)
      .field("recompute", name_of(plan.recompute))
      .field("offload", name_of(plan.offload))
      .end_object();
}

void write_memory(JsonWriter& out, const Candidate& c) {
  const MemoryEstimate& memory = c.planned.memory;
  // Whole bytes whose sum is exact.
  double sum = 0;
  for (const MemoryPart& part : kMemoryParts) sum += whole(memory.parts.*part.bytes);
  const double usable = whole(memory.usable);
  out.key("memory")
      .begin_object()
      .field("verdict", name_of(memory.verdict))
      .field("fits", memory.verdict != MemoryVerdict::kDoesNotFit)
      .field("per_gpu_bytes", sum)
      .field("low", whole(memory.low))
      .field("high", whole(memory.high))
      .field("usable_bytes", usable)
      .field("margin_bytes", usable - sum)
      .field("host_ram_bytes", whole(memory.host_ram));
  out.key("parts").begin_object();
  for (const MemoryPart& part : kMemoryParts) {
    out.field(part.name, whole(memory.parts.*part.bytes));
  }
  out.end_object().end_object();
}

std::optional<double> seconds_of(const std::optional<Seconds>& seconds) {
  return seconds ? std::optional(seconds->value()) : std::nullopt;
}

void write_evidence(JsonWriter& out, const EfficiencyModel& model, const TimeEstimate& time) {
  out.key("evidence").begin_object().field("cases", time.evidence_cases);
  out.key("nearest").begin_array();
  for (const ResidualBand& band : model.bands) {
    if (band.key != time.evidence_key) continue;
    for (const std::string& id : band.nearest) out.string(id);
    break;
  }
  out.end_array().end_object();
}

void write_time(JsonWriter& out, const Knowledge& knowledge, const Candidate& c) {
  const TimeEstimate& time = c.planned.time;
  out.key("time")
      .begin_object()
      .field("seconds", seconds_of(time.total))
      .field("low", seconds_of(time.total_low))
      .field("high", seconds_of(time.total_high))
      .field("step_seconds", time.step)
      .field("units_per_second", time.units_per_second);
  if (c.job.kind == JobKind::kInference) {
    out.field("prefill_seconds", time.prefill)
        .field("seconds_per_output_token", time.per_output_token);
  }
  out.field("mfu", time.mfu).field("hfu", time.hfu);
  out.key("parts").begin_object();
  for (const TimePart& part : kTimeParts) out.field(part.name, time.parts.*part.seconds);
  out.end_object();
  write_evidence(out, knowledge.efficiency, time);
  out.end_object();
}

void write_cost(JsonWriter& out, const Candidate& c) {
  out.key("cost");
  if (!c.cost || !c.cost->amount) {
    out.null();
    return;
  }
  const CostEstimate& cost = *c.cost;
  out.begin_object()
      .field("amount", cost.amount)
      .field("low", cost.low)
      .field("high", cost.high)
      .field("currency", cost.currency.code())
      .field("acquire", name_of(cost.acquire));
  out.text_or_null("offer", cost.offer.empty() ? std::nullopt : std::optional(cost.offer));
  out.field("billed_gpus", cost.billed_gpus).field("billed_hours", cost.billed_hours);
  if (cost.unsaved_hours) out.field("billed_hours_without_checkpoints", cost.unsaved_hours);
  out.text_or_null("as_of", cost.as_of);
  if (!cost.per.empty()) out.field("per", cost.per);
  out.end_object();
}

// What an hour costs, also where no amount of work makes a sum of it.
void write_price(JsonWriter& out, const Candidate& c) {
  out.key("price");
  if (!c.cost || !c.cost->hourly) {
    out.null();
    return;
  }
  out.begin_object();
  out.text_or_null("offer", c.cost->offer.empty() ? std::nullopt : std::optional(c.cost->offer));
  out.field("per_hour", *c.cost->hourly).field("billed_gpus", c.cost->billed_gpus);
  out.text_or_null("as_of", c.cost->as_of);
  out.end_object();
}

void write_value(JsonWriter& out, const ValueMetrics& value) {
  out.key("value")
      .begin_object()
      .field("flops_per_money", value.flops_per_money)
      .field("gb_per_money", value.gb_per_money)
      .key("per");
  if (value.per.empty()) {
    out.null();
  } else {
    out.string(value.per);
  }
  out.field("effective_flops_per_money", value.effective_flops_per_money)
      .field("units_per_money", value.units_per_money)
      .field("gb_s_per_money", value.gb_s_per_money)
      .field("flops_per_watt", value.flops_per_watt)
      .field("effective_pflop_hour", value.pflop_hour)
      .end_object();
}

void write_data(JsonWriter& out, const DataNeeds& data) {
  out.key("data")
      .begin_object()
      .field("read_bytes_per_second", data.read_bytes_per_second)
      .field("transfer_seconds", data.transfer_seconds)
      .field("checkpoint_bytes", data.checkpoint_bytes)
      .field("checkpoint_seconds", data.checkpoint_seconds)
      .field("storage_cost", data.storage_cost)
      .field("transfer_cost", data.transfer_cost)
      .field("gpu_busy", data.gpu_busy)
      .end_object();
}

// What all candidates share.
struct Books {
  const Catalog& catalog;
  const OfferBook& offers;
  const Request& request;
};

void write_host(JsonWriter& out, const Books& books, const Candidate& c) {
  const HostCheck& host = c.host;
  const Offer* offer =
      c.cost && !c.cost->offer.empty() ? books.catalog.find_offer(c.cost->offer) : nullptr;
  out.key("host")
      .begin_object()
      .field("ram_gb", host.ram_gb)
      .field("cpu_cores", host.cpu_cores)
      .field("ok", host.ok)
      .field("ram_needed_gb", host.ram_needed_gb)
      .field("cpu_cores_needed", host.cores_needed)
      .field("disk_gb", offer != nullptr ? disk_gb(*offer) : std::nullopt)
      .field("dataset_gb", dataset_gb(books.catalog, books.request))
      .end_object();
}

void write_changes(JsonWriter& out, const Candidate& c) {
  out.key("changes").begin_array();
  for (const FitChange& change : c.changes) {
    out.begin_object().field("path", change.path).key("value");
    if (const auto* number = std::get_if<double>(&change.value)) {
      out.number(*number);
    } else if (const auto* flag = std::get_if<bool>(&change.value)) {
      out.boolean(*flag);
    } else {
      out.string(std::get<std::string>(change.value));
    }
    out.field("memory_bytes", whole(change.memory))
        .field("seconds", seconds_of(change.total))
        .end_object();
  }
  out.end_array();
}

void write_rent(JsonWriter& out, const std::optional<RentLedger>& rent) {
  out.key("rent");
  if (!rent) {
    out.null();
    return;
  }
  out.begin_object()
      .field("offer", rent->offer)
      .field("billing", name_of(rent->billing))
      .field("hourly", rent->hourly)
      .field("billed_hours", rent->billed_hours)
      .field("total", rent->total)
      .end_object();
}

void write_own(JsonWriter& out, const std::optional<OwnLedger>& own) {
  out.key("buy");
  if (!own) {
    out.null();
    return;
  }
  out.begin_object()
      .field("acquire", name_of(own->acquire))
      .field("card", own->card)
      .field("cards", own->cards)
      .field("machines", own->machines)
      .field("capital", own->capital)
      .field("resale", own->resale)
      .field("finance", own->finance)
      .field("hosting", own->hosting)
      .field("upkeep", own->upkeep)
      .field("power_kw", own->power_kw)
      .field("electricity", own->electricity)
      .field("hourly", own->hourly)
      .field("total", own->total)
      .end_object();
}

void write_ledger(JsonWriter& out, const Ledger& ledger) {
  out.key("ledger")
      .begin_object()
      .field("currency", ledger.currency.code())
      .field("hours", ledger.hours);
  write_own(out, ledger.own);
  write_rent(out, ledger.rent);
  out.field("break_even_hours", ledger.break_even_hours)
      .field("break_even_utilisation", ledger.break_even_utilisation)
      .field("residual_by_data", ledger.residual_by_data);
  out.key("by_years").begin_array();
  for (const YearLedger& entry : ledger.by_years) {
    out.begin_object()
        .field("years", entry.years)
        .field("buy", entry.own)
        .field("rent", entry.rent)
        .end_object();
  }
  out.end_array();
  out.key("sensitivity").begin_array();
  for (const Sensitivity& entry : ledger.sensitivity) {
    out.begin_object()
        .field("path", entry.path)
        .field("value", entry.value)
        .field("low", entry.low)
        .field("high", entry.high)
        .field("difference_low", entry.difference_low)
        .field("difference_high", entry.difference_high)
        .field("flips_at", entry.flips_at)
        .end_object();
  }
  out.end_array().end_object();
}

void write_candidate(JsonWriter& out, const Knowledge& knowledge, const Books& books,
                     const Candidate& c) {
  out.begin_object()
      .field("gpu", c.gpu)
      .field("count", c.count)
      .field("nodes", c.nodes)
      .field("verdict", name_of(c.verdict));
  write_plan(out, c);
  write_memory(out, c);
  write_time(out, knowledge, c);
  write_cost(out, c);
  write_price(out, c);
  write_value(out, c.value);
  write_host(out, books, c);
  write_data(out, c.data);
  write_changes(out, c);
  if (c.solved) {
    out.key("solved")
        .begin_object()
        .field("path", c.solved->path)
        .field("value", c.solved->value)
        .end_object();
  }
  // Of what runs: the others have nothing to weigh.
  const bool runs = c.verdict == Verdict::kOk || c.verdict == Verdict::kTooSlow ||
                    c.verdict == Verdict::kOverBudget;
  const Gpu* gpu = runs ? books.catalog.find_gpu(c.gpu) : nullptr;
  if (gpu != nullptr) {
    write_ledger(out,
                 make_ledger(books.catalog, books.offers, books.request, *gpu, c.count, c.nodes));
  } else {
    out.key("ledger").begin_object().end_object();
  }
  write_notes(out, c.notes);
  out.end_object();
}

void write_index(JsonWriter& out, std::string_view name, const std::optional<std::size_t>& index) {
  out.field(name, index ? std::optional(static_cast<double>(*index)) : std::nullopt);
}

void write_robustness(JsonWriter& out, const std::optional<Robustness>& found) {
  out.key("robustness");
  if (!found) {
    out.null();
    return;
  }
  out.begin_object()
      .field("against", static_cast<double>(found->against))
      .field("price_factor", found->price_factor)
      .field("time_factor", found->time_factor)
      .field("holds", found->holds)
      .end_object();
}

void write_issues(JsonWriter& out, const std::vector<Issue>& issues, const Messages& messages,
                  Lang lang) {
  out.key("issues").begin_array();
  for (const Issue& issue : issues) {
    out.begin_object().field("code", issue_code_name(issue.code)).field("path", issue.path);
    wire::write_args(out, issue.args);
    out.field("message", messages.issue_text(lang, issue)).end_object();
  }
  out.end_array();
}

}  // namespace

std::string report_json(const Knowledge& knowledge, const Request& request, const Report& report,
                        const Messages& messages, Lang lang) {
  JsonWriter out;
  out.begin_object().field("version", 1);
  wire::write_id(out, report.id, report.has_id, request.id_is_number);
  out.field("ok", true);
  out.key("versions")
      .begin_object()
      .field("app", app_version())
      .field("model", knowledge.efficiency.model_version)
      .field("data", knowledge.catalog.data_version)
      .end_object();
  write_model(out, report);
  std::optional<Catalog> own;
  if (has_own_entries(request.overrides)) own = overlay(knowledge.catalog, request.overrides);
  const Catalog& catalog = own ? *own : knowledge.catalog;
  const OfferBook offers(catalog, request);
  out.key("candidates").begin_array();
  for (const Candidate& candidate : report.candidates) {
    write_candidate(out, knowledge, {catalog, offers, request}, candidate);
  }
  out.end_array();
  write_index(out, "recommended", report.recommended);
  write_robustness(out, report.robustness);
  out.key("alternatives").begin_object();
  write_index(out, "faster", report.faster);
  write_index(out, "cheaper", report.cheaper);
  write_index(out, "simpler", report.simpler);
  out.end_object();
  out.key("assumed").begin_array();
  for (const std::string& path : report.assumed) out.string(path);
  out.end_array();
  write_notes(out, report.notes);
  if (!request.refused.empty()) write_issues(out, request.refused, messages, lang);
  out.end_object();
  return out.take();
}

std::string issues_json(std::string_view id, bool has_id, bool id_is_number,
                        const std::vector<Issue>& issues, const Messages& messages, Lang lang) {
  JsonWriter out;
  out.begin_object().field("version", 1);
  wire::write_id(out, id, has_id, id_is_number);
  out.field("ok", false);
  write_issues(out, issues, messages, lang);
  out.end_object();
  return out.take();
}

}  // namespace xuanka
