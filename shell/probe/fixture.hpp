// A machine read from a file instead of asked: for tests, and to see what a probe looks like
// without a card.
#pragma once

#include <memory>

#include "shell/probe/device.hpp"
#include "xuanka/base/result.hpp"

namespace xuanka::probe {

/// The machine that a fixture describes by its rates (tests/data/probe/*.json). What it says is
/// always `made_up`.
[[nodiscard]] Result<std::unique_ptr<Device>> read_fixture(std::string_view json);

}  // namespace xuanka::probe
