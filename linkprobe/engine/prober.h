// The probing half of an engine: sends to every session's peer and measures by the replies.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/auth/packet_key.h"
#include "linkprobe/engine/engine_command.h"
#include "linkprobe/engine/engine_settings.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/engine/sent_tokens.h"
#include "linkprobe/monitor/path_monitor.h"
#include "linkprobe/pacing/probe_schedule.h"
#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {

// Used by one thread; reads no clock but the one given, and only to stamp.
class Prober {
 public:
  Prober(const EngineSettings& settings, const Clock& clock, SentTokens& tokens);

  // The transport to use from now on; null while there is none. Sessions end with their transport,
  // what was measured stays.
  void SetTransport(Transport* transport);

  // Starts or replaces the session with a peer.
  Status Open(const OpenProberSession& session, MonotonicTime now);
  // Forgets a peer with everything measured.
  void Forget(const std::string& node);
  // Forgets all that are not in `peers`; what is said of the others holds from now on, also for
  // paths that are yet to come.
  void Retain(const std::map<std::string, ProbedPeer>& peers, MonotonicTime now);
  void SetDetectorSettings(const DetectorSettings& settings);

  // When SendDue has something to do; nothing while there is no session.
  std::optional<MonotonicTime> NextSend() const { return schedule_.NextDue(); }
  void SendDue(MonotonicTime now);
  // Whether Tick has anything to watch.
  bool active() const { return !sessions_.empty(); }

  // Whether a session of this id is ours; `OnReply` then judges the packet.
  bool Owns(std::uint64_t session_id) const { return sessions_.contains(session_id); }
  // Nothing when the reply was taken, else why not.
  std::optional<DropReason> OnReply(const Packet& reply, const ReceivedPacket& raw);
  void OnSent(const SentPacket& packet, MonotonicTime sent);
  void OnHostLateness(Nanoseconds lateness, MonotonicTime now);
  // Times out probes and steps the detectors; logs changed states.
  void Tick(MonotonicTime now);

  void Describe(MonotonicTime now, EngineSnapshot& snapshot) const;
  std::uint64_t send_failures() const { return send_failures_; }

 private:
  struct Path {
    PathMonitor monitor;
    std::shared_ptr<const Destination> destination{};  // null while there is no session
    PathEnds ends{};                                   // of that session
    std::optional<MonotonicTime> last_reply{};
    LinkState logged = LinkState::kUnknown;         // newest state that was not a mere suspicion
    std::map<std::uint64_t, MonotonicTime> sent{};  // newest send stamps, for on_reply only
  };
  struct Peer {
    std::string site;
    Nanoseconds floor_rtt{};
    std::uint64_t session_id = 0;  // 0: none
    MonotonicTime opened{};
    std::optional<MonotonicTime> last_reply;  // in this session
    std::optional<PacketKey> key;
    std::vector<Path> paths;
    std::uint64_t first_stream = 0;  // path i is stream first_stream + i
  };
  using Peers = std::map<std::string, Peer>;

  void AddPaths(const std::string& node, Peer& peer, std::size_t count, MonotonicTime now);
  void EndSession(Peer& peer);
  void SendProbe(Peer& peer, std::uint8_t path_index);
  void Erase(Peers::iterator peer);
  static void LogVerdict(const std::string& node, const Peer& peer, std::size_t index, Path& path);

  const EngineSettings settings_;
  DetectorSettings detector_;
  const Clock& clock_;
  SentTokens& tokens_;
  Transport* transport_ = nullptr;
  ProbeSchedule schedule_;
  Peers peers_;
  std::set<std::string> tested_;  // peers whose line is being tested, with a session or without
  std::map<std::uint64_t, Peers::iterator> sessions_;  // by session id
  std::map<std::uint64_t, Peers::iterator> streams_;   // by first stream of the peer
  std::uint64_t next_stream_ = 0;
  std::uint64_t send_failures_ = 0;
};

}  // namespace fairlead::linkprobe
