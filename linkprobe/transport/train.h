// The seam between a dispersion train and the sockets that carry it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "linkprobe/bandwidth/train_estimate.h"

namespace fairlead::linkprobe {

// Stamps the packets of one test's trains as they arrive.
class TrainReceiver {
 public:
  virtual ~TrainReceiver() = default;
  virtual std::uint16_t port() const = 0;
  // What has arrived of one train; of those kept, the newest few.
  virtual std::vector<TrainArrival> Arrivals(std::uint32_t train) const = 0;
};

using TrainReceiverFactory =
    std::function<Result<std::unique_ptr<TrainReceiver>>(std::uint64_t test_id)>;

}  // namespace fairlead::linkprobe
