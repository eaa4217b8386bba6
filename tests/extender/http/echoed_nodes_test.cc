// What a filter request's nodes may hold, since the answer repeats them as they came.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/extender/http/scheduler_server.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

// A request that offers n1 with this JSON in a field that nobody here reads.
std::string BodyWith(const std::string& value) {
  return R"({"Pod":{"metadata":{"name":"p","uid":"u"}},"Nodes":{"metadata":{},"items":[)"
         R"({"metadata":{"name":"n1"},"status":{"odd":)" +
         value + R"(}},{"metadata":{"name":"n3"}}]}})";
}

struct Piece {
  const char* name;
  std::string value;
};

class EchoedNode : public testing::TestWithParam<Piece> {};

TEST_P(EchoedNode, ThatIsNoJsonIsRefused) {
  SchedulerServer server;
  const auto answer = server.Post("/kube/filter", BodyWith(GetParam().value));
  EXPECT_EQ(answer.status, 400) << answer.body;
  ASSERT_FALSE(server.faults().empty());
  EXPECT_TRUE(server.faults().back() == "not_json" || server.faults().back() == "not_utf8" ||
              server.faults().back() == "truncated")
      << server.faults().back();
}

INSTANTIATE_TEST_SUITE_P(
    Pieces, EchoedNode,
    testing::Values(Piece{"nan", "NaN"}, Piece{"infinity", "-Infinity"}, Piece{"word", "yes"},
                    Piece{"plus", "+1"}, Piece{"leading_zero", "01"}, Piece{"bare_dot", "1."},
                    Piece{"hexadecimal", "0x10"}, Piece{"single_quotes", "'a'"},
                    Piece{"bad_escape", R"("\q")"}, Piece{"short_unicode_escape", R"("\u12")"},
                    Piece{"lone_surrogate", R"("\ud800")"}, Piece{"control_character", "\"\x01\""},
                    Piece{"line_break_in_text", "\"a\nb\""}, Piece{"not_utf8", "\"\xff\""},
                    Piece{"overlong_utf8", "\"\xc0\xaf\""}, Piece{"cut_utf8", "\"\xe2\x82\""},
                    Piece{"trailing_comma_in_array", "[1,]"},
                    Piece{"trailing_comma_in_object", R"({"a":1,})"},
                    Piece{"leading_comma", "[,1]"}, Piece{"two_commas", "[1,,2]"},
                    Piece{"no_comma", "[1 2]"}, Piece{"no_colon", R"({"a" 1})"},
                    Piece{"key_without_quotes", "{a:1}"}, Piece{"number_as_key", "{1:2}"},
                    Piece{"comment", "/* */ 1"}, Piece{"nothing", ""}, Piece{"two_values", "1 2"},
                    Piece{"mismatched", "[}"},
                    Piece{"nested_beyond_reason", std::string(5000, '[') + std::string(5000, ']')}),
    [](const auto& param) { return param.param.name; });

class SoundNode : public testing::TestWithParam<Piece> {};

TEST_P(SoundNode, ComesBackAsItWas) {
  SchedulerServer server;
  const auto answer = server.Post("/kube/filter", BodyWith(GetParam().value));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_NE(answer.body.find("\"odd\":" + GetParam().value), std::string::npos) << answer.body;
  EXPECT_EQ(json::parse(answer.body).at("Nodes").at("items").size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Pieces, SoundNode,
    testing::Values(Piece{"doubled_key", R"({"a":1,"a":2})"}, Piece{"empty_key", R"({"":1})"},
                    Piece{"escapes", R"("\u0000\ud83d\ude00\"\\\/\b\f\n\r\t")"},
                    Piece{"numbers", "[0,-0,1e9,-1.5E-3,18446744073709551615,1e300]"},
                    Piece{"spaces", " [ 1 , {\t} \r\n]"},
                    Piece{"unicode", "\"\xe2\x82\xac \xf0\x9f\x98\x80\""},
                    Piece{"nested", std::string(500, '[') + std::string(500, ']')}),
    [](const auto& param) { return param.param.name; });

TEST(EchoedNodes, TheListsMetadataIsCheckedToo) {
  SchedulerServer server;
  const auto answer = server.Post(
      "/kube/filter",
      R"({"Nodes":{"metadata":{"resourceVersion":"7","x":NaN},"items":[{"metadata":{"name":"n1"}}]}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.body.find("Nodes.metadata"), std::string::npos) << answer.body;
}

TEST(EchoedNodes, AnOutsizedNodeIsRefused) {
  SchedulerServer server;
  const auto answer =
      server.Post("/kube/filter", BodyWith("\"" + std::string(9U << 20, 'x') + "\""));
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(server.faults().back(), "too_long");
}

TEST(EchoedNodes, WhatIsNotRepeatedIsSkippedAsEver) {
  SchedulerServer server;
  EXPECT_EQ(server.Post("/kube/prioritize", BodyWith("NaN")).status, 200);
  EXPECT_EQ(server.Post("/kube/filter", R"({"NodeNames":["n1"],"Other":NaN})").status, 200);
}

}  // namespace
}  // namespace fairlead::extender
