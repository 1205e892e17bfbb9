// xuanka-window: the wizard in a window of its own.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "shell/window/drive.hpp"
#include "shell/window/native_platform.hpp"

namespace {

// The command line beside this program, where it can measure: built with CUDA, and a driver is
// there.
std::string default_probe() {
#ifdef XUANKA_HAS_PROBE
  if (void* driver = ::dlopen("libcuda.so.1", RTLD_LAZY)) {
    ::dlclose(driver);
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = self.parent_path() / "xuanka";
    if (!error && std::filesystem::exists(beside, error)) return beside.string();
  }
#endif
  return {};
}

struct Options {
  int width = 1280, height = 860;
  std::string fragment, picture, page, probe = default_probe();
  std::vector<std::string> files, actions;
  bool request = false, drive = false, help = false;
};

constexpr const char* kHelp =
    "usage: xuanka-window [FILE...] [--size WIDTHxHEIGHT] [--link FRAGMENT] [--picture FILE.png] "
    "[--request] [--act ACTION]... [--drive] [--page ADDRESS] [--probe PROGRAM]\n"
    "  FILE       a config.json, a request or an overlay, as if dropped on the window\n"
    "  --link     what stands behind # in a link of the page\n"
    "  --picture  draw once without showing the window, save the picture, end\n"
    "  --request  as --picture, but print the request of the inputs\n"
    "  --act      do this at first: \"click KEY\" of an item, \"press Ctrl+V\", \"type TEXT\"\n"
    "  --drive    read actions from standard input, one a line, and answer each with a line; also\n"
    "             \"go FRAGMENT\", \"item KEY\", \"focused KEY\", \"request\", \"report\", "
    "\"answer\", "
    "\"link\", \"lang\", \"rest\", \"picture FILE\"\n"
    "  --page     what stands before # in links that are copied\n"
    "  --probe    what measures the cards (default: xuanka beside this program, where built with "
    "CUDA)\n";

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const auto value = [&]() -> const char* { return i + 1 < argc ? argv[++i] : ""; };
    if (arg == "--size") {
      if (std::sscanf(value(), "%dx%d", &options.width, &options.height) != 2) return false;
    } else if (arg == "--link") {
      options.fragment = value();
    } else if (arg == "--picture") {
      options.picture = value();
    } else if (arg == "--act") {
      options.actions.emplace_back(value());
    } else if (arg == "--page") {
      options.page = value();
    } else if (arg == "--probe") {
      options.probe = value();
    } else if (arg == "--request") {
      options.request = true;
    } else if (arg == "--drive") {
      options.drive = true;
    } else if (arg == "--help" || arg == "-h") {
      options.help = true;
    } else if (!arg.empty() && arg.front() == '-') {
      return false;
    } else {
      options.files.emplace_back(arg);
    }
  }
  return options.width >= 200 && options.height >= 200 && options.width <= 16384 &&
         options.height <= 16384;
}

int fail(const std::string& text, int status) {
  std::fprintf(stderr, "xuanka-window: %s\n", text.c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) return std::fputs(kHelp, stderr), 2;
  if (options.help) return std::fputs(kHelp, stdout), 0;
  const auto api = xuanka::Api::create();
  if (!api) return fail("the shipped data cannot be loaded", 3);
  xuanka::window::NativePlatform platform;
  const bool once = options.request || options.drive || !options.picture.empty();
  const std::string problem = platform.open(options.width, options.height, !once);
  if (!problem.empty()) return fail(problem, 3);
  xuanka::web::App app(*api, platform);
  platform.attach(app);
  platform.set_page(options.page);
  platform.set_probe(options.probe);
  if (!platform.add_fonts())
    return fail("no font found: install fonts-noto-cjk or fonts-dejavu", 3);
  app.set_fragment(options.fragment);
  for (const std::string& file : options.files) {
    const char* path = file.c_str();
    platform.on_drop(1, &path);
  }
  for (const std::string& action : options.actions) {
    const std::string wrong = platform.act(action);
    if (!wrong.empty()) return fail(wrong, 2);
    if (once) platform.finish_jobs();
  }
  if (!once) {
    platform.run();
    return 0;
  }
  if (options.drive) {
    xuanka::window::drive(app, platform, std::cin, std::cout);
    return 0;
  }
  const std::string picture = platform.picture(6);
  if (options.request) std::printf("%s\n", app.request_json().c_str());
  if (options.picture.empty()) return 0;
  std::ofstream file(options.picture, std::ios::binary);
  file.write(picture.data(), static_cast<std::streamsize>(picture.size()));
  file.close();
  return file ? 0 : fail(options.picture + ": cannot be written", 3);
}
