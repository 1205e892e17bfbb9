#include "shell/window/drive.hpp"

#include <fstream>
#include <istream>
#include <ostream>
#include <string>

#include "web/items.hpp"

namespace xuanka::window {
namespace {

std::string box_json(const web::ItemBox& box) {
  return R"({"x":)" + std::to_string(box.x) + R"(,"y":)" + std::to_string(box.y) + R"(,"width":)" +
         std::to_string(box.width) + R"(,"height":)" + std::to_string(box.height) + "}";
}

std::string item_json(const std::optional<web::ItemPlace>& place) {
  if (!place) return "null";
  return R"({"box":)" + box_json(place->box) + R"(,"shown":)" + box_json(place->shown) + "}";
}

std::string save_picture(NativePlatform& platform, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string picture = platform.picture(3);
  file.write(picture.data(), static_cast<std::streamsize>(picture.size()));
  file.close();
  return file ? "ok" : "! " + path + ": cannot be written";
}

std::string reply(web::App& app, NativePlatform& platform, const std::string& line) {
  const std::string verb = line.substr(0, line.find(' '));
  const std::string what = line.substr(std::min(line.size(), verb.size() + 1));
  if (verb == "request") return app.request_json();
  if (verb == "report") return app.report_json();
  if (verb == "answer") return app.results_json();
  if (verb == "link") return app.fragment();
  if (verb == "lang") return std::string(app.lang());
  if (verb == "item") return item_json(web::place_of_item(what));
  if (verb == "picture") return save_picture(platform, what);
  if (verb == "focused") {
    const auto place = web::place_of_item(what);
    return place && place->id == web::focused_item() ? "yes" : "no";
  }
  if (verb == "rest") return platform.at_rest() ? "yes" : "no";
  if (verb == "go") {
    app.set_fragment(what);
    platform.finish_jobs();
    return "ok";
  }
  const std::string wrong = platform.act(line);
  platform.finish_jobs();
  return wrong.empty() ? "ok" : "! " + wrong;
}

}  // namespace

void drive(web::App& app, NativePlatform& platform, std::istream& in, std::ostream& out) {
  web::watch_items();
  platform.finish_jobs();
  for (std::string line; std::getline(in, line);) out << reply(app, platform, line) << std::endl;
}

}  // namespace xuanka::window
