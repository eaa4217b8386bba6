// Loss as the ports of nodes count it, and what of it is a line's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"

namespace fairlead::extender {

// Of one port in one direction over the last minute, whatever lines it crossed.
struct PortLoss {
  std::string device;
  std::uint32_t port = 0;
  bool receive = false;    // false: from the port
  LossInterval interval;   // ratio and lower end of what is proven, upper end of what is possible
  bool transport = false;  // errors of reliable connections; false: of the node's probes
  bool disagree = false;   // probes and transport have seen different things
  Nanoseconds age{};       // of the counters, when this was received; in a view: now
};

// A port that lost something, at an end of a link's probes.
struct LossyPort {
  std::string node;
  PortLoss loss;
};

// What the ports at both ends of a link say of its loss.
struct LineLoss {
  LossInterval interval;    // of the end that proves less
  std::uint32_t ports = 0;  // at both ends
  Nanoseconds age{};        // of the oldest counters
  bool counts = false;      // it can only be of this line, so scores use its lower end
};

// Adds up transport loss at one end of a line. Loss of probes is no port's and is passed over.
class LossOfEnd {
 public:
  void Add(const PortLoss& loss);
  bool known() const { return sent_ > 0; }
  // Wilson interval of the sums; its upper end is at least the mean of the ports' upper ends, which
  // know of losses that are only possible.
  LossInterval interval() const;
  std::uint32_t ports() const { return ports_; }
  Nanoseconds age() const { return age_; }

 private:
  std::uint64_t lost_ = 0;
  std::uint64_t sent_ = 0;
  double upper_ = 0;  // packets
  std::uint32_t ports_ = 0;
  Nanoseconds age_{};
};

// A packet that a line loses is missed at both its ends: those that sent it are told of the gap,
// and those that it was for see it. So the end that proves less of it is the most that the line can
// be blamed for; as ports also carry what stays in the site, it is rather too little. Absent unless
// both ends know. Pure.
std::optional<LineLoss> LossOfLine(const LossOfEnd& from, const LossOfEnd& to);

// Which lines the gangs of the last minutes cross, over which the loss of a port may have come.
class CrossedLines {
 public:
  // Names of both ends, the lesser first.
  using Lines = std::set<std::pair<std::string, std::string>>;

  // Those of now; nothing: not known. A line counts as crossed for two minutes after it was last:
  // ports tell of a minute, and that may be another old.
  void Set(const std::optional<Lines>& crossed, MonotonicTime now);
  // The lines that are tested now, and those of them that RDMA writes fill. Either costs others on
  // the line packets; what writes lose is in the counters of the ports at both ends besides, while
  // trains are UDP and are in none. Remembered as long.
  void SetTested(const Lines& tested, const Lines& saturated, MonotonicTime now);

  // Whether what the ports of `site` send to other sites, or get from them, can only have crossed
  // the line to `other`: the only one that gangs cross there or, where gangs are not known, the
  // only one that there is. Never beside a test of the line, or a saturation test at that site.
  // `sites` are all sites.
  bool OnlyLine(std::string_view site, std::string_view other,
                const std::set<std::string_view>& sites) const;

 private:
  using Line = Lines::value_type;
  static Line LineOf(std::string_view one, std::string_view other);

  bool known_ = false;
  std::map<Line, MonotonicTime> last_;
  std::map<Line, MonotonicTime> last_tested_;
  std::map<std::string, MonotonicTime, std::less<>> last_saturated_;  // by site
};

}  // namespace fairlead::extender
