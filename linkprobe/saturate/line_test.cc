#include "linkprobe/saturate/line_test.h"

#include <algorithm>
#include <utility>

#include "linkprobe/advice/window_advice.h"
#include "linkprobe/bandwidth/wire_bytes.h"
#include "linkprobe/saturate/saturation_run.h"
#include "linkprobe/transport/open_bulk.h"
#include "linkprobe/udp/train_socket.h"

namespace fairlead::linkprobe {
namespace {

// What a train's packet may be where the route's MTU is not what this host takes it for.
constexpr std::uint32_t kTrainPayload = 1'400;

// An error of a saturation test, which ends in order where its bytes are spent: a device or a host
// without room is no want of bytes.
tl::unexpected<Error> NotOfBytes(const Error& error) {
  const bool room = error.code == ErrorCode::kResourceExhausted;
  return Fail(room ? ErrorCode::kUnavailable : error.code, error.message);
}

}  // namespace

std::optional<double> LineTestFound::BytesPerSecond() const {
  if (train) return train->estimate.bytes_per_second;
  if (saturation && saturation->delivery) {
    return saturation->delivery->bytes_per_second * frame_bytes_per_payload;
  }
  return std::nullopt;
}

bool LineTestFound::IsCapacity() const {
  if (saturation) return saturation->end == SaturationEnd::kLine;
  return train && !train->sender_bound;
}

bool LineTestFound::CameToItsEnd() const {
  if (!saturation) return true;
  switch (saturation->end) {
    case SaturationEnd::kLine:
    case SaturationEnd::kSender:
    case SaturationEnd::kTarget:
      return true;
    case SaturationEnd::kHarm:
    case SaturationEnd::kQuota:
    case SaturationEnd::kSilent:
    case SaturationEnd::kNoReplies:
      return false;
  }
  return false;
}

Result<LineTest> LineTest::Agree(const LineTestWish& wish, MeasureCall& call) {
  LineTest test(wish, call);
  if (wish.train) {
    const auto target = call.OpenTrain();
    if (!target) return Fail(target.error());
    test.trains_ = *target;
    return test;
  }
  auto sender = OpenBulkSender(wish.device, wish.traffic_class, wish.queue_pairs);
  if (!sender) {
    return Fail(sender.error().Within("a saturation test needs RDMA (trains do without)"));
  }
  const auto receiver = call.OpenBulk((*sender)->end());
  if (!receiver) return Fail(receiver.error());
  test.sender_ = std::move(*sender);
  test.receiver_ = *receiver;
  return test;
}

Result<LineTestFound> LineTest::Run(Nanoseconds idle_rtt, const LineTestRim& rim) {
  return wish_.train ? SendTrains(idle_rtt, rim) : Saturate(idle_rtt, rim);
}

Result<LineTestFound> LineTest::Saturate(Nanoseconds idle_rtt, const LineTestRim& rim) {
  const auto timing = AdviseWindow({.rtt = idle_rtt, .rate_bits_per_second = 1'000'000'000});
  if (!timing) return Fail(timing.error());
  if (auto done = sender_->Connect(receiver_, timing->ack_timeout); !done) {
    return NotOfBytes(done.error());
  }
  LineTestFound found;
  found.path_mtu_bytes = sender_->end().path_mtu_bytes;
  const auto& gid = sender_->end().queues.front().gid;
  const bool ipv6 = std::any_of(gid.begin(), gid.begin() + 10, [](auto byte) { return byte != 0; });
  found.frame_bytes_per_payload = FrameBytesPerPayload(found.path_mtu_bytes, ipv6);
  const RampSettings settings{.start_bytes = 8ULL * found.path_mtu_bytes,
                              .target_bytes_per_second = wish_.ceiling_bytes_per_second,
                              .hold = wish_.hold};
  rim.tap.Clear();
  const auto result = RunSaturation({.sender = *sender_,
                                     .budget = rim.budget,
                                     .round_trips = rim.tap.mailbox(),
                                     .clock = rim.clock,
                                     .path_mtu_bytes = found.path_mtu_bytes,
                                     .watch =
                                         [&](const RampProgress& progress) {
                                           rim.show(progress);
                                           return !rim.stop.stop_requested() && rim.go_on();
                                         }},
                                    settings, wish_.longest);
  if (!result) return NotOfBytes(result.error());
  found.saturation = *result;
  return found;
}

Result<TrainResult> LineTest::TrainsOf(Nanoseconds idle_rtt, const LineTestRim& rim,
                                       std::uint32_t payload_bytes) {
  auto sender = TrainSender::Open(trains_->address, trains_->port, wish_.traffic_class,
                                  call_.test_id(), payload_bytes);
  if (!sender) return Fail(sender.error());
  return RunTrains({.call = call_,
                    .sender = *sender,
                    .budget = rim.budget,
                    .clock = rim.clock,
                    .rtt = idle_rtt,
                    .stop = rim.stop,
                    .watch = [&](double) { return rim.go_on(); }});
}

Result<LineTestFound> LineTest::SendTrains(Nanoseconds idle_rtt, const LineTestRim& rim) {
  auto result = TrainsOf(idle_rtt, rim, 0);
  // Packets of the full MTU may vanish on the way where those that fit anywhere do not.
  if (!result && result.error().code == ErrorCode::kNotFound) {
    result = TrainsOf(idle_rtt, rim, kTrainPayload);
  }
  if (!result) return Fail(result.error());
  LineTestFound found;
  found.train = *result;
  return found;
}

}  // namespace fairlead::linkprobe
