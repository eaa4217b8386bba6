// `extender.prometheus`: lines that something else measures already.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"

namespace fairlead {

// What a query tells of a line: seconds of a round trip, the share of packets lost on the way, or
// how much of its capacity is in use as a share of it.
enum class PrometheusValue { kRtt, kLoss, kUtilisation };

// The word of the configuration: "rtt", "loss", "utilisation".
constexpr std::string_view PrometheusValueName(PrometheusValue value) {
  switch (value) {
    case PrometheusValue::kRtt:
      return "rtt";
    case PrometheusValue::kLoss:
      return "loss";
    case PrometheusValue::kUtilisation:
      return "utilisation";
  }
  return "";
}

// One instant query. Either every series names its line in two labels, or all of them are of one
// line.
struct PrometheusQuery {
  std::string name;  // for people and metrics; each once
  PrometheusValue value = PrometheusValue::kRtt;
  std::string query;
  std::string from_label;
  std::string to_label;
  std::string from_site;
  std::string to_site;

  bool operator==(const PrometheusQuery&) const = default;
};

struct PrometheusConfig {
  std::string url;  // https://host:port[/prefix]; empty: no Prometheus is asked
  std::string ca_file;
  std::string token_file;
  bool plaintext = false;  // http beyond the loopback is accepted
  Nanoseconds interval = Seconds(30);
  Nanoseconds timeout = Seconds(10);
  Nanoseconds stale_after = Seconds(90);  // a value not renewed for so long is not known
  std::vector<PrometheusQuery> queries;   // of several that tell the same, the first counts

  bool operator==(const PrometheusConfig&) const = default;
};

}  // namespace fairlead
