#include "web/app.hpp"

#include <algorithm>
#include <utility>

#include "imgui.h"
#include "imgui_internal.h"
#include "implot.h"
#include "web/fragment.hpp"
#include "web/style.hpp"
#include "web/twin.hpp"
#include "web/views.hpp"

namespace xuanka::web {
namespace {

constexpr float kEm = 15;                   // CSS px of body text
constexpr std::size_t kMaxFile = 4U << 20;  // bytes of a dropped file

constexpr std::array<std::string_view, 9> kTabs{"plans", "charts",   "gpus", "offers", "value",
                                                "own",   "measured", "how",  "yours"};

}  // namespace

struct App::Impl {
  const Api& api;
  Platform& platform;
  State state = initial_state();
  Computed computed;
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  FrameLog log;
  std::vector<Action> actions;
  ThemeId styled = ThemeId::kLight;
  bool style_ready = false, scroll_to_top = false;
  bool show_answer = false;  // the answer step was opened: the answer goes to the top of the page
  bool show_tab = false;     // a phone's tab was chosen: what it shows goes to the top
  bool measured_asked = false;
  ImGuiID pending_focus = 0;
  double update_ms = 0, recompute_ms = 0;
  float wizard_height = 0, content_height = 0;

  Impl(const Api& a, Platform& p) : api(a), platform(p) {}

  [[nodiscard]] Lang lang() const {
    const std::string& chosen = state.text(FieldId::kLang);
    if (const auto own = parse_lang(chosen)) return *own;
    if (const auto kept = parse_lang(platform.remembered("lang"))) return *kept;
    return parse_lang(platform.preferred_language()).value_or(Lang::kZh);
  }
  [[nodiscard]] ThemeId theme_id() const {
    std::string name = state.text(FieldId::kTheme);
    if (name.empty()) name = platform.remembered("theme");
    const bool dark = platform.prefers_dark();
    if (name == "light") return ThemeId::kLight;
    if (name == "dark") return ThemeId::kDark;
    if (name == "contrast" || platform.prefers_contrast())
      return dark ? ThemeId::kContrastDark : ThemeId::kContrastLight;
    return dark ? ThemeId::kDark : ThemeId::kLight;
  }
  void update() {
    const double start = platform.now();
    recompute(api, state, lang(), computed);
    recompute_ms = (platform.now() - start) * 1000;
  }
  // One or more actions in, the next state, everything that follows from it.
  void apply(const std::vector<Action>& list) {
    if (list.empty()) return;
    const Step step = state.step;
    const bool sheet = state.sheet_open;
    const std::string tab = state.text(FieldId::kView);
    for (const Action& action : list) {
      remember(action);
      state = reduce(std::move(state), action);
      if (const auto* notice = std::get_if<AddNotice>(&action))
        platform.announce(
            api.messages().format(lang(), "ui.n." + notice->notice.code, notice->notice.args));
    }
    if (state.step != step && (state.sheet_open || sheet)) scroll_to_top = true;
    if (state.sheet_open != sheet) scroll_to_top = true;
    if (state.step != step && state.step == Step::kAnswer) show_answer = true;
    if (state.step != step && ImGui::GetCurrentContext() != nullptr)
      log.enter_step = ImGui::GetCurrentContext()->NavCursorVisible;
    if (state.text(FieldId::kView) != tab) show_tab = true;
    changed(false);
  }
  void remember(const Action& action) const {
    if (const auto* set = std::get_if<SetField>(&action)) {
      if (set->id == FieldId::kLang) platform.remember("lang", set->value);
      if (set->id == FieldId::kTheme) platform.remember("theme", set->value);
    }
  }
  // What only one tab shows is asked for when it is first opened.
  void load_for_tab() {
    if (measured_asked || state.text(FieldId::kView) != "measured") return;
    measured_asked = true;
    platform.load_measurements();
  }
  void changed(bool push) {
    load_for_tab();
    update();
    platform.write_fragment(write_fragment(state), push);
    platform.state_changed();
    platform.request_frames(3);
  }
  void page(Ui& ui);
  bool embedded(const Ui& ui, float x, float y, float width, float& bottom);
  float answer_side(const Ui& ui, float x, float y, float width);
};

namespace {

float view_tab(const Ui& ui, float x, float y, float width) {
  const std::string& view = ui.state.text(FieldId::kView);
  if (view == "charts") return view_charts(ui, x, y, width);
  if (view == "gpus") return view_gpus(ui, x, y, width);
  if (view == "offers") return view_offers(ui, x, y, width);
  if (view == "value") return view_value(ui, x, y, width);
  if (view == "own") return view_own(ui, x, y, width);
  if (view == "measured") return view_measured(ui, x, y, width);
  if (view == "how") return view_how(ui, x, y, width);
  if (view == "yours") return view_yours(ui, x, y, width);
  return view_plans(ui, x, y, width);
}

std::vector<Option> tab_options(const Ui& ui) {
  std::vector<Option> options;
  const Catalog& catalog = ui.api.knowledge().catalog;
  for (const std::string_view tab : kTabs) {
    const std::size_t n = tab == "plans"    ? ui.computed.view.rows.size()
                          : tab == "gpus"   ? catalog.gpus.size()
                          : tab == "offers" ? catalog.offers.size()
                                            : 0;
    std::string label = ui.tr("ui.tab." + std::string(tab));
    if (n > 0) label += " " + std::to_string(n);
    options.push_back({std::string(tab), label, ""});
  }
  return options;
}

// Scrolls the page so that the height `y` of the screen comes to its upper edge.
void scroll_to(float y) {
  ImGui::SetScrollY(std::max(0.0F, ImGui::GetScrollY() + y - ImGui::GetWindowPos().y));
}

float change_button(const Ui& ui, float x, float y, float width) {
  const float h = ui.u(46);
  const std::string job = ui.computed.report.model_name + ui.tr("ui.list_separator") +
                          ui.tr("ui.kind." + ui.state.text(FieldId::kKind));
  if (button(ui, "###change-job", {x, y, width, h}, ui.trf("ui.change_job", {{"job", job}})))
    ui.act(OpenSheet{true});
  return y + h;
}

}  // namespace

float App::Impl::answer_side(const Ui& ui, float x, float y, float width) {
  if (std::exchange(show_answer, false)) scroll_to(y - ui.u(18));
  y = view_answer(ui, x, y, width);
  if (ui.phone()) y = change_button(ui, x, y + ui.u(12), width);
  float h = 0;
  // On a phone the answer fills the screen: what a tab shows would stay out of sight.
  if (std::exchange(show_tab, false) && ui.phone()) scroll_to(y + ui.u(10));
  const auto options = tab_options(ui);
  const int pressed =
      tabs(ui, "tabs", x, y + ui.u(18), width, options, state.text(FieldId::kView), &h);
  if (pressed >= 0) ui.set(FieldId::kView, options[static_cast<std::size_t>(pressed)].value);
  return view_tab(ui, x, y + ui.u(18) + h, width);
}

// The small views of an embedded page: the answer alone, one table alone, the wizard with its
// answer.
bool App::Impl::embedded(const Ui& ui, float x, float y, float width, float& bottom) {
  const std::string& embed = state.text(FieldId::kEmbed);
  if (embed == "answer") {
    bottom = view_answer(ui, x, y, width);
    // "How computed" opens below.
    if (!state.is(FieldId::kView, "plans")) bottom = view_tab(ui, x, bottom + ui.u(18), width);
  } else if (embed == "table") {
    bottom = view_tab(ui, x, y, width);
  } else if (embed == "wizard") {
    bottom = view_wizard(ui, x, view_answer(ui, x, y, width) + ui.u(18), width);
  } else {
    return false;
  }
  return true;
}

void App::Impl::page(Ui& ui) {
  const float pad = ui.u(ui.phone() ? 12 : 20), gap = ui.u(18);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float content = std::min(ImGui::GetContentRegionAvail().x, ui.u(1440)) - 2 * pad;
  const float x = origin.x + (ImGui::GetContentRegionAvail().x - content) / 2,
              top = origin.y + (ui.phone() ? pad : gap);
  float y = view_notices(ui, x, top, content), bottom = y;
  if (embedded(ui, x, y, content, bottom)) {
    // Drawn already.
  } else if (ui.wide()) {
    const float side = ui.u(372);
    // The wizard stays in sight while the answer scrolls, as long as it is not taller than the
    // page.
    const float wizard_top =
        wizard_height > 0 && wizard_height + 2 * gap < ui.clip.h ? std::max(y, ui.clip.y + gap) : y;
    const float wizard_bottom = view_wizard(ui, x, wizard_top, side);
    wizard_height = wizard_bottom - wizard_top;
    const float right = answer_side(ui, x + side + gap, y, content - side - gap);
    bottom = std::max(wizard_top == y ? wizard_bottom : y, right);
  } else if (ui.phone() && state.sheet_open) {
    bottom = view_wizard(ui, x, y, content);
    const float h = ui.u(46);
    if (button(ui, "###done", {x, bottom + ui.u(12), content, h}, ui.tr("ui.done"),
               ButtonKind::kPrimary))
      ui.act(OpenSheet{false});
    bottom += ui.u(12) + h;
  } else {
    if (!ui.phone()) y = view_wizard(ui, x, y, content) + gap;
    bottom = answer_side(ui, x, y, content);
  }
  ImGui::SetCursorScreenPos(ImVec2(origin.x, bottom));
  ImGui::Dummy(ImVec2(1, ui.u(28)));
  content_height = ui.clip.y + (bottom - origin.y) + ui.u(28);
}

App::App(const Api& api, Platform& platform) : impl_(std::make_unique<Impl>(api, platform)) {
  impl_->update();
}
App::~App() = default;

void App::set_fonts(ImFont* regular, ImFont* bold) {
  impl_->regular = regular;
  impl_->bold = bold;
  impl_->style_ready = false;
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigNavCursorVisibleAuto = true;
  io.IniFilename = nullptr;
  if (ImPlot::GetCurrentContext() == nullptr) ImPlot::CreateContext();
}

void App::frame(float width, float height) {
  Impl& m = *impl_;
  const double start = m.platform.now();
  const ThemeId theme = m.theme_id();
  if (!m.style_ready || theme != m.styled) {
    apply_style(theme_of(theme), kEm);
    m.styled = theme;
    m.style_ready = true;
  }
  m.log.first_stop = m.log.last_stop = 0;
  m.log.texts.clear();
  m.log.focus = m.pending_focus;
  m.pending_focus = 0;
  const float units = width * kBodySize / kEm;
  const Layout layout = units >= 1000  ? Layout::kWide
                        : units >= 700 ? Layout::kMedium
                                       : Layout::kPhone;
  Ui ui{m.state, m.computed, m.api,  m.platform, theme_of(theme), m.lang(), layout, m.regular,
        m.bold,  width,      height, kEm,        m.actions,       m.log,    {}};

  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushFont(m.regular, kEm);
  ImGui::Begin("###root", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  fill(ui, {0, 0, width, height}, ui.color(Color::kBackground));
  float top = m.state.text(FieldId::kEmbed).empty() ? view_header(ui) : 0;
  if (ui.phone() && m.state.sheet_open) top = view_answer_line(ui, 0, top, width);
  ui.clip = {0, top, width, height - top};
  ImGui::SetCursorScreenPos(ImVec2(0, top));
  if (m.scroll_to_top) ImGui::SetNextWindowScroll(ImVec2(0, 0));
  m.scroll_to_top = false;
  ImGui::BeginChild(
      "page", ImVec2(width, height - top), ImGuiChildFlags_NavFlattened,
      ImGuiWindowFlags_NoBackground | (ui.fingers() ? ImGuiWindowFlags_NoScrollbar : 0));
  m.page(ui);
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopFont();

  const std::vector<Action> actions = std::exchange(m.actions, {});
  m.update_ms = m.recompute_ms + (m.platform.now() - start) * 1000;
  m.apply(actions);
}

PageColors App::page_colors() const {
  const Theme& theme = theme_of(impl_->theme_id());
  return {theme[Color::kBackground], theme[Color::kText], theme[Color::kAccent], theme.dark};
}

void App::set_fragment(std::string_view fragment) {
  State next = read_fragment(fragment);
  next.step = impl_->state.step;
  impl_->state = std::move(next);
  impl_->load_for_tab();
  impl_->update();
  impl_->platform.state_changed();
  impl_->platform.request_frames(3);
}

std::string App::fragment() const { return write_fragment(impl_->state); }
bool App::set_request(std::string_view request) {
  State next = impl_->state;
  if (!is_json(request, '{') || !read_request(request, next)) return false;
  impl_->apply({Replace{std::move(next)}});
  return true;
}
void App::set_lang(std::string_view lang) {
  impl_->apply({SetField{FieldId::kLang, std::string(lang)}});
}
void App::set_theme(std::string_view theme) {
  impl_->apply({SetField{FieldId::kTheme, std::string(theme)}});
}
void App::set_currency(std::string_view currency) {
  impl_->apply({SetField{FieldId::kCurrency, std::string(currency)}});
}
std::string_view App::lang() const { return lang_name(impl_->lang()); }
std::string_view App::theme() const {
  const std::string& theme = impl_->state.text(FieldId::kTheme);
  return theme.empty() ? std::string_view("auto") : std::string_view(theme);
}

bool App::set_field(std::string_view key, std::string_view value) {
  const FieldSpec* field = field_by_key(key);
  if (field == nullptr) return false;
  if (field->id == FieldId::kModel) {
    if (const ModelPreset* model = impl_->api.knowledge().catalog.find_model(value)) {
      impl_->apply({pick_of(impl_->api.knowledge().catalog, *model)});
      return true;
    }
  }
  impl_->apply({SetField{field->id, std::string(value)}});
  return true;
}

std::string App::form_json() const {
  return write_form(impl_->api, impl_->state, impl_->computed, impl_->lang());
}
std::string App::request_json() const { return impl_->computed.request_text; }
std::string App::report_json() const {
  return impl_->api.rank(impl_->computed.request_text, impl_->lang());
}
std::string App::results_json() const {
  // The tables need what panels draw with, but no Dear ImGui context.
  Impl& m = *impl_;
  Ui ui{m.state,  m.computed,    m.api,     m.platform, theme_of(m.theme_id()),
        m.lang(), Layout::kWide, m.regular, m.bold,     0,
        0,        kEm,           m.actions, m.log,      {}};
  return write_results(ui);
}

void App::on_drop_file(std::string_view name, std::string_view bytes) {
  const std::string file(name.substr(0, 80));
  if (bytes.size() > kMaxFile) {
    impl_->apply({AddNotice{
        {"file_large", {{"name", file}, {"mb", static_cast<double>(bytes.size()) / 1e6}}, true}}});
    return;
  }
  if (!is_json(bytes, '{')) {
    impl_->apply({AddNotice{{"file_not_json", {{"name", file}}, true}}});
    return;
  }
  State next = impl_->state;
  if (is_probe(bytes)) {
    next.notices.push_back(read_probe_file(impl_->api, impl_->lang(), file, bytes, next));
  } else if (read_request(bytes, next)) {
    next.notices.push_back({"request_read", {{"name", file}}, false});
  } else if (read_overlay(bytes, next)) {
    next.notices.push_back({"overlay_read", {{"name", file}}, false});
  } else {
    next.text(FieldId::kSource) = "config";
    next.text(FieldId::kConfig) = std::string(bytes);
    next.step = Step::kModel;
    next.notices.push_back({"config_read", {{"name", file}}, false});
  }
  impl_->apply({Replace{std::move(next)}});
}

const Api& App::api() const { return impl_->api; }

void App::tell(std::string code, Args args, bool bad) {
  impl_->apply({AddNotice{{std::move(code), std::move(args), bad}}});
}

void App::set_measurements(std::string_view text) {
  impl_->computed.measured = read_measured(text);
  impl_->computed.measured_failed = impl_->computed.measured.empty();
  impl_->platform.state_changed();
  impl_->platform.request_frames(3);
}

void App::on_sheet(std::string_view key, std::string_view value) {
  if (key == "popup_filter") {
    impl_->log.popup_filter = value;
    impl_->platform.request_frames(3);
    return;
  }
  if (key.starts_with("filter:")) {
    if (const auto list = read_number(key.substr(7)))
      impl_->apply({SetFilter{static_cast<ListId>(static_cast<int>(*list)), std::string(value)}});
    return;
  }
  if (key.starts_with("draft:")) {
    if (const auto id = read_number(key.substr(6)))
      impl_->apply({SetDraft{static_cast<DraftId>(static_cast<int>(*id)), std::string(value)}});
    return;
  }
  set_field(key, value);
}

void App::on_preferences_changed() {
  impl_->style_ready = false;
  impl_->update();
  impl_->platform.state_changed();
  impl_->platform.request_frames(3);
}

bool App::focus_is_first() const {
  return ImGui::GetCurrentContext() != nullptr &&
         ImGui::GetCurrentContext()->NavId == impl_->log.first_stop;
}
bool App::focus_is_last() const {
  return ImGui::GetCurrentContext() != nullptr &&
         ImGui::GetCurrentContext()->NavId == impl_->log.last_stop;
}
void App::focus_edge(bool last) {
  // An item that has the focus takes it back when it is drawn in another window than the edge.
  if (ImGui::GetCurrentContext()->NavWindow != nullptr)
    ImGui::SetNavID(0, ImGuiNavLayer_Main, 0, ImRect());
  impl_->pending_focus = last ? impl_->log.last_stop : impl_->log.first_stop;
  impl_->platform.request_frames(3);
}
float App::content_height() const { return impl_->content_height; }
double App::last_update_ms() const { return impl_->update_ms; }
FrameLog& App::frame_log() { return impl_->log; }

}  // namespace xuanka::web
