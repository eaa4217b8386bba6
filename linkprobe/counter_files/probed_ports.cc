#include "linkprobe/counter_files/probed_ports.h"

#include <algorithm>
#include <cstdint>

#include "common/link/loss_interval.h"

namespace fairlead::linkprobe {
namespace {

struct Sum {
  std::uint64_t lost = 0;
  std::uint64_t sent = 0;

  void Add(const LossInterval& loss) {
    lost += loss.lost;
    sent += loss.sent;
  }
  std::optional<LossInterval> Interval() const {
    if (sent == 0) return std::nullopt;
    return MakeLossInterval(lost, sent);
  }
};

}  // namespace

std::vector<ProbedPort> ProbedPorts(
    std::span<const std::shared_ptr<const EngineSnapshot>> engines) {
  std::vector<ProbedPort> probed;
  for (const auto& engine : engines) {
    if (!engine->nic) continue;
    ProbedPort port{.device = engine->nic->device, .port = engine->nic->port};
    Sum forward;
    Sum reverse;
    for (const PathStatus& path : engine->paths) {
      forward.Add(path.measurement.forward.loss);
      reverse.Add(path.measurement.reverse.loss);
      if (path.measurement.rtt_p50) {
        port.rtt = std::max(port.rtt.value_or(Nanoseconds(0)), *path.measurement.rtt_p50);
      }
    }
    port.forward = forward.Interval();
    port.reverse = reverse.Interval();
    probed.push_back(std::move(port));
  }
  return probed;
}

}  // namespace fairlead::linkprobe
