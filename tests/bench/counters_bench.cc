// What counters of 16 HCAs cost: a scrape of them, and a reading of their files, in a directory
// that looks like /sys. A real device adds what its firmware takes to a reading, not to a scrape.
#include <prometheus/text_serializer.h>
#include <sys/resource.h>

#include <cstdio>
#include <string>

#include "common/metrics/family_set.h"
#include "linkprobe/counter_files/sysfs_counters.h"
#include "linkprobe/counters/port_book.h"
#include "linkprobe/metrics/counter_metrics.h"
#include "tests/linkprobe/counters/host_tree.h"

namespace fairlead::linkprobe {
namespace {

constexpr int kHcas = 16;
constexpr int kTurns = 50;
constexpr double kMostScrapeMs = 20;

double CpuMs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

template <class Turn>
double MeanMs(Turn turn) {
  const double before = CpuMs();
  for (int i = 0; i < kTurns; ++i) turn();
  return (CpuMs() - before) / kTurns;
}

int Run() {
  const HostTree tree;
  for (int i = 0; i < kHcas; ++i) {
    const std::string device = "mlx5_" + std::to_string(i);
    for (const char* name : {"port_xmit_data", "port_rcv_data", "port_xmit_packets",
                             "port_rcv_packets", "symbol_error", "link_downed"}) {
      tree.Port(device, "1", "counters", {{name, "123456789"}});
    }
    for (int k = 0; k < 60; ++k) {
      const std::string name = "counter_" + std::to_string(k);
      tree.Port(device, "1", "hw_counters", {{name.c_str(), "123456789"}});
    }
    for (const char* name : {"packet_seq_err", "out_of_sequence", "roce_adp_retrans"}) {
      tree.Port(device, "1", "hw_counters", {{name, "5"}});
    }
  }
  const SystemClock clock;
  CounterTracker tracker;
  PortBook book;
  CounterState state;
  const double reading = MeanMs([&] {
    state = {.at = clock.Now(), .ports = tracker.Advance(ReadSysfsCounters(tree.root(), clock))};
    state.opinions = book.Add(state.ports, {}, state.at);
  });
  std::size_t bytes = 0;
  const double scrape = MeanMs([&] {
    FamilySet families("fairlead_linkprobe_");
    AddCounterMetrics(state, "hk", clock.Now(), clock.WallNow(), families);
    bytes = prometheus::TextSerializer().Serialize(families.Take()).size();
  });
  std::printf("%d HCAs, %zu counters\n", kHcas,
              state.ports.size() * state.ports[0].counters.size());
  std::printf("%-24s %8.2f ms of CPU\n", "reading", reading);
  std::printf("%-24s %8.2f ms of CPU, %zu bytes; at most %.0f\n", "scrape", scrape, bytes,
              kMostScrapeMs);
  return scrape <= kMostScrapeMs ? 0 : 1;
}

}  // namespace
}  // namespace fairlead::linkprobe

int main() { return fairlead::linkprobe::Run(); }
