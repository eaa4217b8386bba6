// Hears what linkprobe says of this node's NICs and lines, where it runs beside the plugin.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/file_descriptor.h"
#include "common/base/snapshot.h"
#include "deviceplugin/verdicts/heard_lines.h"
#include "deviceplugin/verdicts/heard_verdicts.h"
#include "deviceplugin/verdicts/probe_socket.h"
#include "deviceplugin/verdicts/verdict_message.h"

namespace fairlead::deviceplugin {

struct VerdictCounts {
  bool listening = false;
  std::uint64_t heard = 0;
  std::array<std::uint64_t, kVerdictRefusals> refused{};  // by VerdictRefusal
  std::vector<NicVerdict> verdicts;                       // what counts now
  HeardLines lines;                                       // the same
};

struct VerdictListenerOptions {
  std::string socket;                          // empty: nothing is heard
  Nanoseconds look_after_socket = Seconds(5);  // how often a socket that is gone is bound anew
};

// A thread from construction to destruction. A socket that can't be bound is tried again and again
// meanwhile the node is as one without linkprobe.
class VerdictListener {
 public:
  // `hear` gets all that counts after every message, also what is left when some verdicts have
  // become stale; with `changed` another port is bad than before. Called on the listener's thread.
  // `clock` outlives it.
  using Hear = std::function<void(const ProbeWord&, bool changed)>;

  VerdictListener(VerdictListenerOptions options, Hear hear, const Clock& clock);
  ~VerdictListener();

  // Thread-safe.
  VerdictCounts counts() const { return *counts_.Get(); }

 private:
  void Run(const std::stop_token& stop);
  void LookAfterSocket();
  void Wait(MonotonicTime look_again) const;
  void TakeMessages();
  void Take(const ProbeDatagram& datagram);
  void Refuse(VerdictRefusal why);

  const VerdictListenerOptions options_;
  const Hear hear_;
  const Clock& clock_;
  const FileDescriptor wake_;

  // Of the thread alone.
  std::optional<ProbeSocket> socket_;
  std::string last_error_;
  HeardVerdicts heard_;
  VerdictCounts count_;

  Snapshot<VerdictCounts> counts_;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace fairlead::deviceplugin
