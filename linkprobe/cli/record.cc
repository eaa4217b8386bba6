#include "linkprobe/cli/record.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <vector>

#include "common/units/human.h"
#include "linkprobe/cli/peer_probe.h"
#include "linkprobe/cli/signal_wait.h"
#include "linkprobe/record/window_cutter.h"
#include "linkprobe/record_file/recording_file.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLookEvery = Milliseconds(100);
constexpr Nanoseconds kTellEvery = Seconds(30);

std::string HostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

EngineSettings SettingsFor(const RecordCommand& command) {
  EngineSettings settings;
  settings.probes_per_second = 1e9 / static_cast<double>(command.interval.count());
  settings.report_window = command.window;
  settings.detector.window = Milliseconds(250);
  return settings;
}

RecordingFacts FactsOf(const RecordCommand& command, const std::string& program_version,
                       WallTime started) {
  RecordingFacts facts;
  facts.host = HostName();
  facts.program_version = program_version;
  facts.started = started;
  facts.window = command.window;
  facts.planned = command.length;
  facts.probes_per_second = SettingsFor(command).probes_per_second;
  facts.paths = command.options.paths;
  facts.traffic_class = command.options.traffic_class;
  return facts;
}

using Probes = std::vector<std::unique_ptr<PeerProbe>>;

// The recording as it grows.
class Session {
 public:
  Session(Probes probes, RecordingFile file, const Clock& clock, Nanoseconds window)
      : probes_(std::move(probes)),
        file_(std::move(file)),
        clock_(clock),
        started_(clock.Now()),
        cutter_(started_, window) {}

  Status Look() {
    for (const auto& probe : probes_) {
      const auto state = probe->Latest();
      if (state == nullptr) {
        TellWhy(*probe);
        continue;
      }
      for (const PathStatus& path : state->paths) {
        const Status written = Take(probe->peer(), *state, path);
        if (!written) return written;
      }
    }
    return {};
  }

  void TellProgress(Nanoseconds length) {
    const Nanoseconds passed = clock_.Now() - started_;
    if (passed - told_at_ < kTellEvery) return;
    told_at_ = passed;
    std::fprintf(stderr, "%s of %s, %s\n", HumanAge(passed).c_str(), HumanAge(length).c_str(),
                 Counted(windows_, "window", "windows").c_str());
  }

  Status Finish(bool complete) { return file_.Finish(complete); }

  Nanoseconds Passed() const { return clock_.Now() - started_; }
  std::uint64_t windows() const { return windows_; }
  bool answered() const { return answered_; }

 private:
  Status Take(const std::string& peer, const EngineSnapshot& state, const PathStatus& path) {
    const auto window = cutter_.Observe({.line = peer,
                                         .path = path.path,
                                         .at = state.at,
                                         .wall_at = clock_.WallNow() - (clock_.Now() - state.at),
                                         .measurement = path.measurement,
                                         .totals = path.totals});
    if (!window) return {};
    ++windows_;
    answered_ = answered_ || window->samples > 0;
    return file_.Append(*window);
  }

  void TellWhy(const PeerProbe& probe) {
    const std::string error = probe.LastError();
    if (error.empty() || error == told_[probe.peer()]) return;
    told_[probe.peer()] = error;
    std::fprintf(stderr, "waiting for %s: %s\n", probe.peer().c_str(), error.c_str());
  }

  const Probes probes_;
  RecordingFile file_;
  const Clock& clock_;
  const MonotonicTime started_;
  WindowCutter cutter_;
  Nanoseconds told_at_{};
  std::map<std::string, std::string> told_;
  std::uint64_t windows_ = 0;
  bool answered_ = false;
};

}  // namespace

Result<bool> RunRecord(const RecordCommand& command, const std::string& program_version,
                       const sigset_t& signals) {
  const SystemClock clock;
  Probes probes;
  for (const std::string& peer : command.peers) {
    auto probe = PeerProbe::Start(command.options, SettingsFor(command), peer);
    if (!probe) return Fail(probe.error());
    probes.push_back(std::move(*probe));
  }
  auto file =
      RecordingFile::Create(command.out, FactsOf(command, program_version, clock.WallNow()));
  if (!file) return Fail(file.error());
  Session session(std::move(probes), std::move(*file), clock, command.window);
  bool interrupted = false;
  while (!interrupted && session.Passed() < command.length) {
    interrupted = SignalWithin(signals, kLookEvery);
    if (const Status looked = session.Look(); !looked) return Fail(looked.error());
    session.TellProgress(command.length);
  }
  if (const Status finished = session.Finish(!interrupted); !finished) {
    return Fail(finished.error());
  }
  std::printf("%s: %s of %s%s\n", command.out.c_str(),
              Counted(session.windows(), "window", "windows").c_str(),
              Counted(command.peers.size(), "peer", "peers").c_str(),
              interrupted ? ", interrupted" : "");
  return session.answered();
}

}  // namespace fairlead::linkprobe
