#include "linkprobe/cli/recorder.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

#include "common/units/human.h"
#include "linkprobe/cli/signal_wait.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kTellEvery = Seconds(30);

std::string HostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

}  // namespace

RecordingFacts FactsOf(const RecordCommand& command, const std::string& program_version,
                       WallTime started) {
  RecordingFacts facts;
  facts.host = HostName();
  facts.program_version = program_version;
  facts.started = started;
  facts.window = command.window;
  facts.planned = command.length;
  return facts;
}

Result<Recorder> Recorder::Create(const RecordCommand& command, const RecordingFacts& facts,
                                  const Clock& clock) {
  auto file = RecordingFile::Create(command.out, facts);
  if (!file) return Fail(file.error());
  return Recorder(*std::move(file), command, clock);
}

Status Recorder::Append(const LineWindow& window) {
  ++windows_;
  answered_ = answered_ || window.samples > 0;
  return file_.Append(window);
}

Result<bool> Recorder::Run(const sigset_t& signals, Nanoseconds pause,
                           const std::function<Status()>& look,
                           const std::function<std::string()>& lines) {
  bool interrupted = false;
  while (!interrupted && Passed() < length_) {
    interrupted = SignalWithin(signals, pause);
    if (const Status looked = look(); !looked) return Fail(looked.error());
    TellProgress();
  }
  // The last window is over now, too.
  if (const Status looked = look(); !looked) return Fail(looked.error());
  if (const Status finished = file_.Finish(!interrupted); !finished) {
    return Fail(finished.error());
  }
  std::printf("%s: %s of %s%s\n", out_.c_str(), Counted(windows_, "window", "windows").c_str(),
              lines().c_str(), interrupted ? ", interrupted" : "");
  return answered_;
}

void Recorder::TellProgress() {
  const Nanoseconds passed = Passed();
  if (passed - told_at_ < kTellEvery) return;
  told_at_ = passed;
  std::fprintf(stderr, "%s of %s, %s\n", HumanAge(passed).c_str(), HumanAge(length_).c_str(),
               Counted(windows_, "window", "windows").c_str());
}

}  // namespace fairlead::linkprobe
