#include "linkprobe/counter_files/counter_watch.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "common/base/log.h"

namespace fairlead::linkprobe {
namespace {

void LogLines(const CounterState& before, const CounterState& now) {
  for (const LineUse& line : now.lines) {
    DeclaredRateDoubt was = DeclaredRateDoubt::kNone;
    for (const LineUse& old : before.lines) {
      if (old.other_site == line.other_site) was = old.doubt;
    }
    if (line.doubt == was || line.doubt == DeclaredRateDoubt::kNone) continue;
    LogWarning("a line's declared capacity is in doubt",
               {{"doubt", DeclaredRateDoubtName(line.doubt)}, {"evidence", line.sentence}});
  }
}

void LogRetransmissions(const CounterState& before, const CounterState& now) {
  for (const PortOpinion& port : now.opinions) {
    RetransmissionVerdict was = RetransmissionVerdict::kNone;
    for (const PortOpinion& old : before.opinions) {
      if (old.device == port.device && old.port == port.port) was = old.retransmission.verdict;
    }
    const RetransmissionFinding& finding = port.retransmission;
    if (finding.verdict == was) continue;
    if (finding.verdict == RetransmissionVerdict::kNone) {
      LogInfo("no packets are sent again needlessly any more",
              {{"device", port.device}, {"port", port.port}});
    } else {
      LogWarning("packets are sent again that had arrived", {{"device", port.device},
                                                             {"port", port.port},
                                                             {"evidence", finding.sentence},
                                                             {"remedy", finding.remedy}});
    }
  }
}

// Each once, for as long as it stays the same.
void LogChanges(const CounterState& before, const CounterState& now) {
  if (now.problem != before.problem && !now.problem.empty()) {
    LogWarning("counters not read", {{"error", now.problem}});
  }
  for (const TrackedPort& port : now.ports) {
    std::uint32_t was = 0;
    for (const TrackedPort& old : before.ports) {
      if (old.device == port.device && old.port == port.port) was = old.unreadable;
    }
    if (port.unreadable == was || port.unreadable == 0) continue;
    LogInfo("some counters of a port give no number", {{"device", port.device},
                                                       {"port", port.port},
                                                       {"files", port.unreadable},
                                                       {"first", port.problem}});
  }
  LogRetransmissions(before, now);
  LogLines(before, now);
}

}  // namespace

CounterWatch::CounterWatch(CounterPorts ports, const Clock& clock, Nanoseconds every)
    : ports_(std::move(ports)),
      clock_(clock),
      every_(every),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

CounterWatch::~CounterWatch() = default;

void CounterWatch::Run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  while (!stop.stop_requested()) {
    Read();
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, every_, [] { return false; });
  }
}

void CounterWatch::Read() {
  const CounterReading reading = ports_.read();
  CounterState state{
      .took = reading.took, .ports = tracker_.Advance(reading), .problem = reading.problem};
  state.totals = tracker_.totals();
  state.at = clock_.Now();
  state.traffic = meter_.Add(state.ports, state.at);
  state.opinions = book_.Add(state.ports, ports_.probes(), state.at);
  state.lines = ports_.lines(state.traffic);
  LogChanges(*state_.Get(), state);
  state_.Publish(std::move(state));
}

}  // namespace fairlead::linkprobe
