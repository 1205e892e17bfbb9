#!/usr/bin/env python3
"""The include check finds what it is there to find."""
import unittest

from check_includes import file_problems


class Layers(unittest.TestCase):
    def test_core_must_not_know_web_or_shell(self):
        for header in ("web/state.hpp", "shell/cli/args.hpp"):
            self.assertEqual(len(file_problems("core/src/a.cpp", f'#include "{header}"\n')), 1)

    def test_web_must_not_know_shell(self):
        self.assertEqual(len(file_problems("web/a.cpp", '#include "shell/page/a.hpp"\n')), 1)
        self.assertEqual(file_problems("web/a.cpp", '#include "web/state.hpp"\n#include "xuanka/base/units.hpp"\n'), [])

    def test_json_stays_at_its_door(self):
        text = "#include <nlohmann/json.hpp>\n"
        self.assertEqual(len(file_problems("core/src/time/a.cpp", text)), 1)
        self.assertEqual(file_problems("core/src/json/a.cpp", text), [])

    def test_heavy_headers_and_inexact_functions(self):
        self.assertEqual(len(file_problems("core/src/a.cpp", "#include <iostream>\n# include <regex>\n")), 2)
        self.assertEqual(len(file_problems("core/src/a.cpp", "double x = std::pow(2.0, 0.5);\n")), 1)
        self.assertEqual(file_problems("core/src/a.cpp", "// std::pow(2, 3) in a comment\nstd::sqrt(2.0);\n"), [])

    def test_headers_are_guarded(self):
        self.assertEqual(len(file_problems("core/include/xuanka/a.hpp", "int f();\n")), 1)


if __name__ == "__main__":
    unittest.main()
