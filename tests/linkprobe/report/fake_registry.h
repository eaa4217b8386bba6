// A replica of the extender as a probe sees it: real gRPC on the loopback.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/net/call_token.h"
#include "fairlead/v1/registry.grpc.pb.h"

namespace fairlead::linkprobe {

inline v1::ProbePlan MakePlan(std::uint64_t term, std::uint64_t revision, const std::string& peer) {
  v1::ProbePlan plan;
  plan.set_term(term);
  plan.set_revision(revision);
  plan.set_site("hk");
  v1::PeerAssignment& assignment = *plan.add_peers();
  assignment.set_node(peer);
  assignment.set_site("sg");
  assignment.set_session_address("127.0.0.1:1");
  assignment.set_key(std::string(32, 'k'));
  return plan;
}

inline v1::ProbePlan NoPlan(std::uint64_t term) {
  v1::ProbePlan plan;
  plan.set_term(term);
  plan.set_follows(true);
  return plan;
}

// Answers each stream with `to_send`, or refuses it, and remembers what came.
class FakeRegistry final : public v1::LinkRegistry::Service {
 public:
  using Stream = grpc::ServerReaderWriter<v1::ProbePlan, v1::ProbeMessage>;

  grpc::Status Connect(grpc::ServerContext* context, Stream* stream) override {
    v1::ProbeMessage message;
    if (!stream->Read(&message)) return grpc::Status::OK;
    std::vector<v1::ProbePlan> plans;
    {
      std::unique_lock lock(mutex_);
      ++streams;
      token = TokenOf(*context).value_or("");
      hello = message.hello();
      if (refusal) return *refusal;
      plans = to_send;
      if (hangs_) {  // reads nothing, says nothing
        changed_.wait(lock, [&] { return !hangs_ || context->IsCancelled(); });
        return grpc::Status::OK;
      }
      open_.insert(stream);
    }
    for (const v1::ProbePlan& plan : plans) Write(*stream, plan);
    while (stream->Read(&message)) {
      std::lock_guard lock(mutex_);
      batches.push_back(message.reports());
      if (hang_up_after != 0 && batches.size() >= hang_up_after) break;
    }
    std::lock_guard lock(mutex_);
    open_.erase(stream);
    return grpc::Status::OK;
  }

  // To every stream that is open.
  void SendAll(const v1::ProbePlan& plan) {
    std::lock_guard lock(mutex_);
    for (Stream* stream : open_) Write(*stream, plan);
  }

  void Hang(bool hangs) {
    {
      std::lock_guard lock(mutex_);
      hangs_ = hangs;
    }
    changed_.notify_all();
  }

  template <class Value>
  Value Read(Value FakeRegistry::*member) {
    std::lock_guard lock(mutex_);
    return this->*member;
  }
  template <class Value>
  void Set(Value FakeRegistry::*member, Value value) {
    std::lock_guard lock(mutex_);
    this->*member = std::move(value);
  }

  int streams = 0;
  std::string token;
  v1::Hello hello;
  std::vector<v1::ReportBatch> batches;
  std::vector<v1::ProbePlan> to_send;
  std::optional<grpc::Status> refusal;
  std::size_t hang_up_after = 0;

 private:
  void Write(Stream& stream, const v1::ProbePlan& plan) {
    std::lock_guard lock(writing_);
    stream.Write(plan);
  }

  std::mutex mutex_;
  std::mutex writing_;
  std::condition_variable changed_;
  bool hangs_ = false;
  std::set<Stream*> open_;
};

}  // namespace fairlead::linkprobe
