#include "xuanka/host/host.hpp"

#include <algorithm>
#include <cmath>

#include "xuanka/cost/offer_book.hpp"

namespace xuanka {
namespace {

// Logical cores that feed one GPU (guide-aistudio: a fixed number, at least 10-12). Decoding and
// augmenting images takes the upper end; tokens that are read ready-made take the lower one.
constexpr double kCoresForImages = 12;
constexpr double kCoresForTokens = 10;
// Generation is driven by one process per GPU and a tokeniser.
constexpr double kCoresForInference = 4;

bool reads_images(const Model& model) {
  return model.kind == ModelKind::kVision || model.kind == ModelKind::kMeasured ||
         model.patches > 0;
}

double cores_wanted(const Request& request) {
  if (request.host.cpu_cores_per_gpu) return *request.host.cpu_cores_per_gpu;
  if (request.workload.kind == JobKind::kInference) return kCoresForInference;
  return reads_images(request.workload.model) ? kCoresForImages : kCoresForTokens;
}

void check_cores(HostCheck& check, double per_node, double wanted, std::vector<Note>& notes) {
  check.cores_needed = wanted * per_node;
  if (!check.cpu_cores || *check.cpu_cores >= check.cores_needed) return;
  notes.push_back({NoteCode::kCpuCoresLow,
                   Severity::kWarning,
                   {{"have", *check.cpu_cores / per_node}, {"want", wanted}}});
}

// The data set should lie on the machine's own disk (guide-aistudio).
void check_disk(const OfferBook& book, const Request& request, const Lease& lease,
                std::vector<Note>& notes) {
  const auto have = disk_gb(*lease.offer);
  const auto want = dataset_gb(book.catalog(), request);
  if (!have || !want || *have >= *want) return;
  notes.push_back({NoteCode::kDiskShort, Severity::kWarning, {{"have", *have}, {"want", *want}}});
}

}  // namespace

std::optional<double> disk_gb(const Offer& offer) {
  if (!offer.disk) return std::nullopt;
  std::optional<double> sum;
  double number = 0;
  bool digits = false;
  const std::string_view text = *offer.disk;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      number = (digits ? number * 10 : 0) + (c - '0');
      digits = true;
    } else if (digits && c != ' ') {
      const std::string_view unit = text.substr(i, 2);
      if (unit == "GB") sum = sum.value_or(0) + number;
      if (unit == "TB") sum = sum.value_or(0) + number * 1000;
      digits = false;
    }
  }
  return sum;
}

std::optional<double> dataset_gb(const Catalog& catalog, const Request& request) {
  if (request.host.dataset_gb) return request.host.dataset_gb;
  const Dataset* dataset = catalog.find_dataset(request.workload.dataset);
  return dataset != nullptr ? dataset->disk_gb : std::nullopt;
}

HostCheck check_host(const OfferBook& book, const Request& request, const Gpu& gpu,
                     const Lease* lease, const MemoryEstimate& memory, int count,
                     std::vector<Note>& notes) {
  HostCheck check;
  check.ram_needed_gb = request.host.ram_gb.value_or(to_gigabytes(memory.host_ram));
  check.ram_gb = request.host.have_ram_gb;
  check.cpu_cores = request.host.have_cpu_cores;
  double nodes = 1;
  if (lease != nullptr) {
    if (!check.ram_gb) check.ram_gb = lease->ram_gb;
    if (!check.cpu_cores) check.cpu_cores = lease->cores;
    nodes = lease->nodes;
  }
  const double per_node = std::ceil(count / nodes);
  if (lease != nullptr && (!check.ram_gb || !check.cpu_cores)) {
    notes.push_back({NoteCode::kHostUnknown, Severity::kInfo, {{"offer", lease->offer->id}}});
  }
  check_cores(check, per_node, cores_wanted(request), notes);
  if (lease != nullptr) check_disk(book, request, *lease, notes);
  if (!check.ram_gb || *check.ram_gb >= check.ram_needed_gb) return check;
  check.ok = false;
  notes.push_back({NoteCode::kHostRamShort,
                   Severity::kError,
                   {{"have", *check.ram_gb}, {"want", check.ram_needed_gb}}});
  if (lease == nullptr || request.host.have_ram_gb) return check;
  if (const auto shape =
          book.shape_with_ram(gpu, static_cast<int>(per_node), check.ram_needed_gb)) {
    notes.push_back({NoteCode::kShapeThatWouldDo,
                     Severity::kInfo,
                     {{"offer", shape->offer->id},
                      {"ram_gb", *shape->ram_gb},
                      {"gpu_count", shape->billed_gpus}}});
  }
  return check;
}

HostCheck check_host(const Catalog& catalog, const Request& request, const Gpu& gpu,
                     const Lease* lease, const MemoryEstimate& memory, int count,
                     std::vector<Note>& notes) {
  return check_host(OfferBook(catalog, request), request, gpu, lease, memory, count, notes);
}

}  // namespace xuanka
