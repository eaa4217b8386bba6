#include "linkprobe/counters/port_book.h"

#include <algorithm>

namespace fairlead::linkprobe {
namespace {

DirectionLoss Judge(RecentSum<LossEvents>& events, const std::optional<LossInterval>& probes,
                    MonotonicTime now) {
  DirectionLoss loss;
  const LossEvents sum = events.At(now);
  loss.transport = BoundLoss(sum);
  loss.possible = sum.possible;
  loss.fused = FuseLoss(probes, loss.transport);
  return loss;
}

template <class T>
void AddKnown(RecentSum<T>& sum, MonotonicTime at, const std::optional<T>& value) {
  if (value) sum.Add(at, *value);
}

}  // namespace

std::vector<PortOpinion> PortBook::Add(std::span<const TrackedPort> ports,
                                       std::span<const ProbedPort> probed, MonotonicTime now) {
  decltype(pages_) pages;
  std::vector<PortOpinion> opinions;
  for (const TrackedPort& port : ports) {
    const std::pair key{port.device, port.port};
    Page& page = pages[key];
    if (const auto before = pages_.find(key); before != pages_.end()) {
      page = std::move(before->second);
    }
    const auto probes = std::find_if(probed.begin(), probed.end(), [&](const ProbedPort& one) {
      return one.device == port.device && one.port == port.port;
    });
    const ProbedPort none{.device = "", .port = 0};
    const ProbedPort& seen = probes == probed.end() ? none : *probes;
    const PortLoss loss = LossOf(port, seen.rtt);
    AddKnown(page.transmit, now, loss.transmit);
    AddKnown(page.receive, now, loss.receive);
    AddKnown(page.retransmissions, now, RetransmissionsOf(port));
    opinions.push_back({.device = port.device,
                        .port = port.port,
                        .traffic = TrafficOf(port),
                        .transmit = Judge(page.transmit, seen.forward, now),
                        .receive = Judge(page.receive, seen.reverse, now),
                        .retransmission = JudgeRetransmissions(page.retransmissions.At(now),
                                                               kWindow, seen.rtt, port.device)});
  }
  pages_ = std::move(pages);
  return opinions;
}

}  // namespace fairlead::linkprobe
