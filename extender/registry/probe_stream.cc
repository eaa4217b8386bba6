#include "extender/registry/probe_stream.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <mutex>
#include <string>
#include <utility>

#include "common/base/log.h"
#include "common/net/grpc_status.h"
#include "extender/registry/plan_codec.h"

namespace fairlead::extender {
namespace {

// A probe reports at most ten times a second; the burst covers what a stalled connection held back.
constexpr double kBatchesPerSecond = 20;
constexpr double kBatchBurst = 40;
constexpr int kMaxPathsInBatch = 4096;
constexpr std::size_t kMaxMessageBytes = 4U << 20;

}  // namespace

// Outlives the stream where the loop still holds it. All calls into gRPC that can race with the
// stream's end are made under its lock.
class ProbeStream::Line final : public ProbeLine {
 public:
  explicit Line(ProbeStream* stream) : stream_(stream) {}

  void SendPlan(const NodePlan& plan) override {
    std::lock_guard lock(mutex_);
    if (finished_ || !stream_) return;
    pending_ = EncodePlan(plan);
    if (!writing_) StartNextWrite();
  }

  void Close(const Error& why) override { Finish(ToGrpcStatus(why)); }

  bool closed() const override {
    std::lock_guard lock(mutex_);
    return finished_;
  }

  void Finish(const grpc::Status& status) {
    std::lock_guard lock(mutex_);
    if (finished_ || !stream_) return;
    finished_ = true;
    status_ = status;
    // gRPC takes the status only after a write under way; OnWriteDone comes back here.
    if (!writing_) stream_->ProbeReactor::Finish(status_);
  }

  void WriteDone(bool ok) {
    std::lock_guard lock(mutex_);
    writing_ = false;
    if (finished_) {
      stream_->ProbeReactor::Finish(status_);
    } else if (!ok) {
      finished_ = true;
      stream_->ProbeReactor::Finish({grpc::StatusCode::UNAVAILABLE, "the probe has gone"});
    } else if (pending_) {
      StartNextWrite();
    }
  }

  void ReadNext(grpc::ByteBuffer* message) {
    std::lock_guard lock(mutex_);
    if (!finished_ && stream_) stream_->StartRead(message);
  }

  void Detach() {
    std::lock_guard lock(mutex_);
    finished_ = true;
    stream_ = nullptr;
  }

 private:
  void StartNextWrite() {
    bool own_buffer = false;
    outgoing_.Clear();
    grpc::SerializationTraits<v1::ProbePlan>::Serialize(*pending_, &outgoing_, &own_buffer);
    pending_.reset();
    writing_ = true;
    stream_->StartWrite(&outgoing_);
  }

  mutable std::mutex mutex_;
  ProbeStream* stream_;
  std::optional<v1::ProbePlan> pending_;
  grpc::ByteBuffer outgoing_;
  grpc::Status status_;
  bool writing_ = false;
  bool finished_ = false;
};

ProbeStream::ProbeStream(StreamContext context, std::string proven_node,
                         std::function<void()> on_done)
    : context_(context),
      proven_node_(std::move(proven_node)),
      on_done_(std::move(on_done)),
      line_(std::make_shared<Line>(this)),
      rate_(kBatchesPerSecond, kBatchBurst) {
  line_->ReadNext(&received_);
}

void ProbeStream::OnReadDone(bool ok) {
  if (!ok) return line_->Finish(grpc::Status::OK);
  if (!Decode()) return;
  switch (incoming_.body_case()) {
    case v1::ProbeMessage::kHello:
      TakeHello();
      break;
    case v1::ProbeMessage::kReports:
      TakeBatch();
      break;
    case v1::ProbeMessage::BODY_NOT_SET:
      Refuse({{ErrorCode::kInvalidArgument, "the message has no body that this version knows"},
              "empty_message"});
      break;
  }
  line_->ReadNext(&received_);
}

bool ProbeStream::Decode() {
  if (received_.Length() > kMaxMessageBytes) {
    Refuse({{ErrorCode::kResourceExhausted, "a message of " + std::to_string(received_.Length()) +
                                                " bytes; at most 4 MiB are read"},
            "too_large"});
    return false;
  }
  if (grpc::SerializationTraits<v1::ProbeMessage>::Deserialize(&received_, &incoming_).ok()) {
    return true;
  }
  Refuse({{ErrorCode::kInvalidArgument, "bytes that are no message; are both of one version?"},
          "undecodable"});
  return false;
}

void ProbeStream::TakeHello() {
  if (identity_) {
    return Refuse({{ErrorCode::kInvalidArgument, "a second Hello on one stream; open a new one"},
                   "second_hello"});
  }
  auto identity =
      CheckIdentity(DecodeHello(incoming_.hello()), proven_node_, context_.setup.Get()->inventory);
  if (!identity) return Refuse(identity.error());
  identity_ = *std::move(identity);
  if (!context_.loop.Joined(*identity_, line_)) {
    Refuse({{ErrorCode::kResourceExhausted, "the extender is overloaded; try again"}, "overload"});
  }
}

void ProbeStream::TakeBatch() {
  if (!identity_) {
    return Refuse({{ErrorCode::kInvalidArgument, "reports before the Hello"}, "no_hello"});
  }
  if (!rate_.Take(context_.clock.Now())) {
    return Refuse(
        {{ErrorCode::kResourceExhausted, "more than 20 report batches a second"}, "rate"});
  }
  if (incoming_.reports().links_size() > kMaxPathsInBatch) {
    return Refuse(
        {{ErrorCode::kResourceExhausted, "more than 4096 paths in one batch"}, "too_many_paths"});
  }
  const auto setup = context_.setup.Get();
  DecodedBatch batch = DecodeBatch(incoming_.reports(), *identity_, setup->inventory, setup->lines,
                                   context_.clock.Now());
  if (!context_.loop.Reported(std::move(batch), line_)) context_.observer.ReportRefused("overload");
}

void ProbeStream::Refuse(const Refusal& refusal) {
  context_.observer.ReportRefused(refusal.reason);
  LogWarning("probe stream refused", {{"node", proven_node_}, {"reason", refusal.error.message}});
  line_->Close(refusal.error);
}

void ProbeStream::OnWriteDone(bool ok) { line_->WriteDone(ok); }

void ProbeStream::OnCancel() { line_->Finish({grpc::StatusCode::CANCELLED, "the probe has gone"}); }

void ProbeStream::OnDone() {
  line_->Detach();
  on_done_();
  delete this;
}

}  // namespace fairlead::extender
