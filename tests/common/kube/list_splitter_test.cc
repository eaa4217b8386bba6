#include "common/kube/list_splitter.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace fairlead::kube {
namespace {

struct Split {
  std::vector<std::string> items;
  std::vector<bool> whole;
  std::string metadata;
  std::string error;

  bool operator==(const Split&) const = default;
};

// Feeds the text in pieces of `piece` bytes.
Split SplitText(std::string_view text, std::size_t piece, std::size_t most = 1U << 20) {
  Split out;
  ListSplitter splitter(most, [&](std::string_view json, bool whole) {
    out.items.emplace_back(json);
    out.whole.push_back(whole);
  });
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (const Status status = splitter.Take(text.substr(at, piece)); !status) break;
  }
  const auto metadata = splitter.Finish();
  if (metadata) {
    out.metadata = *metadata;
  } else {
    out.error = metadata.error().message;
  }
  return out;
}

constexpr std::string_view kPods =
    R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"ab"},)"
    R"("items":[{"metadata":{"name":"a","labels":{"x":"]}\\\"{["}},"spec":{}},{"n":[1,[2,{}]]}]})"
    "\n";

TEST(ListSplitterTest, GivesEachItemAndTheMetadata) {
  const Split split = SplitText(kPods, kPods.size());
  EXPECT_EQ(split.error, "");
  EXPECT_EQ(split.metadata, R"({"resourceVersion":"7","continue":"ab"})");
  ASSERT_EQ(split.items.size(), 2U);
  EXPECT_EQ(split.items[0], R"({"metadata":{"name":"a","labels":{"x":"]}\\\"{["}},"spec":{}})");
  EXPECT_EQ(split.items[1], R"({"n":[1,[2,{}]]})");
}

TEST(ListSplitterTest, GivesTheSameHoweverTheBytesAreCut) {
  const Split whole = SplitText(kPods, kPods.size());
  for (std::size_t piece = 1; piece < kPods.size(); ++piece) {
    EXPECT_EQ(SplitText(kPods, piece), whole) << piece;
  }
}

TEST(ListSplitterTest, EveryBeginningOfAListIsRefused) {
  const std::string_view trimmed = kPods.substr(0, kPods.size() - 1);
  for (std::size_t size = 0; size < trimmed.size(); ++size) {
    EXPECT_NE(SplitText(trimmed.substr(0, size), 7).error, "") << size;
  }
}

struct Case {
  const char* name;
  std::string_view text;
  std::vector<std::string> items;
  std::string error;  // a part of it; empty: none
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class ListSplitterCases : public testing::TestWithParam<Case> {};

TEST_P(ListSplitterCases, AreSplitOrRefused) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    const Split split = SplitText(GetParam().text, piece);
    if (GetParam().error.empty()) {
      EXPECT_EQ(split.error, "");
      EXPECT_EQ(split.items, GetParam().items);
    } else {
      EXPECT_NE(split.error.find(GetParam().error), std::string::npos) << split.error;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ListSplitterCases,
    testing::Values(
        Case{"empty", R"({"items":[]})", {}, ""}, Case{"null", R"({"items":null})", {}, ""},
        Case{"spaces", " { \"items\" : [ {} , { } ] } \r\n", {"{}", "{ }"}, ""},
        Case{"metadata last", R"({"items":[{}],"metadata":{"a":1},"x":[2]})", {"{}"}, ""},
        Case{"items that are no objects",
             R"({"items":[1,"a,]",null,[{}],true]})",
             {"1", R"("a,]")", "null", "[{}]", "true"},
             ""},
        Case{"escapes",
             R"({"items":["\\","\"","a\\\""]})",
             {R"("\\")", R"("\"")", R"("a\\\"")"},
             ""},
        Case{"no text", "", {}, "ends before"}, Case{"html", "<html>", {}, "no JSON object"},
        Case{"array", "[]", {}, "no JSON object"}, Case{"no items", "{}", {}, "no items"},
        Case{"a status", R"({"kind":"Status","code":500})", {}, "no items"},
        Case{"items of another type", R"({"items":"x"})", {}, "no array"},
        Case{"items as object", R"({"items":{}})", {}, "no array"},
        Case{"items twice", R"({"items":[],"items":[]})", {}, "twice"},
        Case{"two documents", R"({"items":[]}{})", {}, "more follows"},
        Case{"no colon", R"({"items",[]})", {}, "no value"},
        Case{"no value", R"({"items":})", {}, "no value"},
        Case{"key is a number", R"({1:2})", {}, "no string"},
        Case{"array not closed", R"({"items":[{}})", {}, "does not end"}));

TEST(ListSplitterTest, AnItemBeyondTheLimitIsCutAndTheOthersAreNot) {
  const std::string text =
      R"({"items":[{"a":1},{"x":")" + std::string(5000, 'x') + R"("},{"b":2}],"metadata":{}})";
  for (const std::size_t piece : {std::size_t{64}, text.size()}) {
    const Split split = SplitText(text, piece, 100);
    EXPECT_EQ(split.error, "");
    ASSERT_EQ(split.items.size(), 3U);
    EXPECT_EQ(split.whole, (std::vector<bool>{true, false, true}));
    EXPECT_LE(split.items[1].size(), 100U);
    EXPECT_EQ(split.items[2], R"({"b":2})");
  }
}

TEST(ListSplitterTest, KeysAndMetadataAreBounded) {
  EXPECT_EQ(SplitText("{\"" + std::string(100'000, 'k') + R"(":1,"items":[]})", 999).error, "");
  EXPECT_NE(SplitText(R"({"items":[],"metadata":{"x":")" + std::string(70'000, 'k') + "\"}}", 999)
                .error.find("64 KiB"),
            std::string::npos);
}

TEST(ListSplitterTest, AnyBytesInAnyPiecesAreNeverMoreThanTheyWere) {
  std::mt19937_64 random(1);
  constexpr std::string_view kAlphabet = "{}[]\",:\\ aitems1\n";
  for (int round = 0; round < 3000; ++round) {
    std::string text = R"({"items":[)";
    for (std::size_t i = random() % 60; i > 0; --i) text += kAlphabet[random() % kAlphabet.size()];
    const Split by_one = SplitText(text, 1);
    EXPECT_EQ(SplitText(text, 1 + random() % 20), by_one) << text;
    std::size_t bytes = 0;
    for (const std::string& item : by_one.items) bytes += item.size();
    EXPECT_LE(bytes, text.size()) << text;
  }
}

}  // namespace
}  // namespace fairlead::kube
