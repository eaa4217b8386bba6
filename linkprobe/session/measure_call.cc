#include "linkprobe/session/measure_call.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "common/base/log.h"
#include "fairlead/v1/session.grpc.pb.h"
#include "linkprobe/session/bulk_codec.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/peer_address.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kCallTimeout = Seconds(10);
constexpr Nanoseconds kFarewellTimeout = Seconds(1);

}  // namespace

MeasureCall::MeasureCall(std::shared_ptr<grpc::Channel> channel, std::string node, PlannedPeer peer,
                         Nanoseconds lease, const Clock& clock, std::stop_token stop)
    : channel_(std::move(channel)),
      node_(std::move(node)),
      peer_(std::move(peer)),
      lease_(lease),
      clock_(clock),
      stop_(std::move(stop)),
      test_id_(RandomId()) {}

MeasureCall::~MeasureCall() {
  if (!begun_) return;
  v1::MeasureRequest request;
  request.mutable_end();
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kFarewellTimeout);
  if (const auto ended = Exchange(std::move(request), context); !ended) {
    LogWarning("the peer was not told that the test is over",
               {{"peer", peer_.session_address}, {"error", ended.error().message}});
  }
}

Result<v1::MeasureReply> MeasureCall::Call(v1::MeasureRequest request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
  const std::stop_callback cancel(stop_, [&context] { context.TryCancel(); });
  return Exchange(std::move(request), context);
}

Result<v1::MeasureReply> MeasureCall::Exchange(v1::MeasureRequest request,
                                               grpc::ClientContext& context) {
  request.set_protocol_version(kSessionProtocolVersion);
  request.set_tester_node(node_);
  request.set_receiver_node(peer_.node);
  request.set_test_id(test_id_);
  request.set_nonce(RandomNonce());
  request.set_unix_time_ns(static_cast<std::uint64_t>(clock_.WallNow().time_since_epoch().count()));
  request.set_lease_ms(
      static_cast<std::uint32_t>(std::chrono::duration_cast<Milliseconds>(lease_).count()));
  if (auto sealed = Sign(request, peer_.key_id, peer_.key); !sealed) return Fail(sealed.error());

  v1::MeasureReply reply;
  const grpc::Status status =
      v1::LinkSession::NewStub(channel_)->Measure(&context, request, &reply);
  // The peer may have taken what was cut off here.
  begun_ = begun_ || status.error_code() == grpc::StatusCode::CANCELLED ||
           status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    return Fail(ErrorCode::kUnsupported,
                peer_.session_address + " takes no bandwidth tests; its program is older");
  }
  if (!status.ok()) {
    return Fail(ErrorCode::kUnavailable, peer_.session_address + ": " + status.error_message());
  }
  if (auto verified = Verify(reply, peer_.key_id, peer_.key); !verified) {
    return Fail(verified.error());
  }
  if (reply.nonce() != request.nonce()) {
    return Fail(ErrorCode::kUnauthenticated, "the answer belongs to another request");
  }
  begun_ = true;
  peer_host_ = HostOfPeer(context.peer());
  return reply;
}

Result<BulkEnd> MeasureCall::OpenBulk(const BulkEnd& sender) {
  v1::MeasureRequest request;
  ToProto(sender, *request.mutable_bulk());
  const auto reply = Call(std::move(request));
  if (!reply) return Fail(reply.error());
  return FromProto(reply->bulk());
}

Result<TrainTarget> MeasureCall::OpenTrain() {
  v1::MeasureRequest request;
  request.mutable_train();
  const auto reply = Call(std::move(request));
  if (!reply) return Fail(reply.error());
  const std::uint32_t port = reply->train().port();
  if (port == 0 || port > 65535) {
    return Fail(ErrorCode::kInvalidArgument, "node \"" + peer_.node + "\" names port " +
                                                 std::to_string(port) +
                                                 " for trains; it is one of 1..65535");
  }
  if (peer_host_.empty()) {
    return Fail(ErrorCode::kUnsupported, peer_.session_address +
                                             " is no address of a network, so that no trains can "
                                             "be sent to it");
  }
  return TrainTarget{.address = peer_host_, .port = static_cast<std::uint16_t>(port)};
}

Result<std::vector<TrainArrival>> MeasureCall::Arrivals(std::uint32_t train) {
  v1::MeasureRequest request;
  request.mutable_arrived()->set_train(train);
  const auto reply = Call(std::move(request));
  if (!reply) return Fail(reply.error());
  const v1::TrainArrivals& arrived = reply->arrived();
  if (arrived.index_size() != arrived.at_ns_size()) {
    return Fail(ErrorCode::kInvalidArgument, "the answer's packets and stamps differ in number");
  }
  std::vector<TrainArrival> arrivals;
  for (int i = 0; i < arrived.index_size(); ++i) {
    arrivals.push_back(
        {.index = arrived.index(i), .at_ns = static_cast<std::int64_t>(arrived.at_ns(i))});
  }
  return arrivals;
}

}  // namespace fairlead::linkprobe
