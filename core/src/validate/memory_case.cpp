// The memory side of a case: which parts of the estimate the source's figure counts.
#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

bool mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

}  // namespace

MemoryAnswer memory_answer(const MeasuredCase& measured, const Job&,
                           const PlannedCandidate& planned) {
  const MemoryEstimate& m = planned.memory;
  const MemoryParts& parts = m.parts;
  const Bytes states = parts.weights + parts.gradients + parts.optimizer;
  Bytes predicted = m.per_gpu;
  switch (measured.memory_scope) {
    case MemoryScope::kDevice:
      break;
    case MemoryScope::kReserved:
      predicted = m.per_gpu - m.context;
      break;
    case MemoryScope::kAllocated:
      predicted = m.per_gpu - m.context - m.reserve;
      break;
    case MemoryScope::kActivations:
      predicted = m.kept;
      break;
    case MemoryScope::kStates:
      predicted = states;
      break;
    case MemoryScope::kWeights:
      predicted = parts.weights;
      break;
  }
  // Low and high keep their distance from the whole estimate, so that a scope without the context
  // is not held to the context's uncertainty.
  const bool only_states = measured.memory_scope == MemoryScope::kStates ||
                           measured.memory_scope == MemoryScope::kWeights;
  const double scale = m.per_gpu.value() > 0 ? predicted / m.per_gpu : 1;
  MemoryAnswer answer{predicted, only_states ? 0.97 * predicted : m.low * scale,
                      only_states ? 1.05 * predicted : m.high * scale};
  // "... total": the sum over the GPUs of the case.
  if (mentions(measured.unit, "total") && measured.count > 1) {
    const double count = measured.count;
    answer = {answer.predicted * count, answer.low * count, answer.high * count};
  }
  return answer;
}

}  // namespace xuanka
