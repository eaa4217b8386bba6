#include "linkprobe/counter_files/host_counters.h"

#include <algorithm>

#include "linkprobe/counter_files/ethtool_statistics.h"
#include "linkprobe/counter_files/sysfs_counters.h"

namespace fairlead::linkprobe {
namespace {

bool Has(const PortReading& port, const std::string& name) {
  return std::any_of(port.values.begin(), port.values.end(), [&](const CounterValue& value) {
    return value.source == CounterSource::kHardware && value.name == name;
  });
}

}  // namespace

HostCounters::HostCounters(std::string root, const Clock& clock)
    : root_(std::move(root)), clock_(clock) {}

CounterReading HostCounters::Read() {
  const MonotonicTime begin = clock_.Now();
  CounterReading reading = ReadSysfsCounters(root_, clock_);
  if (!root_.empty()) return reading;
  if (!slow_at_ || begin - *slow_at_ >= kSlowEvery) {
    slow_at_ = begin;
    ReadSlow(reading);
  }
  for (PortReading& port : reading.ports) {
    const auto& slow = slow_[{port.device, port.port}];
    port.values.insert(port.values.end(), slow.begin(), slow.end());
  }
  reading.took = clock_.Now() - begin;
  return reading;
}

void HostCounters::ReadSlow(const CounterReading& reading) {
  slow_.clear();
  const auto indices =
      reading.ports.empty() ? std::map<std::string, std::uint32_t>() : netlink_.Devices();
  for (const PortReading& port : reading.ports) {
    std::vector<CounterValue>& values = slow_[{port.device, port.port}];
    if (!port.netdev.empty()) values = ReadEthtoolStatistics(port.netdev);
    const auto index = indices.find(port.device);
    if (index == indices.end()) continue;
    for (CounterValue& value : netlink_.Counters(index->second, port.port)) {
      if (!Has(port, value.name)) values.push_back(std::move(value));
    }
  }
}

}  // namespace fairlead::linkprobe
