// Sends dispersion trains to a peer and collects what it saw.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/bandwidth/train_estimate.h"
#include "linkprobe/session/measure_call.h"
#include "linkprobe/udp/train_socket.h"

namespace fairlead::linkprobe {

inline constexpr std::uint64_t kMostTrainBytes = 1'000'000;  // of one train
inline constexpr std::uint32_t kMostTrains = 3 * kLeastTrains;

struct TrainInputs {
  MeasureCall& call;
  TrainSender& sender;
  ByteBudget& budget;
  const Clock& clock;
  Nanoseconds rtt{};
  std::stop_token stop{};  // cuts a wait for packets short and ends the test
  // Called after each train with its rate in bytes per second; false ends the test.
  std::function<bool(double bytes_per_second)> watch = [](double) { return true; };
};

struct TrainResult {
  TrainEstimate estimate;
  bool sender_bound = false;  // the packets left no faster than they arrived: a lower bound
};

// Trains of growing length, then kLeastTrains of the length that suits. An error where too few of
// them arrive (kNotFound where none does), the quota is spent, the peer fails or the watcher ends
// it.
Result<TrainResult> RunTrains(const TrainInputs& inputs);

}  // namespace fairlead::linkprobe
