#!/usr/bin/env python3
"""The tree keeps to its layers, and the checker finds what does not."""
import pathlib
import tempfile
import unittest

import layering

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = layering.load_rules()


class TreeTest(unittest.TestCase):
    def test_this_tree_keeps_to_its_layers(self):
        self.assertEqual(layering.Checker(ROOT, RULES).run(), [])

    def test_every_component_is_looked_at(self):
        self.assertGreater(len(list(layering.sources(ROOT, RULES["components"]))), 50)


class BadTreeTest(unittest.TestCase):
    """A small good tree, spoilt in one place a test."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for pure in RULES["pure"]:
            self.write(f"{pure}/core.h", "#pragma once\n#include <vector>\n")
        self.write("common/base/clock.h", "#pragma once\n")
        self.write("linkprobe/main.cc", '#include "common/base/clock.h"\n')
        self.write("tests/common/a_test.cc", "#include <gtest/gtest.h>\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def findings(self):
        return layering.Checker(self.root, RULES).run()

    def assert_found(self, name, text, message):
        self.write(name, text)
        found = self.findings()
        self.assertEqual(len(found), 1, found)
        self.assertIn(name, found[0])
        self.assertIn(message, found[0])

    def test_the_good_tree_is_good(self):
        self.assertEqual(self.findings(), [])

    def test_programs_do_not_include_each_other(self):
        self.assert_found("linkprobe/x.cc", '#include "extender/cost/core.h"\n',
                          "linkprobe/ must not include extender/cost/core.h")

    def test_common_includes_no_program(self):
        self.assert_found("common/base/x.cc", '#  include "linkprobe/x.h"\n',
                          "common/ must not include linkprobe/x.h")

    def test_includes_begin_at_the_root(self):
        self.assert_found("extender/x.cc", '#include "../common/base/clock.h"\n', "repository root")

    def test_a_core_includes_no_threads(self):
        self.assert_found("linkprobe/detect/x.cc", "#include <thread>\n", "must not include <thread>")

    def test_a_core_includes_no_json(self):
        self.assert_found("extender/gang/x.cc", "#include <nlohmann/json.hpp>\n", "nlohmann")

    def test_a_core_includes_no_adapter(self):
        self.assert_found("extender/cost/x.cc", '#include "extender/http/server.h"\n', "pure core")

    def test_a_core_includes_no_protobuf(self):
        self.assert_found("linkprobe/wire/x.cc", '#include "fairlead/v1/link.pb.h"\n', "pure core")

    def test_a_core_reads_no_clock(self):
        self.assert_found("extender/plan/x.cc", "auto t = std::chrono::steady_clock::now();\n",
                          "reads a clock")

    def test_a_core_reads_no_environment(self):
        self.assert_found("common/units/x.cc", 'auto p = std::getenv("PATH");\n', "environment")

    def test_a_core_prints_nothing(self):
        self.assert_found("common/geo/x.cc", 'std::printf("%d", 1);\n', "I/O")

    def test_comments_and_strings_are_not_code(self):
        self.write("common/geo/x.cc", '// calls now() and getenv\nconst char* k = "now()"; // printf(\n'
                                      'std::snprintf(b, n, "x");\n')
        self.assertEqual(self.findings(), [])

    def test_heavy_headers_stay_out_of_headers(self):
        self.assert_found("common/base/x.h", "#pragma once\n#include <grpcpp/grpcpp.h>\n", "belongs into a .cc")

    def test_headers_are_guarded(self):
        self.assert_found("common/base/x.h", "int x();\n", "#pragma once")

    def test_files_stay_short(self):
        self.assert_found("extender/http/x.cc", "int x;\n" * 501, "at most 500")

    def test_mains_stay_short(self):
        self.assert_found("linkprobe/main.cc", "int x;\n" * 151, "at most 150")

    def test_tests_stay_short(self):
        self.assert_found("tests/common/a_test.cc", "int x;\n" * 601, "at most 600")

    def test_a_pure_folder_that_is_gone_is_noticed(self):
        (self.root / "extender/plan/core.h").unlink()
        found = self.findings()
        self.assertEqual(len(found), 1, found)
        self.assertIn("extender/plan", found[0])


if __name__ == "__main__":
    unittest.main()
