#include "linkprobe/session/session_dialer.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "common/base/backoff.h"
#include "common/base/log.h"
#include "fairlead/v1/session.grpc.pb.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/open_call.h"
#include "linkprobe/session/redial.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kTurn = Milliseconds(500);
constexpr Nanoseconds kDialTimeout = Seconds(5);
constexpr Nanoseconds kFirstBackoff = Milliseconds(500);
constexpr Nanoseconds kLargestBackoff = Seconds(30);

using EngineStates = std::vector<std::shared_ptr<const EngineSnapshot>>;

// One attempt under way; its address is the tag in the completion queue.
struct Call {
  std::string node;
  PlannedPeer peer;
  v1::OpenRequest request;
  v1::OpenReply reply;
  grpc::ClientContext context;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<v1::OpenReply>> reader;
};

struct PeerDial {
  explicit PeerDial(std::uint64_t seed) : backoff(kFirstBackoff, kLargestBackoff, seed) {}

  std::string address;
  std::unique_ptr<v1::LinkSession::Stub> stub;
  Backoff backoff;
  MonotonicTime not_before{};
  bool in_flight = false;
  std::uint64_t session_id = 0;
  std::uint64_t peer_epoch = 0;
  MonotonicTime opened{};
  DialStatus status;
};

}  // namespace

struct SessionDialer::State {
  State(SessionIdentity i, const Snapshot<Plan>& p, std::vector<ProbeEngine*> e, Nanoseconds s,
        const SessionDesk& d, ChannelFactory f, const Clock& c)
      : identity(std::move(i)),
        plan(p),
        engines(std::move(e)),
        silence_allowed(s),
        desk(d),
        channels(std::move(f)),
        clock(c) {}

  void Run();
  void Turn();
  void TellEngines(const Plan& next);
  void Consider(const PlannedPeer& peer, const EngineStates& states, MonotonicTime now);
  void Dial(const PlannedPeer& peer, PeerDial& dial, const EngineStates& states);
  void Finish(std::unique_ptr<Call> call);
  void Failed(const std::string& node, PeerDial& dial, const std::string& error);

  SessionIdentity identity;
  const Snapshot<Plan>& plan;
  std::vector<ProbeEngine*> engines;
  const Nanoseconds silence_allowed;
  const SessionDesk& desk;
  ChannelFactory channels;
  const Clock& clock;

  grpc::CompletionQueue queue;
  grpc::Alarm stop_alarm;  // set once, by the destructor; ends Run
  std::map<std::string, PeerDial> dials;
  std::map<Call*, std::unique_ptr<Call>> calls;
  std::shared_ptr<const Plan> known_plan;
  Snapshot<std::map<std::string, DialStatus>> statuses;
  std::atomic<std::int64_t> last_turn{0};
  std::jthread thread;
};

void SessionDialer::State::TellEngines(const Plan& next) {
  RetainPeers retain;
  for (const PlannedPeer& peer : next.peers) {
    retain.answered.insert(peer.node);
    if (!peer.probe) continue;
    retain.probed[peer.node] = {
        .site = peer.site, .floor_rtt = peer.floor_rtt, .line_tested = peer.line_tested};
  }
  std::erase_if(dials, [&](const auto& dial) { return !retain.probed.contains(dial.first); });
  for (ProbeEngine* engine : engines) engine->Post(retain);
}

void SessionDialer::State::Turn() {
  const MonotonicTime now = clock.Now();
  last_turn.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  const auto current = plan.Get();
  if (!current->received()) return;
  if (current != known_plan) {
    TellEngines(*current);
    known_plan = current;
  }
  EngineStates states;
  for (const ProbeEngine* engine : engines) states.push_back(engine->Latest());
  for (const PlannedPeer& peer : current->peers) {
    if (peer.probe) Consider(peer, states, now);
  }
  std::map<std::string, DialStatus> all;
  for (const auto& [node, dial] : dials) all.emplace(node, dial.status);
  statuses.Publish(std::move(all));
}

void SessionDialer::State::Consider(const PlannedPeer& peer, const EngineStates& states,
                                    MonotonicTime now) {
  PeerDial& dial = dials.try_emplace(peer.node, RandomId()).first->second;
  DialFacts facts;
  facts.silence_allowed = silence_allowed;
  facts.in_flight = dial.in_flight;
  facts.not_before = dial.not_before;
  facts.session_peer_epoch = dial.peer_epoch;
  facts.seen_peer_epoch = desk.PeerEpoch(peer.node);
  facts.opened = dial.opened;
  for (const auto& state : states) {
    for (const ProberSessionStatus& session : state->sessions) {
      if (session.peer_node != peer.node || session.session_id != dial.session_id) continue;
      facts.has_session = true;
      facts.last_reply = session.last_reply;
    }
  }
  // An answered session is what ends a back-off; an opened one alone may be a line that eats
  // probes.
  if (facts.last_reply) dial.backoff.Reset();
  if (ShouldDial(facts, now)) Dial(peer, dial, states);
}

void SessionDialer::State::Dial(const PlannedPeer& peer, PeerDial& dial,
                                const EngineStates& states) {
  ++dial.status.attempts;
  dial.not_before = clock.Now() + dial.backoff.Next();
  auto request = BuildOpenRequest(identity, peer, states, clock.WallNow());
  if (!request) return Failed(peer.node, dial, request.error().message);
  if (!dial.stub || dial.address != peer.session_address) {
    auto channel = channels(peer.session_address);
    if (!channel) return Failed(peer.node, dial, channel.error().message);
    dial.stub = v1::LinkSession::NewStub(*channel);
    dial.address = peer.session_address;
  }
  auto call = std::make_unique<Call>();
  call->node = peer.node;
  call->peer = peer;
  call->request = std::move(*request);
  call->context.set_deadline(std::chrono::system_clock::now() + kDialTimeout);
  call->reader = dial.stub->AsyncOpen(&call->context, call->request, &queue);
  call->reader->Finish(&call->reply, &call->status, call.get());
  dial.in_flight = true;
  calls.emplace(call.get(), std::move(call));
}

void SessionDialer::State::Failed(const std::string& node, PeerDial& dial,
                                  const std::string& error) {
  ++dial.status.failures;
  if (dial.status.last_error != error) {
    LogWarning("session not opened", {{"peer", node}, {"role", "prober"}, {"error", error}});
  }
  dial.status.last_error = error;
}

void SessionDialer::State::Finish(std::unique_ptr<Call> call) {
  const auto found = dials.find(call->node);
  if (found == dials.end()) return;  // departed meanwhile
  PeerDial& dial = found->second;
  dial.in_flight = false;
  if (!call->status.ok()) return Failed(call->node, dial, call->status.error_message());
  auto opened = JudgeOpenReply(call->request, call->reply, call->peer);
  if (!opened) return Failed(call->node, dial, opened.error().message);
  dial.status.last_error.clear();
  dial.session_id = opened->session.session_id;
  dial.peer_epoch = opened->session.peer_epoch;
  dial.opened = clock.Now();
  // The engine's next snapshot will show the session; until then it must not count as missing.
  dial.not_before = std::max(dial.not_before, dial.opened + 2 * kTurn);
  LogInfo("session opened", {{"peer", call->node},
                             {"site", call->peer.site},
                             {"transport", TransportKindName(opened->kind)},
                             {"paths", opened->session.endpoints.size()}});
  for (ProbeEngine* engine : engines) {
    if (engine->Latest()->kind == opened->kind) {
      engine->Post(opened->session);
    } else {
      engine->Post(ForgetProbedPeer{call->node});
    }
  }
}

void SessionDialer::State::Run() {
  bool stopping = false;
  while (!stopping) {
    void* tag = nullptr;
    bool ok = false;
    const auto deadline = std::chrono::system_clock::now() + kTurn;
    while (queue.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT) {
      if (tag == &stop_alarm) {
        stopping = true;
        break;
      }
      if (auto node = calls.extract(static_cast<Call*>(tag))) Finish(std::move(node.mapped()));
    }
    if (!stopping) Turn();
  }
  for (auto& [tag, call] : calls) call->context.TryCancel();
  queue.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue.Next(&tag, &ok)) calls.erase(static_cast<Call*>(tag));
}

SessionDialer::SessionDialer(SessionIdentity identity, const Snapshot<Plan>& plan,
                             std::vector<ProbeEngine*> engines, double probes_per_second,
                             const SessionDesk& desk, ChannelFactory channels, const Clock& clock)
    : state_(std::make_unique<State>(std::move(identity), plan, std::move(engines),
                                     SilenceBeforeRedial(probes_per_second), desk,
                                     std::move(channels), clock)) {
  state_->thread = std::jthread([state = state_.get()] { state->Run(); });
}

SessionDialer::~SessionDialer() {
  // The queue shuts down only after this event, so the alarm never meets a closed queue.
  state_->stop_alarm.Set(&state_->queue, std::chrono::system_clock::now(), &state_->stop_alarm);
  state_->thread.join();
}

std::shared_ptr<const std::map<std::string, DialStatus>> SessionDialer::Latest() const {
  return state_->statuses.Get();
}

MonotonicTime SessionDialer::last_turn() const {
  return MonotonicTime(Nanoseconds(state_->last_turn.load(std::memory_order_relaxed)));
}

}  // namespace fairlead::linkprobe
