// Recordings as files have them.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fairlead::extender::recorded {

using nlohmann::json;

inline constexpr int kBegin = 1'795'996'800;  // 2026-11-30T00:00:00Z

struct Told {
  std::string from;
  std::string to;
  std::string state = "Healthy";
  double p50 = 0.036;
};
using Links = std::vector<Told>;

// Both directions of hk-sg, hk-tyo and sg-tyo.
inline Links Lab(const std::string& hk_sg = "Healthy", double hk_sg_p50 = 0.036) {
  return {{"hk", "sg", hk_sg, hk_sg_p50},  {"sg", "hk", hk_sg, hk_sg_p50},
          {"hk", "tyo", "Healthy", 0.050}, {"tyo", "hk", "Healthy", 0.050},
          {"sg", "tyo", "Healthy", 0.068}, {"tyo", "sg", "Healthy", 0.068}};
}

// An answer of GET /links.json.
inline json Snapshot(double unix_seconds, const Links& links) {
  json answer{
      {"version", 1}, {"generated_at_unix_seconds", unix_seconds}, {"links", json::array()}};
  for (const Told& link : links) {
    const bool well = link.state == "Healthy";
    answer["links"].push_back(
        {{"from", link.from},
         {"to", link.to},
         {"state", link.state},
         {"reason", well ? "none" : "rtt_step"},
         {"state_age_seconds", nullptr},
         {"quorum", 2},
         {"agreeing", well ? 0 : 2},
         {"samples", 600},
         {"age_seconds", 0.25},
         {"rung", "rdma_ud_hw"},
         {"rtt_seconds", {{"min", link.p50}, {"p50", link.p50}, {"p99", link.p50 + 0.001}}},
         {"forward",
          {{"sent", 600},
           {"lost", 3},
           {"loss_ratio", 0.005},
           {"loss_lower", 0.0017},
           {"loss_upper", 0.0146},
           {"jitter_seconds", 0.0002}}},
         {"rate_bytes_per_second", 1.25e9},
         {"rate_at_least", true},
         {"port_loss",
          {{"loss_ratio", 1e-5}, {"loss_lower", 5e-6}, {"loss_upper", 2e-5}, {"counts", true}}}});
  }
  return answer;
}

// One a line.
inline std::string Lines(const std::vector<json>& documents) {
  std::string text;
  for (const json& document : documents) text += document.dump() + "\n";
  return text;
}

// A Prometheus' answer to a range query with so many moments a minute apart; `links`: what is told
// at each.
inline json Range(int moments, const std::function<Links(int)>& links, int begin = kBegin) {
  json result = json::array();
  const auto series = [&](json labels, int index, const auto& value) {
    json values = json::array();
    for (int m = 0; m < moments; ++m) {
      const Links told = links(m);
      values.push_back({begin + 60 * m, value(told[static_cast<std::size_t>(index)])});
    }
    result.push_back({{"metric", std::move(labels)}, {"values", std::move(values)}});
  };
  const Links first = links(0);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const json of_link{{"src_site", first[i].from}, {"dst_site", first[i].to}};
    const int index = static_cast<int>(i);
    for (const char* state : {"Unknown", "Healthy", "Suspect", "Degraded", "Down"}) {
      json labels = of_link;
      labels["__name__"] = "fairlead_extender_link_state";
      labels["state"] = state;
      series(labels, index,
             [&](const Told& told) { return std::string(told.state == state ? "1" : "0"); });
    }
    json labels = of_link;
    labels["__name__"] = "fairlead_extender_link_rtt_p50_seconds";
    series(labels, index, [](const Told& told) { return std::to_string(told.p50); });
  }
  return {{"status", "success"}, {"data", {{"resultType", "matrix"}, {"result", result}}}};
}

}  // namespace fairlead::extender::recorded
