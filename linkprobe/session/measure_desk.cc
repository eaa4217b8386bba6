#include "linkprobe/session/measure_desk.h"

#include <utility>

#include "common/base/log.h"
#include "common/units/duration.h"
#include "linkprobe/session/bulk_codec.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/peer_address.h"

namespace fairlead::linkprobe {

MeasureDesk::MeasureDesk(std::string node, const Snapshot<Plan>& plan, MeasureReceivers receivers,
                         const Clock& clock)
    : receivers_(std::move(receivers)),
      clock_(clock),
      admission_(std::move(node), plan, clock),
      expiry_([this](std::stop_token stop) { EndExpired(std::move(stop)); }) {}

MeasureDesk::~MeasureDesk() = default;

Result<v1::MeasureReply> MeasureDesk::Handle(const v1::MeasureRequest& request,
                                             const std::string& caller) {
  const auto admitted =
      admission_.Judge({.protocol_version = request.protocol_version(),
                        .from = request.tester_node(),
                        .to = request.receiver_node(),
                        .key_id = request.key_id(),
                        .nonce = request.nonce(),
                        .unix_time_ns = request.unix_time_ns()},
                       [&](std::span<const std::uint8_t> key) { return Verify(request, key); });
  if (!admitted.peer) return Fail(admitted.peer.error());
  auto reply = Act(request, *admitted.peer, caller);
  if (!reply) {
    LogWarning("bandwidth test refused",
               {{"tester", request.tester_node()}, {"error", reply.error().message}});
    return reply;
  }
  reply->set_nonce(request.nonce());
  if (auto sealed = Sign(*reply, admitted.peer->key_id, admitted.peer->key); !sealed) {
    return Fail(sealed.error());
  }
  return reply;
}

Result<v1::MeasureReply> MeasureDesk::Act(const v1::MeasureRequest& request,
                                          const PlannedPeer& peer, const std::string& caller) {
  v1::MeasureReply reply;
  std::lock_guard lock(mutex_);
  if (request.has_end()) {
    if (test_ && test_->tester == peer.node && test_->id == request.test_id()) test_.reset();
    return reply;
  }
  if (auto seated = Seat(request, peer); !seated) return Fail(seated.error());
  changed_.notify_all();
  Status done;
  switch (request.action_case()) {
    case v1::MeasureRequest::kBulk:
      done = OpenBulk(request.bulk(), reply);
      break;
    case v1::MeasureRequest::kTrain:
      done = OpenTrain(request.test_id(), caller, reply);
      break;
    case v1::MeasureRequest::kArrived: {
      auto& arrived = *reply.mutable_arrived();
      if (!test_->train) break;
      for (const TrainArrival& arrival : test_->train->Arrivals(request.arrived().train())) {
        arrived.add_index(arrival.index);
        arrived.add_at_ns(static_cast<std::uint64_t>(arrival.at_ns));
      }
      break;
    }
    case v1::MeasureRequest::kEnd:
      break;
    case v1::MeasureRequest::ACTION_NOT_SET:
      done = Fail(ErrorCode::kUnsupported, "this probe does not know the kind of test asked for");
      break;
  }
  if (!done) {
    test_.reset();
    return Fail(done.error());
  }
  return reply;
}

Status MeasureDesk::Seat(const v1::MeasureRequest& request, const PlannedPeer& peer) {
  const Nanoseconds lease = Milliseconds(request.lease_ms());
  if (lease <= Nanoseconds(0) || lease > kLongestLease || request.test_id() == 0) {
    return Fail(ErrorCode::kInvalidArgument, "a test needs an id and a lease of 1ms.." +
                                                 FormatDuration(kLongestLease) + ", not " +
                                                 FormatDuration(lease));
  }
  const MonotonicTime now = clock_.Now();
  if (test_ && now < test_->until &&
      (test_->id != request.test_id() || test_->tester != peer.node)) {
    return Fail(ErrorCode::kResourceExhausted,
                "node \"" + test_->tester + "\" is testing with this node; its lease ends in " +
                    HumanDuration(test_->until - now) + " unless it is done before");
  }
  if (!test_ || test_->id != request.test_id() || test_->tester != peer.node) {
    test_.emplace(Test{.tester = peer.node, .id = request.test_id()});
  }
  test_->until = now + lease;
  return {};
}

Status MeasureDesk::OpenBulk(const v1::BulkEnd& sender, v1::MeasureReply& reply) {
  if (!receivers_.bulk) {
    return Fail(ErrorCode::kUnsupported, "this probe has no RDMA device to be written to");
  }
  const auto theirs = FromProto(sender);
  if (!theirs) return Fail(theirs.error());
  test_->bulk.reset();  // two buffers of one test are never needed
  auto receiver = receivers_.bulk(*theirs);
  if (!receiver) return Fail(receiver.error());
  ToProto((*receiver)->end(), *reply.mutable_bulk());
  test_->bulk = std::move(*receiver);
  return {};
}

Status MeasureDesk::OpenTrain(std::uint64_t test_id, const std::string& caller,
                              v1::MeasureReply& reply) {
  if (!receivers_.train) return Fail(ErrorCode::kUnsupported, "this probe takes no trains");
  auto receiver = receivers_.train(test_id);
  if (!receiver) return Fail(receiver.error());
  const auto own = EndpointsTowards({Endpoint{.kind = TransportKind::kUdp}}, caller);
  if (!own) return Fail(own.error());
  reply.mutable_train()->set_port((*receiver)->port());
  reply.mutable_train()->set_address(own->front().address);
  test_->train = std::move(*receiver);
  return {};
}

std::string MeasureDesk::tester() const {
  std::lock_guard lock(mutex_);
  return test_ ? test_->tester : std::string();
}

void MeasureDesk::EndExpired(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!test_) {
      changed_.wait(lock, stop, [this] { return test_.has_value(); });
      continue;
    }
    const MonotonicTime until = test_->until;
    changed_.wait_until(lock, stop, until, [&] { return !test_ || test_->until != until; });
    if (!stop.stop_requested() && test_ && clock_.Now() >= test_->until) {
      LogWarning("bandwidth test not ended by its tester", {{"tester", test_->tester}});
      test_.reset();
    }
  }
}

}  // namespace fairlead::linkprobe
