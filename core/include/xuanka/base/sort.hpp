// Sorting with little code: each use of std::sort is two kilobytes of a program that is downloaded.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace xuanka {

/// Sorts ascending by `less`, in place (heap sort: n log n comparisons at worst). Not stable: to
/// give the same order everywhere, `less` must tell any two elements apart.
template <class T, class Less = std::less<>>
void sort_values(std::vector<T>& values, Less less = {}) {
  // Moves the value at `root` down until none below it, before `end`, is greater.
  const auto sift = [&](std::size_t root, std::size_t end) {
    T value = std::move(values[root]);
    for (std::size_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && less(values[child], values[child + 1])) ++child;
      if (!less(value, values[child])) break;
      values[root] = std::move(values[child]);
      root = child;
    }
    values[root] = std::move(value);
  };
  for (std::size_t i = values.size() / 2; i-- > 0;) sift(i, values.size());
  for (std::size_t end = values.size(); end-- > 1;) {
    std::swap(values[0], values[end]);
    sift(0, end);
  }
}

}  // namespace xuanka
