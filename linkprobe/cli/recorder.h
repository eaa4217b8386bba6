// A recording that is being made.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"
#include "linkprobe/record_file/recording_file.h"

namespace fairlead::linkprobe {

// The facts that every recording has: this host's name, the times and the program.
RecordingFacts FactsOf(const RecordCommand& command, const std::string& program_version,
                       WallTime started);

// Writes windows to the new file and tells on stderr how far it is. Used by one thread.
class Recorder {
 public:
  // `clock` outlives it.
  static Result<Recorder> Create(const RecordCommand& command, const RecordingFacts& facts,
                                 const Clock& clock);

  Status Append(const LineWindow& window);
  // Calls `look` every `pause` until the time is up or one of `signals`, which are blocked,
  // arrives, then ends the file and says on stdout what is in it, of so many `lines` ("2 peers").
  // True when any window has an answer in it.
  Result<bool> Run(const sigset_t& signals, Nanoseconds pause, const std::function<Status()>& look,
                   const std::function<std::string()>& lines);

  MonotonicTime started() const { return started_; }
  Nanoseconds Passed() const { return clock_->Now() - started_; }

 private:
  Recorder(RecordingFile file, const RecordCommand& command, const Clock& clock)
      : file_(std::move(file)),
        out_(command.out),
        length_(command.length),
        clock_(&clock),
        started_(clock.Now()) {}
  void TellProgress();

  RecordingFile file_;
  std::string out_;
  Nanoseconds length_;
  const Clock* clock_;
  MonotonicTime started_;
  Nanoseconds told_at_{};
  std::uint64_t windows_ = 0;
  bool answered_ = false;
};

}  // namespace fairlead::linkprobe
