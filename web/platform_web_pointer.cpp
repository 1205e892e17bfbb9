// Mouse, finger and wheel: what is pressed, and what scrolls under it (the page itself where
// nothing in the canvas does).
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "imgui_internal.h"
#include "web/platform_web.hpp"

extern "C" int xkw_scroll_page(float dy);  // platform_web.js

namespace xuanka::web {
namespace {

constexpr float kSlop = 8;              // CSS px a finger may move and still press
constexpr float kGlideStop = 24;        // CSS px/s at which a glide ends
constexpr float kGlideFriction = 3.2f;  // 1/s
constexpr double kWheelLatch = 0.18;    // s during which a wheel stays with the window it moved

ImGuiWindow* window_at(ImVec2 at) {
  ImGuiWindow* window = nullptr;
  ImGui::FindHoveredWindowEx(at, false, &window, nullptr);
  return window;
}

float scroll_position(const ImGuiWindow* window, std::size_t axis) {
  // A target set since the last frame counts: several events may come before it is applied.
  const float target = window->ScrollTarget[axis];
  return target < FLT_MAX ? target : window->Scroll[axis];
}

/// The innermost window at `at`, or a parent, that can still move by `delta` along `axis`.
ImGuiWindow* scrollable_at(ImVec2 at, std::size_t axis, float delta) {
  for (ImGuiWindow* window = window_at(at); window != nullptr; window = window->ParentWindow) {
    const bool takes = (window->Flags &
                        (ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoMouseInputs)) == 0;
    const float position = scroll_position(window, axis), room = window->ScrollMax[axis];
    if (takes && room > 0 && (delta < 0 ? position > 0 : position < room)) return window;
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) break;
  }
  return nullptr;
}

bool active_is_scrollbar() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.ActiveId != 0 && g.ActiveIdWindow != nullptr &&
         (g.ActiveId == ImGui::GetWindowScrollbarID(g.ActiveIdWindow, ImGuiAxis_X) ||
          g.ActiveId == ImGui::GetWindowScrollbarID(g.ActiveIdWindow, ImGuiAxis_Y));
}

}  // namespace

void WebPlatform::on_pointer(PointerKind kind, ImGuiMouseSource source, ImVec2 at, ImVec2 client,
                             double time) {
  if (!open_) return;
  ImGuiIO& io = ImGui::GetIO();
  const bool finger = source == ImGuiMouseSource_TouchScreen;
  if (touch_ != finger && kind != PointerKind::kLeave) touch_ = finger;
  request_frames(kSettleFrames);
  io.AddMouseSourceEvent(source);
  if (finger && kind == PointerKind::kMove) {
    touch_move(at, client, time);
    return;
  }
  switch (kind) {
    case PointerKind::kDown:
      drag_ = Drag{};
      drag_.down = finger;
      drag_.at = at;
      drag_.start = drag_.last = client;
      drag_.last_time = time;
      io.AddMousePosEvent(at.x, at.y);
      io.AddMouseButtonEvent(0, true);
      break;
    case PointerKind::kUp:
      if (finger && drag_.scrolling) {
        touch_end();
        if (time - drag_.last_time > 0.06) drag_.velocity = {};
        break;
      }
      io.AddMousePosEvent(at.x, at.y);
      io.AddMouseButtonEvent(0, false);
      if (finger) touch_end();
      break;
    case PointerKind::kCancel:
      io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
      io.AddMouseButtonEvent(0, false);
      touch_end();
      break;
    case PointerKind::kLeave:
      io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
      break;
    case PointerKind::kMove:
      io.AddMousePosEvent(at.x, at.y);
      // The delays of Dear ImGui's tooltips pass without frames: look again when they are over.
      request_frame_after(ImGui::GetStyle().HoverDelayNormal + 0.02);
      break;
  }
}

void WebPlatform::touch_move(ImVec2 at, ImVec2 client, double time) {
  if (!drag_.down) return;
  const ImVec2 moved(client.x - drag_.start.x, client.y - drag_.start.y);
  if (!drag_.scrolling && !drag_.kept && std::hypot(moved.x, moved.y) > kSlop) begin_scroll(moved);
  if (!drag_.scrolling) {
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    return;
  }
  const float delta = drag_.last[drag_.axis] - client[drag_.axis];
  const float elapsed = static_cast<float>(std::max(time - drag_.last_time, 1e-3));
  float& velocity = drag_.velocity[drag_.axis];
  velocity = velocity * 0.6f + delta / elapsed * 0.4f;
  drag_.last = client;
  drag_.last_time = time;
  if (drag_.window != nullptr) {
    (void)scroll_window(drag_.window, drag_.axis, delta);
  } else if (drag_.axis == ImGuiAxis_Y) {
    xkw_scroll_page(delta);
  }
}

void WebPlatform::begin_scroll(ImVec2 moved) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  drag_.axis = std::abs(moved.x) > std::abs(moved.y) ? ImGuiAxis_X : ImGuiAxis_Y;
  drag_.window = scrollable_at(drag_.at, drag_.axis, -moved[drag_.axis]);
  // A scrollbar, or a slider pulled sideways, keeps the finger.
  drag_.kept = active_is_scrollbar() ||
               (drag_.axis == ImGuiAxis_X && drag_.window == nullptr && g.ActiveId != 0);
  if (drag_.kept) return;
  drag_.scrolling = true;
  drag_.velocity = {};
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  io.AddMouseButtonEvent(0, false);
  ImGui::ClearActiveID();
}

void WebPlatform::touch_end() {
  drag_.down = false;
  // Nothing stays hovered after a finger is gone; the release is handed out first.
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

void WebPlatform::glide(float seconds) {
  if (drag_.down || !drag_.scrolling) return;
  float& velocity = drag_.velocity[drag_.axis];
  velocity *= std::exp(-kGlideFriction * seconds);
  if (std::abs(velocity) < kGlideStop || prefers_reduced_motion()) {
    drag_.scrolling = false;
    return;
  }
  const float delta = velocity * std::min(seconds, 0.05f);
  bool moved = false;
  if (drag_.window != nullptr) {
    moved = scroll_window(drag_.window, drag_.axis, delta) != delta;
  } else if (drag_.axis == ImGuiAxis_Y) {
    moved = xkw_scroll_page(delta) != 0;
  }
  if (!moved) drag_.scrolling = false;
  request_frames(2);
}

float WebPlatform::scroll_window(ImGuiWindow* window, std::size_t axis, float delta) {
  const float position = scroll_position(window, axis);
  const float next = std::clamp(position + delta, 0.0f, window->ScrollMax[axis]);
  if (axis == ImGuiAxis_X) {
    ImGui::SetScrollX(window, next);
  } else {
    ImGui::SetScrollY(window, next);
  }
  return delta - (next - position);
}

bool WebPlatform::on_wheel(ImVec2 delta, ImVec2 at, double time) {
  if (!open_) return false;
  const std::size_t axis = std::abs(delta.x) > std::abs(delta.y) ? ImGuiAxis_X : ImGuiAxis_Y;
  const float amount = delta[axis];
  if (amount == 0) return false;
  ImGuiWindow* window = scrollable_at(at, axis, amount);
  const bool latched = time - last_wheel_ < kWheelLatch && wheel_window_ != nullptr;
  if (window == nullptr && !latched) {
    wheel_window_ = nullptr;
    return false;
  }
  last_wheel_ = window != nullptr ? time : last_wheel_;
  if (window != nullptr) {
    wheel_window_ = window;
    (void)scroll_window(window, axis, amount);
    request_frames(kSettleFrames);
  }
  return true;
}

}  // namespace xuanka::web
