// Judges one path from what its estimator saw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"
#include "common/link/link_measurement.h"
#include "linkprobe/estimate/window_values.h"

namespace fairlead::linkprobe {

// A verdict with the sentence that explains it; the sentence is never empty.
struct PathVerdict {
  LinkVerdict verdict;
  std::string evidence;
};

// Pure and single-threaded. Judgement needs a baseline, learnt while Healthy and then frozen; it
// only ever falls by itself (a faster path), rises when a higher delay has stood for
// `baseline_adopt`.
class Detector {
 public:
  // Windows overlap: each step looks back one whole window, a quarter of a window after the last
  // step, so that a change is found as soon as m windows have passed, wherever in a window it fell.
  static constexpr std::uint32_t kStepsPerWindow = 4;

  explicit Detector(const DetectorSettings& settings);
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  // One step; call each settings.window / kStepsPerWindow.
  const PathVerdict& Step(const WindowValues& values, MonotonicTime now);
  // Instead of Step while a test fills the line: the state stays, nothing is learnt, the evidence
  // says why. Only silence still counts: Down when no probe is answered, Unknown when none is sent.
  const PathVerdict& StepUnjudged(const WindowValues& values, MonotonicTime now);
  // The peer came back with a new epoch: silence before it was no fault of the line.
  void OnPeerRestart(MonotonicTime now);
  const PathVerdict& verdict() const;

  // Keeps state, baseline and history; values out of range are clamped.
  void SetSettings(const DetectorSettings& settings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
