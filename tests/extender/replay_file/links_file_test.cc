#include "extender/replay_file/links_file.h"

#include <gmock/gmock.h>

#include "tests/extender/replay_file/recorded_text.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;
using recorded::kBegin;
using recorded::Lab;
using recorded::Lines;
using recorded::Range;
using recorded::Snapshot;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Result<LinkTrace> Parse(const std::string& text) {
  return ParseLinks("links.jsonl", text, sample::Catalogue());
}

std::string ErrorOf(const std::string& text) {
  const auto trace = Parse(text);
  EXPECT_FALSE(trace);
  return trace ? "" : trace.error().message;
}

TEST(LinksFile, SnapshotsAreReadWithAllThatDecides) {
  const auto trace =
      Parse(Lines({Snapshot(kBegin, Lab()), Snapshot(kBegin + 5.25, Lab("Degraded", 0.09))}));
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->links.size(), 6U);
  EXPECT_EQ(trace->step, Milliseconds(5250));
  const LinkPoint& point = trace->links.at({"hk", "sg"})[1];
  EXPECT_EQ(point.state, LinkState::kDegraded);
  EXPECT_EQ(point.reason, LinkReason::kRttStep);
  EXPECT_EQ(point.quorum, 2U);
  EXPECT_EQ(point.agreeing, 2U);
  EXPECT_EQ(point.samples, 600U);
  EXPECT_EQ(point.age, Milliseconds(250));
  EXPECT_EQ(point.rtt_p50, Milliseconds(90));
  EXPECT_EQ(point.rtt_p99, Milliseconds(91));
  EXPECT_EQ(point.jitter_forward, std::chrono::microseconds(200));
  EXPECT_FALSE(point.jitter_reverse);
  EXPECT_EQ(point.loss_forward.lost, 3U);
  EXPECT_DOUBLE_EQ(point.loss_forward.lower, 0.0017);
  EXPECT_FALSE(point.loss_reverse.known());
  EXPECT_DOUBLE_EQ(*point.rate_bytes_per_second, 1.25e9);
  EXPECT_TRUE(point.rate_at_least);
  EXPECT_DOUBLE_EQ(point.port_loss->lower, 5e-6);
  EXPECT_FALSE(point.by_prometheus);
}

TEST(LinksFile, EmptyLinesAndAMissingLastLineBreakAreNothing) {
  std::string text =
      "\n" + Lines({Snapshot(kBegin, Lab())}) + "  \n" + Snapshot(kBegin + 5, Lab()).dump();
  EXPECT_TRUE(Parse(text));
}

TEST(LinksFile, HistoriesAreReadOnceHoweverOftenTheyOverlap) {
  const auto with_history = [](double at, int steps) {
    json answer = Snapshot(at, Lab());
    json& history = answer["links"][0]["history"] = json::array();
    for (int i = steps; i > 0; --i) {
      history.push_back({{"age_seconds", 5.0 * i},
                         {"rtt_p50_seconds", 0.04},
                         {"loss_forward_ratio", 0.01},
                         {"loss_reverse_ratio", nullptr},
                         {"state", i > 3 ? "Healthy" : "Degraded"}});
    }
    return answer;
  };
  const auto trace = Parse(Lines({with_history(kBegin + 100, 6), with_history(kBegin + 110.4, 6)}));
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->links.size(), 1U);
  const std::vector<LinkPoint>& points = trace->links.at({"hk", "sg"});
  ASSERT_EQ(points.size(), 8U);
  EXPECT_EQ(points[0].at, WallTime(Seconds(kBegin + 70)));
  EXPECT_EQ(points[7].at, WallTime(Milliseconds(1000LL * (kBegin + 105) + 400)));
  EXPECT_EQ(points[4].state, LinkState::kDegraded);
  EXPECT_EQ(points[4].quorum, 1U);
  EXPECT_EQ(points[4].loss_forward.lost, 6U);
}

TEST(LinksFile, ARangeIsReadWithWhatIsAssumed) {
  const auto trace =
      Parse(Range(3, [](int m) { return m == 1 ? Lab("Degraded", 0.09) : Lab(); }).dump(1));
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->step, Seconds(60));
  const std::vector<LinkPoint>& points = trace->links.at({"hk", "sg"});
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1].state, LinkState::kDegraded);
  EXPECT_EQ(points[1].reason, LinkReason::kRttStep);
  EXPECT_EQ(points[1].agreeing, 1U);
  EXPECT_EQ(points[1].rtt_p50, Milliseconds(90));
  EXPECT_EQ(points[1].age, Nanoseconds(0));
  EXPECT_EQ(points[2].state, LinkState::kHealthy);
}

TEST(LinksFile, RangesMayFollowEachOtherOrShareTheSeriesOut) {
  const auto lab = [](int) { return Lab(); };
  const auto two = Parse(Lines({Range(3, lab), Range(3, lab, kBegin + 180)}));
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(two->links.at({"hk", "sg"}).size(), 6U);
  json states = Range(3, lab);
  json others = states;
  auto& all = states["data"]["result"];
  auto& rest = others["data"]["result"];
  const auto is_state = [](const json& series) {
    return series["metric"]["__name__"] == "fairlead_extender_link_state";
  };
  all.erase(std::remove_if(all.begin(), all.end(), [&](const json& s) { return !is_state(s); }),
            all.end());
  rest.erase(std::remove_if(rest.begin(), rest.end(), is_state), rest.end());
  EXPECT_TRUE(Parse(Lines({states, others})));
  EXPECT_THAT(ErrorOf(Lines({others})),
              HasSubstr("no state is told by fairlead_extender_link_state"));
}

TEST(LinksFile, AValueOfALaterAnswerIsNamedWithItsLine) {
  const auto lab = [](int) { return Lab(); };
  json second = Range(3, lab, kBegin + 180);
  second["data"]["result"][5]["values"][0][1] = "36.2";
  EXPECT_THAT(ErrorOf(Lines({Range(3, lab), second})),
              StartsWith("links.jsonl:2: hk>sg at 2026-11-30T00:03:00Z: RTT p50 is 36.2 s"));
}

TEST(LinksFile, OfTwoReplicasThatDifferTheWorseStateCounts) {
  json range = Range(2, [](int) { return Lab(); });
  for (json& series : range["data"]["result"]) {
    if (series["metric"].value("state", "") == "Down") series["values"][1][1] = "1";
  }
  const auto trace = Parse(range.dump());
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->links.at({"hk", "sg"})[1].state, LinkState::kDown);
}

TEST(LinksFile, WhatIsCutOffIsNamedWithItsLine) {
  std::string text = Lines({Snapshot(kBegin, Lab()), Snapshot(kBegin + 5, Lab())});
  text.resize(text.size() - 40);
  EXPECT_THAT(ErrorOf(text), AllOf(StartsWith("links.jsonl:2: "), HasSubstr("cut off")));
  EXPECT_THAT(ErrorOf("nonsense\n" + text), StartsWith("links.jsonl:1: is no JSON"));
  EXPECT_THAT(ErrorOf("[]\n"), StartsWith("links.jsonl:1: is neither"));
}

TEST(LinksFile, NestingWithoutEndIsRefused) {
  const std::string deep(200'000, '[');
  const std::string closed = deep + std::string(200'000, ']');
  EXPECT_THAT(ErrorOf(deep), StartsWith("links.jsonl:1: is no JSON"));
  EXPECT_THAT(
      ErrorOf("{\"version\": 1, \"generated_at_unix_seconds\": 1795996800, \"links\": {\"a\": " +
              closed + "}}"),
      HasSubstr("links is an object, not a list"));
}

TEST(LinksFile, TooLittleIsNoRecording) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("holds no link"));
  EXPECT_THAT(ErrorOf(Lines({Snapshot(kBegin, {})})), HasSubstr("holds no link"));
  EXPECT_THAT(ErrorOf(Lines({Snapshot(kBegin, Lab())})), HasSubstr("at two moments"));
}

TEST(LinksFile, AQuarterOfAYearIsEnough) {
  const auto reach = [](double seconds) {
    return Lines({Snapshot(kBegin, Lab()), Snapshot(kBegin + 5, Lab()),
                  Snapshot(kBegin + 10, Lab()), Snapshot(kBegin + seconds, Lab())});
  };
  EXPECT_TRUE(Parse(reach(89.0 * 86400)));
  EXPECT_THAT(
      ErrorOf(reach(91.0 * 86400)),
      HasSubstr("from 2026-11-30T00:00:00Z to 2027-03-01T00:00:00Z, which is more than 90 days"));
}

TEST(LinksFile, CenturiesAreRefusedAsWell) {
  EXPECT_THAT(ErrorOf(Lines({Snapshot(kBegin, Lab()), Snapshot(7.2e9, Lab())})),
              HasSubstr("to 2198-02-27T08:00:00Z, which is more than 90 days"));
  json history = Snapshot(7.2e9, Lab());
  history["links"][0]["history"] = {{{"age_seconds", 8.9e9}, {"state", "Healthy"}},
                                    {{"age_seconds", 5}, {"state", "Healthy"}}};
  EXPECT_THAT(ErrorOf(history.dump()), HasSubstr("which is more than 90 days"));
}

TEST(LinksFile, PortsCountMoreThan32BitsHold) {
  json second = Snapshot(kBegin + 5, Lab());
  second["links"][0]["port_loss"]["sent"] = 5'000'000'000;
  const auto trace = Parse(Lines({Snapshot(kBegin, Lab()), second}));
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->links.at({"hk", "sg"})[1].port_loss->sent, 5'000'000'000U);
}

TEST(LinksFile, TheTwoKindsAreNotMixed) {
  const std::string text = Lines({Snapshot(kBegin, Lab()), Range(2, [](int) { return Lab(); })});
  EXPECT_THAT(ErrorOf(text), AllOf(StartsWith("links.jsonl:2: "), HasSubstr("other kind")));
}

struct Spoilt {
  const char* name;
  std::function<void(json&)> spoil;
  const char* said;
};

void PrintTo(const Spoilt& c, std::ostream* out) { *out << c.name; }

class SpoiltSnapshot : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltSnapshot, IsRefusedWithLineMemberAndValue) {
  json second = Snapshot(kBegin + 5, Lab());
  GetParam().spoil(second);
  EXPECT_THAT(ErrorOf(Lines({Snapshot(kBegin, Lab()), second})),
              AllOf(StartsWith("links.jsonl:2: "), HasSubstr(GetParam().said)));
}

INSTANTIATE_TEST_SUITE_P(
    Each, SpoiltSnapshot,
    testing::Values(
        Spoilt{"Version", [](json& d) { d["version"] = 2; }, "version is not 1"},
        Spoilt{"NoTime", [](json& d) { d.erase("generated_at_unix_seconds"); },
               "generated_at_unix_seconds is missing"},
        Spoilt{"TimeInMilliseconds",
               [](json& d) { d["generated_at_unix_seconds"] = kBegin * 1000.0; },
               "are these milliseconds?"},
        Spoilt{"Earlier", [](json& d) { d["generated_at_unix_seconds"] = kBegin - 5; },
               "sort the file by time"},
        Spoilt{"Twice", [](json& d) { d["generated_at_unix_seconds"] = kBegin; }, "told before"},
        Spoilt{"LinksOfText", [](json& d) { d["links"] = "none"; },
               "links is \"none\", not a list"},
        Spoilt{"LinkIsNone", [](json& d) { d["links"][1] = 7; }, "links[1].from is missing"},
        Spoilt{"NoSite", [](json& d) { d["links"][1].erase("to"); }, "links[1].to is missing"},
        Spoilt{"Site", [](json& d) { d["links"][1]["to"] = "\x1b[2J"; }, "links[1]: \"\\x1b[2J\""},
        Spoilt{"State", [](json& d) { d["links"][0]["state"] = "degraded"; },
               "links[0].state is \"degraded\", no word that is known"},
        Spoilt{"RttInMilliseconds", [](json& d) { d["links"][0]["rtt_seconds"]["p50"] = 36.2; },
               "RTT p50 is 36.2 s"},
        Spoilt{"RttOfText", [](json& d) { d["links"][0]["rtt_seconds"]["p50"] = "36ms"; },
               "links[0].rtt_seconds.p50 is \"36ms\", not a number"},
        Spoilt{"HugeAge", [](json& d) { d["links"][0]["age_seconds"] = 1e300; },
               "links[0].age_seconds cannot be: 1e+300"},
        Spoilt{"HalfASample", [](json& d) { d["links"][0]["samples"] = 0.5; },
               "links[0].samples is 0.5, no whole number"},
        Spoilt{"LossOfWrongBounds", [](json& d) { d["links"][0]["forward"]["loss_upper"] = 0.001; },
               "loss forward is from 0.0017 to 0.001; the lower bound comes first"},
        Spoilt{"Flag", [](json& d) { d["links"][0]["rate_at_least"] = 1; },
               "neither true nor false"},
        Spoilt{"ForwardIsAList", [](json& d) { d["links"][0]["forward"] = json::array(); },
               "links[0].forward is a list, not an object"}),
    [](const auto& tested) { return std::string(tested.param.name); });

class SpoiltRange : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltRange, IsRefusedWithSeriesAndValue) {
  json range = Range(3, [](int) { return Lab(); });
  GetParam().spoil(range);
  EXPECT_THAT(ErrorOf(range.dump()),
              AllOf(StartsWith("links.jsonl:1: "), HasSubstr(GetParam().said)));
}

// Of hk>sg: the five states, then the RTT.
json& SeriesOf(json& range, std::size_t i) { return range["data"]["result"][i]; }

INSTANTIATE_TEST_SUITE_P(
    Each, SpoiltRange,
    testing::Values(
        Spoilt{"Error",
               [](json& d) {
                 d = {{"status", "error"}, {"error", "too many points"}};
               },
               "Prometheus says \"too many points\""},
        Spoilt{"Vector", [](json& d) { d["data"]["resultType"] = "vector"; },
               "not a matrix; ask /api/v1/query_range"},
        Spoilt{"NoResult", [](json& d) { d["data"].erase("result"); }, "data.result is missing"},
        Spoilt{"NoSeries", [](json& d) { SeriesOf(d, 0) = 3; }, "something else than series"},
        Spoilt{"OtherMetric", [](json& d) { SeriesOf(d, 0)["metric"]["__name__"] = "up"; },
               "is no series of a link; ask for max by"},
        Spoilt{"NoSites", [](json& d) { SeriesOf(d, 0)["metric"].erase("src_site"); },
               "labels src_site and dst_site: \"\""},
        Spoilt{"TwoReplicas",
               [](json& d) {
                 json again = SeriesOf(d, 5);
                 again["metric"]["pod"] = "other";
                 d["data"]["result"].push_back(again);
               },
               "told twice, as by two replicas"},
        Spoilt{"TwoReplicasOfState", [](json& d) { d["data"]["result"].push_back(SeriesOf(d, 1)); },
               "fairlead_extender_link_state of hk>sg Healthy\" at 2026-11-30T00:00:00Z is told "
               "twice"},
        Spoilt{"StateOfTwo", [](json& d) { SeriesOf(d, 1)["values"][0][1] = "2"; },
               "neither 0 nor 1"},
        Spoilt{"StateOfNoName", [](json& d) { SeriesOf(d, 1)["metric"]["state"] = "Fine"; },
               "no state that is known"},
        Spoilt{"NoDirection",
               [](json& d) {
                 SeriesOf(d, 5)["metric"]["__name__"] = "fairlead_extender_link_loss_ratio";
                 SeriesOf(d, 5)["metric"]["direction"] = "sideways";
               },
               "of hk>sg sideways\" at 2026-11-30T00:00:00Z is of neither direction"},
        Spoilt{"Unsorted",
               [](json& d) { std::swap(SeriesOf(d, 1)["values"][0], SeriesOf(d, 1)["values"][1]); },
               "times do not rise"},
        Spoilt{"Twice", [](json& d) { SeriesOf(d, 1)["values"][1][0] = kBegin; }, "told before"},
        Spoilt{"Milliseconds", [](json& d) { SeriesOf(d, 1)["values"][1][0] = kBegin * 1000.0; },
               "are these milliseconds?"},
        Spoilt{"NoPair", [](json& d) { SeriesOf(d, 1)["values"][1] = "1"; },
               "no pair of time and text"},
        Spoilt{"RttInMilliseconds", [](json& d) { SeriesOf(d, 5)["values"][2][1] = "36.2"; },
               "hk>sg at 2026-11-30T00:02:00Z: RTT p50 is 36.2 s"},
        Spoilt{"RttOfText", [](json& d) { SeriesOf(d, 5)["values"][2][1] = "fast"; }, "fast"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace fairlead::extender
