// The engine's thread over real sockets on the loopback, and over transports that fail.
#include "linkprobe/engine/probe_engine.h"

#include <gtest/gtest.h>

#include <atomic>

#include "linkprobe/engine/wake_up.h"
#include "linkprobe/udp/udp_transport.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

const std::vector<std::uint8_t> kKey(32, 0x42);

EngineSettings Settings(std::uint64_t epoch) {
  EngineSettings settings{.epoch = epoch, .seed = epoch, .probes_per_second = 200};
  settings.detector.window = Milliseconds(50);
  return settings;
}

TransportFactory Loopback() {
  return [] { return CreateUdpTransport({.host = "127.0.0.1", .paths = 2}); };
}

void Connect(ProbeEngine& prober, ProbeEngine& responder, std::uint64_t session_id) {
  responder.Post(OpenResponderSession{
      .grant =
          {.session_id = session_id, .prober = "a", .prober_epoch = 1, .key_id = 3, .paths = 2},
      .key = kKey,
      .endpoints = prober.Latest()->endpoints});
  prober.Post(OpenProberSession{.peer_node = "b",
                                .peer_site = "sg",
                                .session_id = session_id,
                                .peer_epoch = 2,
                                .key_id = 3,
                                .key = kKey,
                                .endpoints = responder.Latest()->endpoints});
}

TEST(ProbeEngineTest, TwoEnginesMeasureTheLoopback) {
  const SystemClock clock;
  ProbeEngine a(TransportKind::kUdp, Settings(1), Loopback(), clock);
  ProbeEngine b(TransportKind::kUdp, Settings(2), Loopback(), clock);
  ASSERT_TRUE(WaitFor([&] { return a.Latest()->transport_up && b.Latest()->transport_up; }));
  Connect(a, b, 77);
  ASSERT_TRUE(WaitFor([&] {
    const auto seen = a.Latest();
    return seen->paths.size() == 2 && seen->paths[0].totals.answered > 20 &&
           seen->paths[1].totals.answered > 20;
  }));
  const auto seen = a.Latest();
  EXPECT_EQ(seen->rung, TransportRung::kUdpSw);
  ASSERT_TRUE(seen->paths.front().measurement.rtt_p50);
  EXPECT_GT(*seen->paths.front().measurement.rtt_p50, Nanoseconds(0));
  EXPECT_EQ(seen->paths.front().measurement.forward.hops, 0U);
  EXPECT_GT(b.Latest()->counters.replies_sent, 0U);
  EXPECT_TRUE(WaitFor([&] {
    const auto state = a.Latest();
    return state->lateness.total > 10 && state->lateness_p90;
  })) << "sending is timed";
  a.Post(RetainPeers{});
  EXPECT_TRUE(WaitFor([&] { return a.Latest()->paths.empty(); }));
}

// Fails as soon as it is told to, as a device that was pulled out.
class FailingTransport final : public Transport {
 public:
  explicit FailingTransport(const WakeUp& pull) : pull_(pull) {}

  TransportKind kind() const override { return TransportKind::kRdmaUd; }
  TransportRung rung() const override { return TransportRung::kRdmaUdSw; }
  std::vector<Endpoint> LocalEndpoints() const override {
    return {Endpoint{.kind = TransportKind::kRdmaUd}};
  }
  std::vector<int> Descriptors() const override { return {pull_.descriptor()}; }
  Result<std::shared_ptr<const Destination>> Resolve(std::uint32_t, const Endpoint&) override {
    return std::make_shared<const Nowhere>();
  }
  Status Send(std::uint32_t, const Destination&, std::span<const std::uint8_t>,
              std::uint64_t) override {
    return Fail(ErrorCode::kUnavailable, "no carrier");
  }
  Status Drain(int, TransportEvents&) override {
    pull_.Clear();
    return Fail(ErrorCode::kUnavailable, "device fatal");
  }

 private:
  struct Nowhere final : Destination {};
  const WakeUp& pull_;
};

TEST(ProbeEngineTest, ALostDeviceIsBuiltAnew) {
  const SystemClock clock;
  WakeUp pull;
  ProbeEngine engine(
      TransportKind::kRdmaUd, Settings(1),
      [&]() -> Result<std::unique_ptr<Transport>> {
        return std::make_unique<FailingTransport>(pull);
      },
      clock);
  ASSERT_TRUE(WaitFor([&] { return engine.Latest()->transport_up; }));
  engine.Post(OpenProberSession{.peer_node = "b",
                                .session_id = 5,
                                .key_id = 3,
                                .key = kKey,
                                .endpoints = {Endpoint{.kind = TransportKind::kRdmaUd}}});
  ASSERT_TRUE(WaitFor([&] { return engine.Latest()->counters.send_failures > 3; }));
  EXPECT_EQ(engine.Latest()->paths.front().totals.sent, 0U) << "a failed send is no loss";
  pull.Signal();
  ASSERT_TRUE(WaitFor([&] { return engine.Latest()->counters.rebuilds == 1; }));
  EXPECT_TRUE(engine.Latest()->sessions.empty()) << "sessions end with their transport";
}

TEST(ProbeEngineTest, ATransportThatCannotBeBuiltIsTriedAgain) {
  const SystemClock clock;
  std::atomic<int> attempts{0};
  ProbeEngine engine(
      TransportKind::kUdp, Settings(1),
      [&]() -> Result<std::unique_ptr<Transport>> {
        if (++attempts < 3) return Fail(ErrorCode::kUnavailable, "port is taken");
        return CreateUdpTransport({.host = "127.0.0.1"});
      },
      clock);
  ASSERT_TRUE(WaitFor([&] { return engine.Latest()->transport_up; }));
  EXPECT_EQ(attempts.load(), 3);
  EXPECT_EQ(engine.Latest()->transport_error, "");
}

TEST(ProbeEngineTest, AFloodOfCommandsIsCountedNotWaitedFor) {
  const SystemClock clock;
  ProbeEngine engine(TransportKind::kUdp, Settings(1), Loopback(), clock);
  for (int i = 0; i < 20'000; ++i) engine.Post(RetainPeers{});
  EXPECT_TRUE(WaitFor([&] { return engine.last_turn() > MonotonicTime{}; }));
}

}  // namespace
}  // namespace fairlead::linkprobe
