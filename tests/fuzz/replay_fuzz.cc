// Any bytes as recorded links and as the gangs of a replay: never a crash or a hang, and a refusal
// always says where and why.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "extender/replay_file/jobs_file.h"
#include "extender/replay_file/links_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace fairlead;            // NOLINT(google-build-using-namespace)
using namespace fairlead::extender;  // NOLINT(google-build-using-namespace)

void MustSayWhere(const Error& error) {
  if (!error.message.starts_with("f.in")) std::abort();
  for (const char c : error.message) {
    if (c != '\n' && static_cast<unsigned char>(c) < 0x20) std::abort();
  }
}

LinkTrace TwoPoints() {
  LinkPoint point;
  point.at = WallTime(Seconds(1'795'996'800));
  point.state = LinkState::kHealthy;
  LinkPoint next = point;
  next.at += Seconds(15);
  return MakeTrace({{{"hk", "sg"}, {point, next}}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const LineCatalogue lines(
      {{"hk", Coordinates{22.3, 114.2}}, {"sg", Coordinates{1.4, 103.8}}}, {});
  if (const auto links = ParseLinks("f.in", text, lines)) {
    // What a replay goes by.
    for (const auto& [key, points] : links->links) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0 && points[i].at <= points[i - 1].at) std::abort();
        if (points[i].at < links->begin || points[i].at >= links->end) std::abort();
        if (points[i].rtt_p50 && *points[i].rtt_p50 <= Nanoseconds(0)) std::abort();
      }
    }
  } else {
    MustSayWhere(links.error());
  }
  static const LinkTrace two_points = TwoPoints();
  if (const auto jobs = ParseJobs("f.in", text, two_points, MovingCostDefaults{})) {
    for (const ReplayGang& gang : jobs->gangs) {
      if (gang.members.empty()) std::abort();
    }
  } else {
    MustSayWhere(jobs.error());
  }
  return 0;
}
