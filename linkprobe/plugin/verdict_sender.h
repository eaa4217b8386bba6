// Tells the device plugin of this node what the probe thinks of the node's NICs and of the lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/file_descriptor.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "linkprobe/nic/nic_judge.h"
#include "linkprobe/plugin/line_facts.h"

namespace fairlead::linkprobe {

struct VerdictStatus {
  std::uint64_t sent = 0;
  std::uint64_t absent = 0;  // nobody listens: no plugin on this node
  std::uint64_t busy = 0;    // the plugin has not read the earlier ones
  std::uint64_t failed = 0;  // anything else
  std::vector<NicOpinion> opinions;
};

// How often; a verdict lives for six times as long.
inline constexpr Nanoseconds kTellEvery = Seconds(5);

// A thread from construction to destruction. A plugin that is absent or slow costs nothing and
// holds up nothing: what can't be sent at once is dropped and counted.
class VerdictSender {
 public:
  // Given the last opinions, the ones of now; called on the sender's thread.
  using Judge = std::function<std::vector<NicOpinion>(const std::vector<NicOpinion>& before)>;
  // The lines as they are now; called on the sender's thread.
  using Lines = std::function<LinesOfSite()>;

  // `socket` is the path where the plugin listens; with an empty one nothing is judged or sent.
  // `clock` outlives the sender.
  VerdictSender(std::string socket, Judge judge, Lines lines, const Clock& clock,
                Nanoseconds every = kTellEvery);
  ~VerdictSender();

  // Thread-safe.
  VerdictStatus status() const { return *status_.Get(); }

 private:
  void Run(const std::stop_token& stop);
  void Tell(VerdictStatus& status);
  void Send(const std::string& message, VerdictStatus& status);

  const std::string socket_;
  const Judge judge_;
  const Lines lines_;
  const Clock& clock_;
  const Nanoseconds every_;
  FileDescriptor fd_;
  std::string last_error_;
  Snapshot<VerdictStatus> status_;
  std::jthread thread_;
};

}  // namespace fairlead::linkprobe
