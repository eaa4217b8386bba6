// A tester's requests to the node that it tests with.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "fairlead/v1/session.pb.h"
#include "linkprobe/bandwidth/train_estimate.h"
#include "linkprobe/session/plan.h"
#include "linkprobe/transport/bulk.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc

namespace fairlead::linkprobe {

// Where the packets of trains go.
struct TrainTarget {
  std::string address;  // IP literal
  std::uint16_t port = 0;
};

// One test with one peer; tells the peer when it is over. Each call waits for its answer, at most
// 10 s. Every answer is verified. Used by one thread.
class MeasureCall {
 public:
  // `lease`, counted from each call, bounds what a tester that dies leaves behind. `clock` outlives
  // it. `stop` cuts a call off, but for the one that tells the peer of the end, which waits 1 s.
  MeasureCall(std::shared_ptr<grpc::Channel> channel, std::string node, PlannedPeer peer,
              Nanoseconds lease, const Clock& clock, std::stop_token stop = {});
  ~MeasureCall();

  Result<BulkEnd> OpenBulk(const BulkEnd& sender);
  // Trains go to the address at which the peer has just answered. What it names itself counts for
  // nothing, so that no peer can turn them against a third party.
  Result<TrainTarget> OpenTrain();
  Result<std::vector<TrainArrival>> Arrivals(std::uint32_t train);
  std::uint64_t test_id() const { return test_id_; }

 private:
  Result<v1::MeasureReply> Call(v1::MeasureRequest request);
  Result<v1::MeasureReply> Exchange(v1::MeasureRequest request, grpc::ClientContext& context);

  const std::shared_ptr<grpc::Channel> channel_;
  const std::string node_;
  const PlannedPeer peer_;
  const Nanoseconds lease_;
  const Clock& clock_;
  const std::stop_token stop_;
  const std::uint64_t test_id_;
  bool begun_ = false;
  std::string peer_host_;  // IP literal at which the peer answered last
};

}  // namespace fairlead::linkprobe
