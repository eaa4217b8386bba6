#include "linkprobe/cli/record.h"

#include <cstdio>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/units/human.h"
#include "linkprobe/cli/peer_probe.h"
#include "linkprobe/cli/record_from.h"
#include "linkprobe/cli/recorder.h"
#include "linkprobe/cli/test_rounds.h"
#include "linkprobe/record/test_spans.h"
#include "linkprobe/record/window_cutter.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLookEvery = Milliseconds(100);

EngineSettings SettingsFor(const RecordCommand& command) {
  EngineSettings settings;
  settings.probes_per_second = 1e9 / static_cast<double>(command.interval.count());
  settings.report_window = command.window;
  settings.detector.window = Milliseconds(250);
  return settings;
}

// A peer that is probed; its probes' round trips also serve its tests.
struct Probed {
  std::unique_ptr<RoundTripTap> tap;
  std::unique_ptr<PeerProbe> probe;
};

Result<Probed> StartProbe(const RecordCommand& command, const std::string& peer) {
  Probed probed{.tap = std::make_unique<RoundTripTap>(), .probe = nullptr};
  EngineSettings settings = SettingsFor(command);
  settings.on_reply = [tap = probed.tap.get()](const SeenReply& seen) { tap->Add(seen); };
  auto probe = PeerProbe::Start(command.options, settings, peer);
  if (!probe) return Fail(probe.error());
  probed.probe = *std::move(probe);
  return probed;
}

// What is seen of the peers, window by window.
class Session {
 public:
  Session(const std::vector<Probed>& peers, TestRounds* tests, Recorder& recorder,
          const Clock& clock, Nanoseconds window)
      : peers_(peers),
        tests_(tests),
        recorder_(recorder),
        clock_(clock),
        cutter_(recorder.started(), window) {}

  Status Look() {
    TakeNotes();
    for (const Probed& peer : peers_) {
      const auto state = peer.probe->Latest();
      if (state == nullptr) {
        Tell(peer.probe->peer(), "waiting for ", peer.probe->LastError());
        continue;
      }
      for (const PathStatus& path : state->paths) {
        const Status written = Take(peer.probe->peer(), *state, path);
        if (!written) return written;
      }
    }
    return {};
  }

 private:
  void TakeNotes() {
    if (tests_ == nullptr) return;
    while (const auto note = tests_->Next()) {
      const Nanoseconds at = note->at - recorder_.started();
      if (note->begins) {
        spans_.Began(note->peer, at);
        continue;
      }
      spans_.Ended(note->peer, at, note->found);
      Tell(note->peer, "no bandwidth of ", note->trouble);
    }
  }

  Status Take(const std::string& peer, const EngineSnapshot& state, const PathStatus& path) {
    auto window = cutter_.Observe({.line = peer,
                                   .path = path.path,
                                   .at = state.at,
                                   .wall_at = clock_.WallNow() - (clock_.Now() - state.at),
                                   .measurement = path.measurement,
                                   .totals = path.totals});
    if (!window) return {};
    spans_.Describe(*window);
    return recorder_.Append(*window);
  }

  // What changed of why.
  void Tell(const std::string& peer, const char* what, const std::string& why) {
    if (why.empty() || why == told_[peer]) return;
    told_[peer] = why;
    std::fprintf(stderr, "%s%s: %s\n", what, peer.c_str(), why.c_str());
  }

  const std::vector<Probed>& peers_;
  TestRounds* const tests_;  // null: none are made
  Recorder& recorder_;
  const Clock& clock_;
  WindowCutter cutter_;
  TestSpans spans_;
  std::map<std::string, std::string> told_;
};

}  // namespace

Result<bool> RunRecord(const RecordCommand& command, const std::string& program_version,
                       const sigset_t& signals) {
  if (!command.from.empty()) return RunRecordFrom(command, program_version, signals);
  const SystemClock clock;
  std::vector<Probed> peers;
  for (const std::string& peer : command.peers) {
    auto probed = StartProbe(command, peer);
    if (!probed) return Fail(probed.error());
    peers.push_back(*std::move(probed));
  }
  RecordingFacts facts = FactsOf(command, program_version, clock.WallNow());
  facts.probes_per_second = SettingsFor(command).probes_per_second;
  facts.paths = command.options.paths;
  facts.traffic_class = command.options.traffic_class;
  auto recorder = Recorder::Create(command, facts, clock);
  if (!recorder) return Fail(recorder.error());
  std::unique_ptr<TestRounds> tests;
  if (command.tests) {
    std::vector<TestedPeer> tested;
    for (const Probed& peer : peers) tested.push_back({peer.probe->peer(), peer.tap.get()});
    auto rounds = TestRounds::Start(*command.tests, command.options, std::move(tested), clock);
    if (!rounds) return Fail(rounds.error());
    tests = *std::move(rounds);
  }
  Session session(peers, tests.get(), *recorder, clock, command.window);
  return recorder->Run(
      signals, kLookEvery, [&] { return session.Look(); },
      [&] { return Counted(peers.size(), "peer", "peers"); });
}

}  // namespace fairlead::linkprobe
