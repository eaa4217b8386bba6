// One bandwidth test with a peer, from agreeing on it to what it found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/bandwidth/saturation_ramp.h"
#include "linkprobe/saturate/round_trip_tap.h"
#include "linkprobe/saturate/train_run.h"
#include "linkprobe/session/measure_call.h"
#include "linkprobe/transport/bulk.h"

namespace fairlead::linkprobe {

struct LineTestWish {
  bool train = false;    // dispersion trains instead of RDMA writes
  std::string device{};  // RDMA device; empty: the best usable one
  std::uint8_t traffic_class = 0;
  std::uint32_t queue_pairs = 4;
  Nanoseconds hold = Seconds(1);
  Nanoseconds longest = Seconds(110);
  std::optional<double> ceiling_bytes_per_second{};  // grow no further
};

// What to reserve of `allowed` bytes: a program that dies has spent all of it, so that trains,
// which never send more than some megabytes, are not to take a whole day's. Pure.
constexpr std::uint64_t WantedBytes(bool train, std::uint64_t allowed) {
  return train ? std::min(allowed, kMostTrains * kMostTrainBytes) : allowed;
}

// Of the two results one is set.
struct LineTestFound {
  std::optional<SaturationResult> saturation{};
  std::optional<TrainResult> train{};
  double frame_bytes_per_payload = 1;  // of a saturation test
  std::uint32_t path_mtu_bytes = 4096;

  // On the wire, headers included; nothing where nothing was measured.
  std::optional<double> BytesPerSecond() const;
  // Whether what was measured is the line's, and not merely something it can do.
  bool IsCapacity() const;
  // False where harm, silence or a quota ended it, so that what was measured is no result.
  bool CameToItsEnd() const;
  // "saturation" or "train".
  std::string_view Source() const { return train ? "train" : "saturation"; }
};

// What is around a test. `go_on` is asked several times a second, false ends it; `show` is told how
// far a saturation test is. `stop` cuts waits short.
struct LineTestRim {
  const Clock& clock;
  ByteBudget& budget;
  RoundTripTap& tap;
  std::function<bool()> go_on = [] { return true; };
  std::function<void(const RampProgress&)> show = [](const RampProgress&) {};
  std::stop_token stop{};
};

// Used by one thread.
class LineTest {
 public:
  // Readies both ends; nothing of the test is sent yet. `call` outlives it.
  static Result<LineTest> Agree(const LineTestWish& wish, MeasureCall& call);

  // Once. An error where the test found nothing; kResourceExhausted where that is for want of
  // bytes.
  Result<LineTestFound> Run(Nanoseconds idle_rtt, const LineTestRim& rim);

 private:
  LineTest(const LineTestWish& wish, MeasureCall& call) : wish_(wish), call_(call) {}

  Result<LineTestFound> Saturate(Nanoseconds idle_rtt, const LineTestRim& rim);
  Result<LineTestFound> SendTrains(Nanoseconds idle_rtt, const LineTestRim& rim);
  Result<TrainResult> TrainsOf(Nanoseconds idle_rtt, const LineTestRim& rim,
                               std::uint32_t payload_bytes);

  LineTestWish wish_;
  MeasureCall& call_;
  // Of the two kinds one is readied.
  std::unique_ptr<BulkSender> sender_;
  BulkEnd receiver_;
  std::optional<TrainTarget> trains_;
};

}  // namespace fairlead::linkprobe
