#include "shell/batch/sweep.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "json/json_text.hpp"
#include "shell/batch/sweep_reader.hpp"

namespace xuanka::batch {
namespace {

constexpr int kDigits = 12;

void append_number(double value, std::string& out) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, kDigits);
  out.append(text.data(), end.ptr);
}

// "ok" stands within the first members, before any text of the catalog.
bool is_refusal(std::string_view report) {
  return report.find(",\"ok\":false,\"issues\":") != std::string_view::npos;
}

}  // namespace

void Axis::append(std::uint64_t k, std::size_t path, std::string& out) const {
  if (!values.empty()) {
    out += values[k * paths.size() + path];
    return;
  }
  const auto at = static_cast<double>(k);
  append_number(factor == 1 ? from + step * at : from * std::pow(factor, at), out);
}

Line Line::read(std::string text, const Api& api, Lang lang) {
  if (text.find("\"sweep\"") == std::string::npos) {
    Line line;
    line.text_ = std::move(text);
    return line;
  }
  return Reader(api, lang).read(std::move(text));
}

std::vector<std::uint64_t> Line::steps(std::uint64_t k) const {
  std::vector<std::uint64_t> at(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    at[i] = k % axes_[i].count;
    k /= axes_[i].count;
  }
  return at;
}

std::string Line::request(std::uint64_t k) const {
  if (pieces_.empty()) return text_;
  const auto at = steps(first_ + k);
  std::string out = pieces_.front();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    axes_[slots_[i].axis].append(at[slots_[i].axis], slots_[i].path, out);
    out += pieces_[i + 1];
  }
  return out;
}

void Line::append_sweep(std::uint64_t k, std::string& out) const {
  const auto at = steps(first_ + k);
  out += "\"sweep\":{\"index\":" + std::to_string(first_ + k) +
         ",\"count\":" + std::to_string(total_) + ",\"values\":{";
  bool first = true;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    for (std::size_t p = 0; p < axes_[i].paths.size(); ++p) {
      if (!first) out += ',';
      first = false;
      json::append_string(axes_[i].paths[p], out);
      out += ':';
      axes_[i].append(at[i], p, out);
    }
  }
  out += "}}";
}

bool Line::answer(std::uint64_t k, const Api& api, Lang lang, std::string& out) const {
  if (!refusal_.empty()) {
    out += refusal_;
    out += '\n';
    return false;
  }
  std::string report = pieces_.empty() ? api.rank(text_, lang) : api.rank(request(k), lang);
  const bool good = !is_refusal(std::string_view(report).substr(0, 4096));
  if (!pieces_.empty() && !report.empty() && report.back() == '}') {
    report.back() = ',';
    append_sweep(k, report);
    report += '}';
  }
  out += report;
  out += '\n';
  return good;
}

}  // namespace xuanka::batch
