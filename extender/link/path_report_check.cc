#include "extender/link/path_report_check.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "common/units/duration.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kLongest = std::chrono::hours(1);
// Ages have the time since the report added to them, which must not overflow.
constexpr Nanoseconds kOldest = std::chrono::hours(24 * 365 * 50);
constexpr double kMostBytesPerSecond = 1e15 / 8;  // 1000 Tbps, above any line
constexpr std::uint32_t kMostByte = 255;          // of the hop limit and the traffic class
// 4096 paths of 8192 nodes with this many packets each still fit into 64 bits.
constexpr std::uint64_t kMostPackets = std::uint64_t{1} << 38;

// The first thing found wrong, or empty.
class Complaint {
 public:
  void Time(std::string_view field, const std::optional<Nanoseconds>& value,
            bool zero_is_possible) {
    if (!value) return;
    if (*value < Nanoseconds(0) || *value > kLongest ||
        (!zero_is_possible && *value == Nanoseconds(0))) {
      Say(std::string(field) + " of " + FormatDuration(*value) + " is impossible");
    }
  }

  void Age(std::string_view field, Nanoseconds value) {
    if (value < Nanoseconds(0)) Say(std::string(field) + " is negative");
    if (value > kOldest) Say(std::string(field) + " is impossible");
  }

  void Order(std::string_view lesser, const std::optional<Nanoseconds>& a, std::string_view greater,
             const std::optional<Nanoseconds>& b) {
    if (a && b && *a > *b) {
      Say(std::string(lesser) + " of " + FormatDuration(*a) + " exceeds " + std::string(greater) +
          " of " + FormatDuration(*b));
    }
  }

  void Direction(std::string_view name, const DirectionMeasurement& way) {
    const std::string prefix(name);
    if (way.loss.sent > kMostPackets) Say(prefix + " sent count is impossible");
    if (way.loss.lost > way.loss.sent) {
      Say(prefix + " lost " + std::to_string(way.loss.lost) + " of " +
          std::to_string(way.loss.sent) + " sent is impossible");
    }
    for (const std::uint64_t count :
         {way.late, way.duplicate, way.reordered, way.longest_burst, way.ecn_marked}) {
      if (count > kMostPackets) Say(prefix + " packet count is impossible");
    }
    Time(prefix + " jitter", way.jitter, true);
    Time(prefix + " pdv", way.pdv, true);
    if (way.hops && *way.hops > kMostByte) Say(prefix + " hop count is impossible");
  }

  void Say(std::string text) {
    if (text_.empty()) text_ = std::move(text);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

Status CheckPath(std::string_view node, const PathReport& path) {
  const LinkMeasurement& m = path.measurement;
  Complaint complaint;
  if (path.peer_node.empty()) complaint.Say("peer node is empty");
  if (path.peer_node == node) complaint.Say("a node cannot be its own peer");
  if (path.peer_site.empty()) complaint.Say("peer site is empty");
  complaint.Time("RTT minimum", m.rtt_min, false);
  complaint.Time("RTT p50", m.rtt_p50, false);
  complaint.Time("RTT p99", m.rtt_p99, false);
  complaint.Order("RTT minimum", m.rtt_min, "p50", m.rtt_p50);
  complaint.Order("RTT p50", m.rtt_p50, "p99", m.rtt_p99);
  complaint.Direction("forward", m.forward);
  complaint.Direction("reverse", m.reverse);
  if (m.samples > kMostPackets || m.below_floor > kMostPackets ||
      m.lost_direction_unknown > kMostPackets) {
    complaint.Say("sample count is impossible");
  }
  complaint.Age("age of the state", path.state_age);
  if (m.age) complaint.Age("age of the last reply", *m.age);
  complaint.Age("window", m.window);
  complaint.Time("prober delay", m.prober_delay_p50, true);
  complaint.Time("responder delay", m.responder_delay_p50, true);
  if (path.traffic_class > kMostByte) complaint.Say("traffic class is impossible");
  if (path.available_bytes_per_second &&
      !(std::isfinite(*path.available_bytes_per_second) && *path.available_bytes_per_second >= 0 &&
        *path.available_bytes_per_second <= kMostBytesPerSecond)) {
    complaint.Say("available bandwidth is not a possible number of bytes per second");
  }
  if (complaint.text().empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, "path " + std::to_string(path.path) + " from " +
                                               std::string(node) + " to " + path.peer_node + ": " +
                                               complaint.text());
}

}  // namespace fairlead::extender
