#include "linkprobe/counters/traffic.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fairlead::linkprobe {
namespace {

struct Pair {
  CounterSource source;
  std::string_view transmit;
  std::string_view receive;
};

// The first pair that a port has counts. Those of netlink are not read often enough.
constexpr std::array kPairs{
    Pair{CounterSource::kPort, "port_xmit_data", "port_rcv_data"},
    Pair{CounterSource::kHardware, "tx_bytes", "rx_bytes"},
    Pair{CounterSource::kNetdev, "tx_bytes", "rx_bytes"},
};

std::optional<double> Rate(const TrackedCounter& counter, Nanoseconds interval) {
  if (!counter.counted || interval <= Nanoseconds::zero()) return std::nullopt;
  const double seconds = static_cast<double>(interval.count()) * 1e-9;
  return static_cast<double>(*counter.counted) * counter.meaning.factor / seconds;
}

}  // namespace

PortTraffic TrafficOf(const TrackedPort& port) {
  for (const Pair& pair : kPairs) {
    const TrackedCounter* transmit = port.Find(pair.source, pair.transmit);
    const TrackedCounter* receive = port.Find(pair.source, pair.receive);
    if (transmit == nullptr || receive == nullptr) continue;
    return {.transmit_bytes_per_second = Rate(*transmit, port.interval),
            .receive_bytes_per_second = Rate(*receive, port.interval),
            .source = pair.source};
  }
  return {};
}

std::optional<NodeTraffic> TrafficMeter::Add(std::span<const TrackedPort> ports,
                                             MonotonicTime now) {
  decltype(told_) told;
  NodeTraffic sum{.at = now};
  bool missed = false;
  for (const TrackedPort& port : ports) {
    const std::pair key{port.device, port.port};
    const PortTraffic traffic = TrafficOf(port);
    const auto before = told_.find(key);
    const bool expected = before != told_.end() && before->second;
    told[key] = traffic.known();
    if (!traffic.known()) {
      missed = missed || expected;
      continue;
    }
    sum.transmit_bytes_per_second += *traffic.transmit_bytes_per_second;
    sum.receive_bytes_per_second += *traffic.receive_bytes_per_second;
    sum.interval = std::max(sum.interval, port.interval);
    ++sum.ports;
  }
  if (missed && last_ && now - last_->at < kKept) {
    // Still expected the next time, so that the sum waits for it.
    for (auto& [key, knows] : told) {
      const auto before = told_.find(key);
      knows = knows || (before != told_.end() && before->second);
    }
    told_ = std::move(told);
    return last_;
  }
  told_ = std::move(told);
  last_ = sum.ports == 0 ? std::nullopt : std::optional(sum);
  return last_;
}

}  // namespace fairlead::linkprobe
