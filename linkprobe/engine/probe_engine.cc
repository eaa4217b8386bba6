#include "linkprobe/engine/probe_engine.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "common/base/backoff.h"
#include "common/base/file_descriptor.h"
#include "common/base/log.h"
#include "common/base/mailbox.h"
#include "common/base/snapshot.h"
#include "linkprobe/engine/host_lateness.h"
#include "linkprobe/engine/packet_router.h"
#include "linkprobe/engine/wake_up.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kCommandsWaiting = 4096;
// The estimator times out and the detector steps at this pace while there is anything to measure.
constexpr Nanoseconds kTick = Milliseconds(100);
// What must be done now and then waits this long for something else to wake the loop.
constexpr Nanoseconds kTickSlack = Milliseconds(50);
// An idle loop is timed about once a second.
constexpr Nanoseconds kLeastLatenessSpan = Seconds(3);
constexpr Nanoseconds kFirstRebuild = Milliseconds(100);
constexpr Nanoseconds kLargestRebuild = Seconds(10);

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// epoll counts whole milliseconds; rounding up avoids waking just before the time.
int TimeoutMilliseconds(Nanoseconds wait) {
  if (wait <= Nanoseconds::zero()) return 0;
  return static_cast<int>(std::chrono::ceil<Milliseconds>(wait).count());
}

}  // namespace

struct ProbeEngine::State {
  State(TransportKind k, const EngineSettings& s, TransportFactory f, const Clock& c)
      : kind(k),
        publish_interval(s.detector.window),
        factory(std::move(f)),
        clock(c),
        rebuild(kFirstRebuild, kLargestRebuild, s.seed),
        prober(s, c, tokens),
        responder(c, tokens),
        router(prober, responder, tokens) {}

  void Run(std::stop_token stop);
  void Wait(MonotonicTime until);
  MonotonicTime NextTurn(MonotonicTime now) const;
  void Build(MonotonicTime now);
  void TearDown(const Error& why, MonotonicTime now);
  void Watch(int descriptor);
  void TakeCommands();
  void Apply(const EngineCommand& command, MonotonicTime now);
  void Publish(MonotonicTime now);

  const TransportKind kind;
  const Nanoseconds publish_interval;
  const TransportFactory factory;
  const Clock& clock;
  const FileDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
  const WakeUp wake_up;
  Mailbox<EngineCommand> commands{kCommandsWaiting};
  Snapshot<EngineSnapshot> snapshot;
  std::atomic<std::uint64_t> lost_commands{0};
  std::atomic<std::int64_t> last_turn{0};

  Backoff rebuild;
  SentTokens tokens;
  Prober prober;
  Responder responder;
  PacketRouter router;
  HostLateness lateness;
  std::unique_ptr<Transport> transport;  // after what holds its destinations
  std::string transport_error = "not built yet";
  std::uint64_t builds = 0;
  MonotonicTime next_build{};
  MonotonicTime next_tick{};
  MonotonicTime next_publish{};
  std::jthread thread;
};

void ProbeEngine::State::Watch(int descriptor) {
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  wanted.data.fd = descriptor;
  if (::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, descriptor, &wanted) != 0) {
    LogError("cannot watch descriptor", {{"error", std::strerror(errno)}});
  }
}

void ProbeEngine::State::Build(MonotonicTime now) {
  auto built = factory();
  if (!built) {
    next_build = now + rebuild.Next();
    if (transport_error != built.error().message) {
      LogWarning("transport not available",
                 {{"transport", TransportKindName(kind)}, {"error", built.error().message}});
    }
    transport_error = built.error().message;
    return;
  }
  transport = std::move(*built);
  transport_error.clear();
  ++builds;
  prober.SetTransport(transport.get());
  responder.SetTransport(transport.get());
  for (const int descriptor : transport->Descriptors()) Watch(descriptor);
  LogInfo("transport is up", {{"transport", TransportKindName(kind)},
                              {"rung", TransportRungName(transport->rung())},
                              {"paths", transport->LocalEndpoints().size()}});
}

void ProbeEngine::State::TearDown(const Error& why, MonotonicTime now) {
  LogWarning("transport is gone", {{"transport", TransportKindName(kind)}, {"error", why.message}});
  prober.SetTransport(nullptr);
  responder.SetTransport(nullptr);
  transport.reset();  // closing its descriptors takes them out of epoll
  transport_error = why.message;
  next_build = now + rebuild.Next();
}

void ProbeEngine::State::Apply(const EngineCommand& command, MonotonicTime now) {
  std::visit(Overloaded{[&](const OpenProberSession& session) {
                          const auto opened = prober.Open(session, now);
                          if (opened) return;
                          LogWarning("session not opened", {{"peer", session.peer_node},
                                                            {"role", "prober"},
                                                            {"error", opened.error().message}});
                        },
                        [&](const OpenResponderSession& session) {
                          const auto opened = responder.Open(session, now);
                          if (opened) return;
                          LogWarning("session not opened", {{"peer", session.grant.prober},
                                                            {"role", "responder"},
                                                            {"error", opened.error().message}});
                        },
                        [&](const RetainPeers& peers) {
                          prober.Retain(peers.probed, now);
                          responder.Retain(peers.answered);
                        },
                        [&](const ForgetProbedPeer& peer) { prober.Forget(peer.node); },
                        [&](const ChangeDetector& change) {
                          prober.SetDetectorSettings(change.settings);
                        }},
             command);
}

void ProbeEngine::State::TakeCommands() {
  wake_up.Clear();
  while (const auto command = commands.TryPop()) Apply(*command, clock.Now());
  Publish(clock.Now());
}

void ProbeEngine::State::Publish(MonotonicTime now) {
  EngineSnapshot next;
  next.at = now;
  next.kind = kind;
  next.transport_up = transport != nullptr;
  next.transport_error = transport_error;
  if (transport) {
    next.rung = transport->rung();
    next.nic = transport->nic();
    next.endpoints = transport->LocalEndpoints();
  }
  next.counters.send_failures = prober.send_failures();
  prober.Describe(now, next);
  responder.Describe(next);
  next.counters.clock_steps = router.clock_steps();
  next.counters.rebuilds = builds > 0 ? builds - 1 : 0;
  next.lateness = lateness.histogram();
  next.lateness_p90 = lateness.UsualSince(now - std::max(publish_interval, kLeastLatenessSpan));
  next.counters.lost_commands = lost_commands.load(std::memory_order_relaxed);
  snapshot.Publish(std::move(next));
  next_publish = now + publish_interval;
}

MonotonicTime ProbeEngine::State::NextTurn(MonotonicTime now) const {
  MonotonicTime next = next_publish + kTickSlack;
  if (!transport) next = std::min(next, next_build);
  if (const auto send = prober.NextSend()) next = std::min(next, *send);
  // Without a session there is nothing to time out, and an idle engine wakes once a window.
  if (prober.active()) next = std::min(next, next_tick + kTickSlack);
  return std::max(next, now);
}

void ProbeEngine::State::Wait(MonotonicTime until) {
  std::array<epoll_event, 16> ready;
  const MonotonicTime before = clock.Now();
  const int timeout = TimeoutMilliseconds(until - before);
  const int count =
      ::epoll_wait(epoll.get(), ready.data(), static_cast<int>(ready.size()), timeout);
  const MonotonicTime now = clock.Now();
  if (count == 0 && timeout > 0) {
    const Nanoseconds late = std::max(Nanoseconds::zero(), now - before - Milliseconds(timeout));
    lateness.Add(late, now);
    prober.OnHostLateness(late, now);
  }
  for (int i = 0; i < count; ++i) {
    const int descriptor = ready[static_cast<std::size_t>(i)].data.fd;
    if (descriptor == wake_up.descriptor()) {
      TakeCommands();
    } else if (transport) {
      if (auto drained = transport->Drain(descriptor, router); !drained) {
        TearDown(drained.error(), now);
        return;
      }
    }
  }
}

void ProbeEngine::State::Run(std::stop_token stop) {
  Watch(wake_up.descriptor());
  // A transport that stands for long starts the next rebuild without delay.
  MonotonicTime up_since = clock.Now();
  while (!stop.stop_requested()) {
    MonotonicTime now = clock.Now();
    last_turn.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    if (!transport) {
      up_since = now;
      if (now >= next_build) Build(now);
    } else if (now - up_since > kLargestRebuild) {
      rebuild.Reset();
    }
    Wait(NextTurn(now));
    now = clock.Now();
    prober.SendDue(now);
    if (now >= next_tick) {
      prober.Tick(now);
      responder.Tick(now);
      next_tick = now + kTick;
    }
    if (now >= next_publish) {
      if (transport) {
        if (auto checked = transport->Check(); !checked) TearDown(checked.error(), now);
      }
      Publish(now);
    }
  }
  prober.SetTransport(nullptr);
  responder.SetTransport(nullptr);
}

ProbeEngine::ProbeEngine(TransportKind kind, const EngineSettings& settings,
                         TransportFactory factory, const Clock& clock)
    : state_(std::make_unique<State>(kind, settings, std::move(factory), clock)) {
  state_->thread = std::jthread([state = state_.get()](std::stop_token stop) { state->Run(stop); });
}

ProbeEngine::~ProbeEngine() {
  state_->thread.request_stop();
  state_->wake_up.Signal();
  state_->thread.join();
}

void ProbeEngine::Post(EngineCommand command) {
  if (!state_->commands.Push(std::move(command))) {
    state_->lost_commands.fetch_add(1, std::memory_order_relaxed);
  }
  state_->wake_up.Signal();
}

std::shared_ptr<const EngineSnapshot> ProbeEngine::Latest() const { return state_->snapshot.Get(); }

MonotonicTime ProbeEngine::last_turn() const {
  return MonotonicTime(Nanoseconds(state_->last_turn.load(std::memory_order_relaxed)));
}

}  // namespace fairlead::linkprobe
