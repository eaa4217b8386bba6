#include "extender/registry/site_lines.h"

#include <cmath>
#include <utility>

namespace fairlead::extender {
namespace {

void TakeLoss(const LossInterval& loss, SiteLine& line) {
  if (loss.sent > 0 && (!line.loss || loss.lower > line.loss->lower)) line.loss = loss;
}

void TakeView(const LinkView* view, SiteLine& line) {
  if (view == nullptr || view->rung == TransportRung::kPromql) return;
  if (!view->rtt_p50 || !view->age) return;
  TakeLoss(view->forward.loss, line);
  TakeLoss(view->reverse.loss, line);
  if (*view->rtt_p50 <= line.rtt) return;
  line.rtt = *view->rtt_p50;
  line.age = *view->age;
}

}  // namespace

std::vector<SiteLine> LinesOfSite(const LinkSnapshot& links, const LineCatalogue& catalogue,
                                  std::string_view site, MonotonicTime now) {
  std::vector<SiteLine> lines;
  for (const LinkView& view : links.links) {
    if (view.key.from_site != site || view.key.to_site == site) continue;
    SiteLine line{.peer_site = view.key.to_site};
    TakeView(&view, line);
    TakeView(links.Find(view.key.to_site, site), line);
    if (line.rtt <= Nanoseconds(0)) continue;
    line.age += now - links.taken_at;
    const auto declared = catalogue.CapacityBytesPerSecond(site, line.peer_site);
    if (declared && *declared > 0) {
      line.capacity_bits_per_second = static_cast<std::uint64_t>(std::llround(*declared * 8));
    }
    lines.push_back(std::move(line));
    if (lines.size() == kMostSiteLines) break;
  }
  return lines;
}

}  // namespace fairlead::extender
