// xuanka probe: measures the local GPU. Only builds with CUDA can.
#include "shell/cli/shell.hpp"

namespace xuanka::cli {

#ifndef XUANKA_HAS_PROBE
void add_probe(CLI::App& app, Shell& shell) {
  CLI::App* command = add_command(app, shell, "probe");
  command->add_flag("--json", [](std::int64_t) {}, shell.say("cli.flag.json"));
  command->callback([&shell] {
    shell.run = [](Shell& s) {
      s.complain(s.say("cli.probe.no_cuda"));
      return static_cast<int>(kBadUsage);
    };
  });
}
#endif

}  // namespace xuanka::cli
