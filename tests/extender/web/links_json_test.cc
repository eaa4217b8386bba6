#include "extender/web/links_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/link/loss_interval.h"
#include "extender/web/explanation.h"
#include "extender/web/links_page.h"
#include "extender/web/migrations_page.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

const MonotonicTime kNow = MonotonicTime{} + Seconds(1000);

LinkSnapshot OneLink() {
  LinkView link;
  link.key = {.from_site = "hk", .to_site = "s\"<g>"};
  link.state = LinkState::kDegraded;
  link.reason = LinkReason::kLossForward;
  link.evidence = "50 of 1000 lost \xff";
  link.rung = TransportRung::kRdmaUdSw;
  link.rtt_p50 = Milliseconds(36);
  link.samples = 950;
  link.forward.loss = MakeLossInterval(50, 1000);
  link.forward.hops = 4;
  link.floor_rtt = Milliseconds(25);
  link.path_stretch = 1.44;
  link.contributors = {{.node = "n1", .peer_node = "n3", .measures = true}};
  LinkSnapshot snapshot;
  snapshot.links = {link};
  snapshot.histories = {std::make_shared<const std::vector<LinkHistoryPoint>>(
      std::vector<LinkHistoryPoint>{{.at = kNow - Seconds(5),
                                     .rtt_p50 = Milliseconds(35),
                                     .loss_forward = 0.05,
                                     .loss_reverse = std::nullopt,
                                     .state = LinkState::kSuspect}})};
  snapshot.bad_nodes = {{.node = "n9", .site = "hk", .evidence = "all bad"}};
  return snapshot;
}

json Write(const LinkSnapshot& links, const std::optional<LinkKey>& history_of = std::nullopt) {
  const RegistryStatus status{.connected = {{"hk", 2}}, .plan_revision = 7};
  return json::parse(
      WriteLinksJson(links, status, history_of, kNow, WallTime{} + Seconds(1'700'000'000)));
}

TEST(LinksJson, TellsWhatIsKnown) {
  const json all = Write(OneLink());
  EXPECT_EQ(all["version"], 1);
  EXPECT_EQ(all["generated_at_unix_seconds"], 1'700'000'000);
  EXPECT_EQ(all["sites"], json({"hk", "s\"<g>"}));
  EXPECT_EQ(all["probes"]["hk"], 2);
  EXPECT_EQ(all["plan_revision"], 7);
  EXPECT_EQ(all["bad_nodes"][0]["node"], "n9");
  const json& link = all["links"][0];
  EXPECT_EQ(link["to"], "s\"<g>");
  EXPECT_EQ(link["state"], "Degraded");
  EXPECT_EQ(link["reason"], "loss_forward");
  EXPECT_EQ(link["evidence"], "50 of 1000 lost \xef\xbf\xbd");
  EXPECT_EQ(link["rung"], "rdma_ud_sw");
  EXPECT_DOUBLE_EQ(link["rtt_seconds"]["p50"], 0.036);
  EXPECT_DOUBLE_EQ(link["forward"]["loss_ratio"], 0.05);
  EXPECT_EQ(link["forward"]["hops"], 4);
  EXPECT_DOUBLE_EQ(link["path_stretch"], 1.44);
  EXPECT_EQ(link["contributors"][0]["peer_node"], "n3");
}

TEST(LinksJson, WhatIsNotKnownIsNullNeverZero) {
  const json link = Write(OneLink())["links"][0];
  for (const char* key :
       {"state_age_seconds", "age_seconds", "before_test_seconds", "capacity_bytes_per_second"}) {
    EXPECT_TRUE(link[key].is_null()) << key;
  }
  EXPECT_TRUE(link["rtt_seconds"]["min"].is_null());
  EXPECT_TRUE(link["reverse"]["loss_ratio"].is_null()) << "nothing was sent";
  EXPECT_TRUE(link["reverse"]["hops"].is_null());
}

TEST(LinksJson, UseComesWithItsSourceAgeAndDoubt) {
  LinkSnapshot links = OneLink();
  const json unknown = Write(links)["links"][0];
  for (const char* key :
       {"used_bytes_per_second", "used_source", "used_age_seconds", "declared_doubt"}) {
    EXPECT_TRUE(unknown.contains(key) && unknown[key].is_null()) << key;
  }
  EXPECT_EQ(unknown["used_nodes"], 0);
  links.links[0].used = LineUse{.bytes_per_second = 5e6, .nodes = 3, .age = Seconds(4)};
  links.links[0].declared_doubt = DeclaredRateDoubt::kExceeded;
  const json link = Write(links)["links"][0];
  EXPECT_EQ(link["used_bytes_per_second"], 5e6);
  EXPECT_EQ(link["used_source"], "passive");
  EXPECT_EQ(link["used_age_seconds"], 4);
  EXPECT_EQ(link["used_nodes"], 3);
  EXPECT_EQ(link["declared_doubt"], "exceeded");
}

TEST(LinksJson, LossOfPortsComesWithWhoseItIs) {
  LinkSnapshot links = OneLink();
  const json unknown = Write(links)["links"][0];
  EXPECT_TRUE(unknown.contains("port_loss") && unknown["port_loss"].is_null());
  EXPECT_EQ(unknown["lossy_ports"], json::array());
  const LossInterval loss{.lost = 3, .sent = 12, .ratio = 0.25, .lower = 0.125, .upper = 0.5};
  links.links[0].port_loss =
      LineLoss{.interval = loss, .ports = 4, .age = Seconds(6), .counts = true};
  links.links[0].lossy_ports = {{.node = "n1",
                                 .loss = {.device = "mlx5_0",
                                          .port = 2,
                                          .receive = true,
                                          .interval = loss,
                                          .transport = true,
                                          .disagree = true,
                                          .age = Seconds(5)}}};
  const json link = Write(links)["links"][0];
  EXPECT_EQ(link["port_loss"], json({{"sent", 12},
                                     {"lost", 3},
                                     {"loss_ratio", 0.25},
                                     {"loss_lower", 0.125},
                                     {"loss_upper", 0.5},
                                     {"ports", 4},
                                     {"age_seconds", 6},
                                     {"counts", true}}));
  EXPECT_EQ(link["lossy_ports"], json::array({{{"node", "n1"},
                                               {"device", "mlx5_0"},
                                               {"port", 2},
                                               {"direction", "receive"},
                                               {"sent", 12},
                                               {"lost", 3},
                                               {"loss_ratio", 0.25},
                                               {"loss_lower", 0.125},
                                               {"loss_upper", 0.5},
                                               {"source", "transport"},
                                               {"disagree", true},
                                               {"age_seconds", 5}}}));
}

TEST(LinksJson, RateAndTestsComeWithSourceAndAge) {
  LinkSnapshot links = OneLink();
  links.links[0].key.to_site = "sg";
  LinkView& view = links.links[0];
  const json unknown = Write(links)["links"][0];
  for (const char* key : {"rate_bytes_per_second", "rate_source", "rate_age_seconds"}) {
    EXPECT_TRUE(unknown.contains(key) && unknown[key].is_null()) << key;
  }
  EXPECT_EQ(unknown["tests"], json::array());
  EXPECT_TRUE(unknown["test_wait"]["train"].is_null());
  const CapacityTest test{.source = RateSource::kTrain,
                          .bytes_per_second = 12.5e6,
                          .age = Seconds(90),
                          .at_least = true};
  view.tests = {test};
  view.rate = LineRate{.bytes_per_second = 12.5e6,
                       .source = RateSource::kTrain,
                       .age = Seconds(90),
                       .at_least = true};
  view.available_bytes_per_second = 7.5e6;
  view.available_at_least = true;
  RegistryStatus status;
  status.leases.waits[{view.key, LeaseKind::kTrain}] = LeaseWait::kGang;
  const json link =
      json::parse(WriteLinksJson(links, status, std::nullopt, kNow, WallTime{}))["links"][0];
  EXPECT_EQ(link["rate_bytes_per_second"], 12.5e6);
  EXPECT_EQ(link["rate_source"], "train");
  EXPECT_EQ(link["rate_age_seconds"], 90);
  EXPECT_EQ(link["rate_at_least"], true);
  EXPECT_EQ(link["available_at_least"], true);
  EXPECT_EQ(link["tests"][0]["bytes_per_second"], 12.5e6);
  EXPECT_EQ(link["test_wait"]["train"], "gang");
  EXPECT_TRUE(link["test_wait"]["saturation"].is_null());
}

TEST(LinksJson, HistoryComesWithTheLinkThatWasAskedFor) {
  EXPECT_FALSE(Write(OneLink())["links"][0].contains("history"));
  const LinkKey other{.from_site = "x", .to_site = "y"};
  EXPECT_FALSE(Write(OneLink(), other)["links"][0].contains("history"));
  const json point = Write(OneLink(), OneLink().links[0].key)["links"][0]["history"][0];
  EXPECT_EQ(point["age_seconds"], 5);
  EXPECT_DOUBLE_EQ(point["rtt_p50_seconds"], 0.035);
  EXPECT_TRUE(point["loss_reverse_ratio"].is_null());
  EXPECT_EQ(point["state"], "Suspect");
}

TEST(LinksJson, NothingKnownIsStillADocument) {
  const json all = Write(LinkSnapshot{});
  EXPECT_EQ(all["links"], json::array());
  EXPECT_EQ(all["sites"], json::array());
}

DecisionList OneDecision() {
  DecisionRecord record;
  record.number = 3;
  record.verb = "prioritize";
  record.pod = "ml/<b>\n";
  record.gang = "job ml/train";
  record.gang_size = 4;
  record.members = {{"hk", 2}};
  record.offered_nodes = 9;
  record.nodes_without_site = 1;
  record.sites = {{.site = "hk",
                   .offered_nodes = 2,
                   .score = 10,
                   .refused = false,
                   .seconds = 0.5,
                   .placement = {{"hk", 3}},
                   .sentence = "13 ms a step"},
                  {.site = "tyo",
                   .offered_nodes = 1,
                   .score = std::nullopt,
                   .refused = true,
                   .seconds = std::nullopt,
                   .placement = {},
                   .sentence = "line down"}};
  record.assumed_node = "hk1";
  record.notes = {"an annotation was ignored"};
  return {std::make_shared<const DecisionRecord>(record)};
}

TEST(Explanation, AsJson) {
  const json all = json::parse(WriteExplanationJson(OneDecision(), {}));
  const json& decision = all["decisions"][0];
  EXPECT_EQ(decision["pod"], "ml/<b>\n");
  EXPECT_EQ(decision["gang_size"], 4);
  EXPECT_EQ(decision["members"], json({{{"site", "hk"}, {"members", 2}}}));
  EXPECT_EQ(decision["sites"][0]["score"], 10);
  EXPECT_EQ(decision["sites"][0]["sentence"], "13 ms a step");
  EXPECT_TRUE(decision["sites"][1]["score"].is_null());
  EXPECT_EQ(decision["sites"][1]["refused"], true);
  EXPECT_EQ(decision["notes"][0], "an annotation was ignored");
}

TEST(Explanation, AsText) {
  EXPECT_EQ(WriteExplanationText(OneDecision(), {}, WallTime{} + Seconds(2)),
            "#3 prioritize of pod \"ml/<b>\\x0a\", 2 s ago, 9 nodes offered\n"
            "  gang \"job ml/train\" of 4; placed so far: 2 in hk\n"
            "  hk: 13 ms a step\n"
            "  tyo: refused: line down\n"
            "  1 node is of no known site\n"
            "  assumed to go to \"hk1\"\n"
            "  note: an annotation was ignored\n");
  EXPECT_EQ(WriteExplanationText({}, {}, {}), "No scheduler has asked yet.\n");
}

TEST(Explanation, CountsAndAgesAsPeopleDo) {
  const struct {
    std::uint32_t nodes;
    Nanoseconds age;
    std::string_view line;
  } kCases[] = {
      {0, Milliseconds(300), "#1 filter of pod \"ml/a\", <1 s ago, 0 nodes offered\n"},
      {1, Seconds(45), "#1 filter of pod \"ml/a\", 45 s ago, 1 node offered\n"},
      {2, Milliseconds(181'920), "#1 filter of pod \"ml/a\", 3 min ago, 2 nodes offered\n"},
  };
  for (const auto& c : kCases) {
    DecisionRecord record;
    record.number = 1;
    record.verb = "filter";
    record.pod = "ml/a";
    record.offered_nodes = c.nodes;
    record.nodes_without_site = c.nodes;
    const std::string text = WriteExplanationText({std::make_shared<const DecisionRecord>(record)},
                                                  {}, record.at + c.age);
    EXPECT_TRUE(text.starts_with(c.line)) << text;
    EXPECT_EQ(text.find("2 nodes are of no known site") != std::string::npos, c.nodes == 2) << text;
  }
}

TEST(Pages, AreEmbeddedWholeAndAskNobodyElse) {
  for (const std::string_view page : {LinksPage(), MigrationsPage()}) {
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_NE(page.find("function keepUpdated("), std::string_view::npos);
    EXPECT_NE(page.find("color-scheme: light dark;"), std::string_view::npos);
    EXPECT_EQ(page.find("https:"), std::string_view::npos);
    EXPECT_EQ(page.find("innerHTML"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace fairlead::extender
