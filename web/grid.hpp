// Fields two to a row, as the wizard's steps show them.
#pragma once

#include <algorithm>

#include "web/widgets.hpp"

namespace xuanka::web {

// Lays fields out two to a row; one that stands alone takes the whole width.
class Grid {
 public:
  Grid(const Ui& ui, float x, float y, float width)
      : ui_(ui), x_(x), y_(y), width_(width), top_(y) {}
  void add(FieldId id, const InputStyle& style = {}) {
    if (!relevant(id, ui_.state, ui_.computed.facts)) return;
    const float half = (width_ - ui_.u(10)) / 2;
    const float left = second_ ? x_ + half + ui_.u(10) : x_;
    const float bottom = field_input(ui_, id, left, top_ + ui_.u(14), half, style);
    y_ = std::max(y_, bottom);
    if (second_) top_ = y_;
    second_ = !second_;
  }
  void wide(FieldId id, const InputStyle& style = {}) {
    if (!relevant(id, ui_.state, ui_.computed.facts)) return;
    end_row();
    y_ = field_input(ui_, id, x_, top_ + ui_.u(14), width_, style);
    top_ = y_;
  }
  void end_row() {
    second_ = false;
    top_ = y_;
  }
  [[nodiscard]] float bottom() const { return y_; }

 private:
  const Ui& ui_;
  float x_, y_, width_, top_;
  bool second_ = false;
};

}  // namespace xuanka::web
