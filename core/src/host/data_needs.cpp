#include "xuanka/host/data_needs.hpp"

#include "xuanka/host/host.hpp"

namespace xuanka {
namespace {

constexpr double kMega = 1e6;
constexpr double kGiga = 1e9;
constexpr double kHoursPerMonth = 730;
constexpr double kBytesPerToken = 4;  // a 32-bit id
constexpr double kMaxSeconds = 600;   // a transfer that is waited for without a word

// What one pass over the job's data reads, and the passes; of text without a known size its ids.
std::optional<double> read_rate(const Candidate& c, const Request& request,
                                std::optional<double> gigabytes) {
  const TimeEstimate& time = c.planned.time;
  if (c.job.kind == JobKind::kInference || !(time.units_per_second > 0)) return std::nullopt;
  if (gigabytes && time.total && time.total->value() > 0) {
    return *gigabytes * kGiga * request.workload.epochs / time.total->value();
  }
  const bool text = !request.workload.model.groups.empty() && request.workload.model.patches == 0;
  if (!text) return std::nullopt;
  return time.units_per_second * kBytesPerToken;
}

std::optional<double> checkpoint_bytes(const Job& job) {
  if (job.kind == JobKind::kInference || job.model == nullptr) return std::nullopt;
  const double params = job.frozen_base ? job.adapter_params : job.model->params;
  if (!(params > 0)) return std::nullopt;
  return params * (job.weight_bytes + job.optimizer_bytes);
}

std::optional<double> in_currency(const Catalog& catalog, const Request& request,
                                  const std::optional<Money>& price, double amount) {
  if (!price) return std::nullopt;
  const auto money = catalog.fx.convert(*price * amount, request.decision.currency);
  return money ? std::optional(money->amount) : std::nullopt;
}

}  // namespace

DataNeeds data_needs(const Catalog& catalog, const Request& request, const Candidate& c) {
  DataNeeds out;
  const HostRequest& host = request.host;
  const TimeEstimate& time = c.planned.time;
  const auto gigabytes = dataset_gb(catalog, request);
  out.read_bytes_per_second = read_rate(c, request, gigabytes);
  if (gigabytes) {
    out.transfer_seconds = *gigabytes * kGiga * 8 / (host.upload_mbit_s * kMega);
    out.transfer_cost = in_currency(catalog, request, host.transfer_per_gb, *gigabytes);
  }
  out.checkpoint_bytes = checkpoint_bytes(c.job);
  if (out.checkpoint_bytes)
    out.checkpoint_seconds = *out.checkpoint_bytes / (host.disk_mb_s * kMega);
  if (time.total) {
    const double stored = gigabytes.value_or(0) + out.checkpoint_bytes.value_or(0) / kGiga;
    out.storage_cost = in_currency(catalog, request, host.storage_per_gb_month,
                                   stored * to_hours(*time.total) / kHoursPerMonth);
  }
  if (time.step.value() > 0) {
    const TimeParts& parts = time.parts;
    out.gpu_busy = (parts.compute + parts.memory + parts.communication).value() / time.step.value();
  }
  return out;
}

void data_warnings(const Request& request, Candidate& c) {
  const double want = c.data.read_bytes_per_second.value_or(0) / kMega;
  if (want <= request.host.disk_mb_s) return;
  c.notes.push_back({NoteCode::kDiskSlow,
                     Severity::kWarning,
                     {{"have", request.host.disk_mb_s}, {"want", want}}});
}

void data_notes(const Catalog& catalog, const Request& request, Candidate& c) {
  const DataNeeds& data = c.data;
  const auto add = [&c](NoteCode code, Args args) {
    c.notes.push_back({code, Severity::kInfo, std::move(args)});
  };
  if (data.transfer_seconds && *data.transfer_seconds > kMaxSeconds) {
    add(NoteCode::kDataTransfer,
        {{"gb", *dataset_gb(catalog, request)}, {"seconds", *data.transfer_seconds}});
  }
  if (data.checkpoint_seconds) {
    add(NoteCode::kCheckpointSize,
        {{"bytes", *data.checkpoint_bytes}, {"seconds", *data.checkpoint_seconds}});
  }
  if (data.gpu_busy) add(NoteCode::kGpuBusy, {{"share", *data.gpu_busy}});
}

}  // namespace xuanka
