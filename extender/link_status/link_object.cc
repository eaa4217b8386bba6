#include "extender/link_status/link_object.h"

#include <algorithm>
#include <utility>

#include "extender/link_status/link_object_name.h"

namespace fairlead::extender {
namespace {

std::optional<Nanoseconds> NewestReport(const LinkView& view) {
  std::optional<Nanoseconds> newest;
  const auto take = [&](Nanoseconds age) { newest = std::min(newest.value_or(age), age); };
  for (const LinkContributor& path : view.contributors) take(path.age);
  for (const LinkExternal& value : view.external) {
    if (value.used) take(value.age);
  }
  return newest;
}

LinkWay WayOf(const LinkView& view) {
  LinkWay way{.from = view.key.from_site,
              .to = view.key.to_site,
              .state = view.state,
              .reason = view.reason,
              .evidence = view.evidence,
              .state_age = view.state_age,
              .rung = view.rung,
              .rtt_p50 = view.rtt_p50,
              .rtt_p99 = view.rtt_p99,
              .jitter = view.forward.jitter,
              .loss = std::nullopt,
              .bandwidth = view.rate,
              .report_age = NewestReport(view)};
  if (view.forward.loss.known()) way.loss = view.forward.loss.ratio;
  return way;
}

// What the other end measured of its way back, where this one tells nothing.
void FillFrom(const LinkView& opposite, LinkWay& way) {
  if (!way.jitter) way.jitter = opposite.reverse.jitter;
  if (!way.loss && opposite.reverse.loss.known()) way.loss = opposite.reverse.loss.ratio;
}

LinkWay DescribeWay(const LinkSnapshot& links, const LinkKey& key) {
  const LinkView* const view = links.Find(key.from_site, key.to_site);
  LinkWay way;
  if (view) {
    way = WayOf(*view);
  } else {
    way.from = key.from_site;
    way.to = key.to_site;
  }
  if (const LinkView* const opposite = links.Find(key.to_site, key.from_site)) {
    FillFrom(*opposite, way);
  }
  return way;
}

int Badness(LinkState state) {
  switch (state) {
    case LinkState::kHealthy:
      return 0;
    case LinkState::kUnknown:
      return 1;
    case LinkState::kSuspect:
      return 2;
    case LinkState::kDegraded:
      return 3;
    case LinkState::kDown:
      return 4;
  }
  return 0;
}

}  // namespace

std::vector<LinkObject> LinkObjectsOf(const LinkSnapshot& links) {
  std::vector<LinkObject> objects;
  for (const LinkView& view : links.links) {
    const auto& [from, to] = view.key;
    const bool told_already = to < from && links.Find(to, from);
    if (from == to || told_already) continue;
    const auto [first, second] = std::minmax(from, to);
    objects.push_back({.name = LinkObjectName(first, second),
                       .forward = DescribeWay(links, {first, second}),
                       .reverse = DescribeWay(links, {second, first})});
  }
  std::ranges::sort(objects, {}, &LinkObject::name);
  return objects;
}

const LinkWay& WorseWay(const LinkObject& object) {
  const auto rank = [](const LinkWay& way) {
    return std::pair(Badness(way.state), way.state_age.value_or(Nanoseconds::zero()));
  };
  return rank(object.reverse) > rank(object.forward) ? object.reverse : object.forward;
}

}  // namespace fairlead::extender
