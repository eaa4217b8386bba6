// Windows made of an extender's answers.
#include "linkprobe/record/told_windows.h"

#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "linkprobe/record/comparison.h"
#include "linkprobe/record_file/links_answer.h"
#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const WallTime kWall{Seconds(1'800'000'000)};

json DirectionJson(std::uint64_t lost) {
  return {{"sent", 600},
          {"lost", lost},
          {"loss_ratio", 0.0},
          {"jitter_seconds", 0.001},
          {"pdv_seconds", 0.004}};
}

// As docs/links-json.md has it, with what is not read left out.
json LinkJson() {
  return {{"from", "hk"},
          {"to", "sg"},
          {"state", "Healthy"},
          {"rung", "rdma_ud_sw"},
          {"samples", 590},
          {"age_seconds", 0.4},
          {"rtt_seconds", {{"min", 0.0361}, {"p50", 0.0365}, {"p99", 0.0398}}},
          {"before_test_seconds", nullptr},
          {"forward", DirectionJson(6)},
          {"reverse", DirectionJson(3)},
          {"lost_direction_unknown", 1},
          {"tests",
           {{{"source", "train"},
             {"bytes_per_second", 1.25e9},
             {"age_seconds", 30.0},
             {"at_least", false}}}}};
}

std::string Answer(const json& links) { return json{{"version", 1}, {"links", links}}.dump(); }

ToldLink Told(const std::function<void(json&)>& change = [](json&) {}) {
  json link = LinkJson();
  change(link);
  const auto links = ReadLinksAnswer(Answer(json::array({link})));
  EXPECT_TRUE(links) << links.error().message;
  return links ? links->at(0) : ToldLink{};
}

TEST(LinksAnswerTest, ReadsWhatIsRecorded) {
  const ToldLink link = Told();
  EXPECT_EQ(link.from, "hk");
  EXPECT_EQ(link.to, "sg");
  EXPECT_EQ(link.rung, TransportRung::kRdmaUdSw);
  EXPECT_EQ(link.samples, 590U);
  EXPECT_EQ(link.age, Nanoseconds(Milliseconds(400)));
  EXPECT_EQ(link.rtt_p50, Nanoseconds(36'500'000));
  EXPECT_EQ(link.forward.sent, 600U);
  EXPECT_EQ(link.forward.lost, 6U);
  EXPECT_EQ(link.reverse.jitter, Nanoseconds(Milliseconds(1)));
  EXPECT_EQ(link.reverse.delay_variation, Nanoseconds(Milliseconds(4)));
  EXPECT_EQ(link.lost_unknown, 1U);
  EXPECT_FALSE(link.tested);
  ASSERT_EQ(link.tests.size(), 1U);
  EXPECT_EQ(link.tests[0].source, "train");
  EXPECT_TRUE(Told([](json& of) { of["before_test_seconds"] = 4.5; }).tested);
}

TEST(LinksAnswerTest, ALinkThatNobodyMeasuresHasNoValues) {
  const ToldLink link = Told([](json& of) {
    of["rung"] = of["age_seconds"] = nullptr;
    of["rtt_seconds"] = {{"min", nullptr}, {"p50", nullptr}, {"p99", nullptr}};
    of["samples"] = 0;
    of["tests"] = json::array();
  });
  EXPECT_FALSE(link.rung);
  EXPECT_FALSE(link.rtt_p50);
}

TEST(LinksAnswerTest, WhatIsNoneIsRefusedByName) {
  struct Case {
    std::string body;
    const char* said;
  };
  const auto with = [](const char* name, const json& value) {
    json link = LinkJson();
    link[name] = value;
    return Answer(json::array({LinkJson(), link}));
  };
  const Case cases[] = {
      {"<!doctype html>", "is no JSON; is it an extender's httpListen?"},
      {"", "is no JSON"},
      {"[]", "is no JSON object"},
      {R"({"version": 2, "links": []})", "version 2"},
      {R"({"version": 1})", "has no links"},
      {R"({"version": 1, "links": {}})", "links is no array"},
      {Answer(json::array({3})), "links[0]: is no JSON object"},
      {with("from", 3), "links[1]: from is no text"},
      {with("rung", "smoke"), "links[1]: rung \"smoke\" is not known"},
      {with("samples", -1), "links[1]: samples is no count"},
      {with("age_seconds", 1e300), "links[1]: age_seconds is out of range"},
      {with("rtt_seconds", nullptr), "links[1]: has no rtt_seconds"},
      {with("forward", {{"sent", 1.5}}), "links[1]: sent is no count"},
      {with("tests", {{"source", "x"}}), "links[1]: tests is no array"},
  };
  for (const Case& each : cases) {
    const auto links = ReadLinksAnswer(each.body);
    ASSERT_FALSE(links) << each.body;
    EXPECT_THAT(links.error().message, HasSubstr(each.said));
  }
}

// Whatever is cut off or changed of an answer: it is read or refused.
TEST(LinksAnswerTest, SpoiltAnswersHarmNothing) {
  const std::string whole = Answer(json::array({LinkJson(), LinkJson()}));
  for (std::size_t i = 0; i < whole.size(); i += 3) {
    EXPECT_FALSE(ReadLinksAnswer(whole.substr(0, i)));
    for (const char byte : {'"', '9', '}', '\0', '\xff'}) {
      std::string spoilt = whole;
      spoilt[i] = byte;
      (void)ReadLinksAnswer(spoilt);
    }
  }
}

TEST(ToldWindowsTest, EachAnswerButTheFirstEndsAWindow) {
  ToldWindows windows(Seconds(60));
  EXPECT_TRUE(windows.Observe({Told()}, Seconds(0), kWall).empty());
  const auto cut = windows.Observe({Told()}, Seconds(60), kWall + Seconds(60));
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut[0].line, "hk > sg");
  EXPECT_EQ(cut[0].begin, Nanoseconds(0));
  EXPECT_EQ(cut[0].end, Nanoseconds(Seconds(60)));
  EXPECT_EQ(cut[0].wall_end, kWall + Seconds(60));
  EXPECT_EQ(cut[0].rung, TransportRung::kRdmaUdSw);
  EXPECT_EQ(cut[0].samples, 590U);
  EXPECT_EQ(cut[0].rtt_p99, Nanoseconds(39'800'000));
  EXPECT_EQ(cut[0].forward.lost, 6U);
  EXPECT_EQ(cut[0].lost_unknown, 1U);
  ASSERT_TRUE(cut[0].bandwidth) << "tested 30 s ago";
  EXPECT_EQ(cut[0].bandwidth->bits_per_second, 1e10);
}

TEST(ToldWindowsTest, AnAnswerThatDidNotComeLeavesAGap) {
  ToldWindows windows(Seconds(60));
  windows.Observe({Told()}, Seconds(0), kWall);
  const auto cut = windows.Observe({Told()}, Seconds(180), kWall);
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut[0].begin, Nanoseconds(Seconds(120)));
}

TEST(ToldWindowsTest, WhatIsNotMeasuredNowHasNoWindow) {
  ToldWindows windows(Seconds(60));
  const auto one = [&](int minute, const std::function<void(json&)>& change) {
    return windows.Observe({Told(change)}, Seconds(60 * minute), kWall).size();
  };
  const auto as_it_is = [](json&) {};
  EXPECT_EQ(one(0, as_it_is), 0U);
  EXPECT_EQ(one(1, [](json& of) { of["rung"] = nullptr; }), 0U);
  EXPECT_EQ(one(2, [](json& of) { of["age_seconds"] = 60.5; }), 0U) << "from before this window";
  EXPECT_EQ(one(3, [](json& of) { of["age_seconds"] = nullptr; }), 0U);
  EXPECT_EQ(one(4, [](json& of) { of["to"] = "hk"; }), 0U) << "the inside of a site";
  EXPECT_EQ(one(5, as_it_is), 1U);
}

TEST(ToldWindowsTest, ATestIsToldInOneWindowAndShapesThoseThatSayso) {
  ToldWindows windows(Seconds(60));
  const auto one = [&](int minute, double age, const json& before) {
    return windows.Observe({Told([&](json& of) {
                             of["tests"][0]["age_seconds"] = age;
                             of["tests"][0]["at_least"] = true;
                             of["before_test_seconds"] = before;
                           })},
                           Seconds(60 * minute), kWall);
  };
  one(0, 3600, nullptr);
  EXPECT_FALSE(one(1, 3660, nullptr).at(0).bandwidth) << "known before";
  const LineWindow tested = one(2, 5, 5.0).at(0);
  EXPECT_TRUE(tested.tested);
  EXPECT_EQ(tested.bandwidth->source, "train_at_least");
  const LineWindow after = one(3, 65, nullptr).at(0);
  EXPECT_FALSE(after.tested);
  EXPECT_FALSE(after.bandwidth) << "once";
}

TEST(ToldWindowsTest, RecordingsOfAnExtenderCompare) {
  const auto record = [](double rtt_seconds) {
    RecordingFacts facts = MakeFacts();
    facts.source = kByExtender;
    facts.window = Seconds(60);
    RecordingBuilder builder(facts);
    ToldWindows windows(facts.window);
    for (int minute = 0; minute <= 20; ++minute) {
      const ToldLink link =
          Told([&](json& of) { of["rtt_seconds"]["p50"] = rtt_seconds + 1e-6 * (minute % 3); });
      for (const LineWindow& window : windows.Observe({link}, Seconds(60 * minute), kWall)) {
        builder.Add(window);
      }
    }
    builder.NoteEnd();
    return builder.Take();
  };
  const Recording before = record(0.0365);
  EXPECT_EQ(before.passed_over.Total(), 0U);
  const Comparison comparison = Compare(before, record(0.0385), {});
  ASSERT_EQ(comparison.lines.size(), 1U);
  EXPECT_EQ(comparison.lines[0].values[0].value, LineValue::kRttP50);
  EXPECT_EQ(comparison.lines[0].values[0].verdict, Verdict::kWorse);
}

}  // namespace
}  // namespace fairlead::linkprobe
