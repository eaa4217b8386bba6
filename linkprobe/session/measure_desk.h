// This node's end of the bandwidth tests that others make with it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "fairlead/v1/session.pb.h"
#include "linkprobe/session/admission.h"
#include "linkprobe/session/plan.h"
#include "linkprobe/transport/bulk.h"
#include "linkprobe/transport/train.h"

namespace fairlead::linkprobe {

inline constexpr Nanoseconds kLongestLease = Seconds(120);

// How the two kinds of test are received; an empty one is refused as unsupported.
struct MeasureReceivers {
  BulkReceiverFactory bulk{};
  TrainReceiverFactory train{};
};

// One test at a time: two would measure each other. A test ends when its tester says so, else with
// its lease. Thread-safe.
class MeasureDesk {
 public:
  // The references outlive the desk.
  MeasureDesk(std::string node, const Snapshot<Plan>& plan, MeasureReceivers receivers,
              const Clock& clock);
  ~MeasureDesk();

  // kResourceExhausted while another test goes on, with the time it has left. `caller` is the IP
  // literal that the request came from.
  Result<v1::MeasureReply> Handle(const v1::MeasureRequest& request, const std::string& caller);

  // Who is testing now; empty where nobody is.
  std::string tester() const;

 private:
  struct Test {
    std::string tester;
    std::uint64_t id = 0;
    MonotonicTime until{};
    std::unique_ptr<BulkReceiver> bulk{};
    std::unique_ptr<TrainReceiver> train{};
  };

  Result<v1::MeasureReply> Act(const v1::MeasureRequest& request, const PlannedPeer& peer,
                               const std::string& caller);
  Status Seat(const v1::MeasureRequest& request, const PlannedPeer& peer);
  Status OpenBulk(const v1::BulkEnd& sender, v1::MeasureReply& reply);
  Status OpenTrain(std::uint64_t test_id, const std::string& caller, v1::MeasureReply& reply);
  void EndExpired(std::stop_token stop);

  const MeasureReceivers receivers_;
  const Clock& clock_;
  Admission admission_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Test> test_;
  std::jthread expiry_;
};

}  // namespace fairlead::linkprobe
