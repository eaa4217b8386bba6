// Points of links in what a Prometheus answers to a range query.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "common/base/result.h"
#include "extender/replay/link_points.h"

namespace fairlead::extender {

// What to ask a Prometheus for: one series for each link and value, whichever replica told it.
inline constexpr char kRangeQuery[] =
    "max by (__name__, src_site, dst_site, state, direction, source) "
    "({__name__=~\"fairlead_extender_link_.+\"})";

// Puts together what answers to /api/v1/query_range tell of the extender's series of links. Answers
// may follow each other in time, or each have some of the series. Single-threaded.
class RangeReader {
 public:
  // kInvalidArgument names the series, value and remedy: no answer of a Prometheus, or of another
  // kind; a series that is none of links, or doubled; times that do not rise, or are no seconds.
  Status Add(const nlohmann::json& document, std::size_t line);
  // Hands all points over. kInvalidArgument also where the state of a link is not told; then `line`
  // is the one with which Add told of that moment first.
  Status Give(LinkPointsBuilder& points, std::size_t& line) const;

 private:
  struct Moment {
    std::size_t line = 0;  // of the file
    std::optional<LinkState> state;
    std::uint32_t states_told = 0;  // a bit each
    std::optional<double> rtt_p50;
    std::optional<double> age;
    std::optional<double> loss_forward;
    std::optional<double> loss_reverse;
    std::optional<double> available;
    std::array<std::optional<double>, 3> rates;  // by RateSource
  };
  using Series = std::map<std::string, std::string>;

  Status AddSeries(const nlohmann::json& element, std::size_t line);
  static Status Put(const Series& labels, double value, Moment& moment);
  static Result<LinkPoint> PointOf(WallTime at, const Moment& moment);

  std::map<LinkKey, std::map<WallTime, Moment>> moments_;
};

}  // namespace fairlead::extender
