// One (GPU, count) of a request, estimated and judged.
#pragma once

#include "xuanka/cost/offer_book.hpp"
#include "xuanka/rank/rank.hpp"

namespace xuanka {

/// What the evaluation of every candidate shares.
struct RankContext {
  const Catalog& catalog;  ///< with the request's own entries
  const EfficiencyModel& efficiency;
  const Request& request;
  const OfferBook& book;
};

/// Everything about `count` cards of `gpu`: the plan, fit, time, price, host and verdict. Of the
/// offers that may serve, the one with which the candidate ranks best.
[[nodiscard]] Candidate evaluate(const RankContext& context, const Gpu& gpu, int count);

/// Notes on a judged candidate that its estimates call for (memory, links, time, deadline).
void add_estimate_notes(const RankContext& context, const Gpu& gpu, const Topology& topology,
                        Candidate& candidate);

/// True when the plan moves weights or optimizer states to host memory.
[[nodiscard]] bool keeps_states_in_host_ram(const Candidate& candidate);

/// Adds a note unless one of its code is there.
void add_note(std::vector<Note>& notes, NoteCode code, Severity severity, Args args = {});

}  // namespace xuanka
