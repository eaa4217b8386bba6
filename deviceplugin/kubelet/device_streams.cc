#include "deviceplugin/kubelet/device_streams.h"

#include <utility>

namespace fairlead::deviceplugin {

// Every operation is begun under the lock and none after Finish, so gRPC cannot be done with the
// stream while one begins. gRPC calls back from threads of its own, never from within.
class DeviceStreams::Stream final
    : public grpc::ServerWriteReactor<::v1beta1::ListAndWatchResponse> {
 public:
  explicit Stream(DeviceStreams& owner) : owner_(owner) {}

  // Holds itself until gRPC is done with it.
  void Begin(std::shared_ptr<Stream> self, List first) {
    self_ = std::move(self);
    Send(std::move(first));
  }

  void Send(List list) {
    std::lock_guard lock(mutex_);
    if (ending_) return;
    pending_ = std::move(list);
    Proceed();
  }

  void End(const grpc::Status& status, List last) {
    std::lock_guard lock(mutex_);
    if (ending_) return;
    ending_ = true;
    status_ = status;
    if (last) pending_ = std::move(last);
    Proceed();
  }

  void OnWriteDone(bool ok) override {
    std::lock_guard lock(mutex_);
    writing_.reset();
    if (!ok) {
      pending_.reset();
      if (!std::exchange(ending_, true)) status_ = grpc::Status::CANCELLED;
    }
    Proceed();
  }

  void OnCancel() override {
    std::lock_guard lock(mutex_);
    pending_.reset();
    if (!std::exchange(ending_, true)) status_ = grpc::Status::CANCELLED;
    Proceed();
  }

  void OnDone() override {
    const std::shared_ptr<Stream> self = std::move(self_);
    owner_.Ended(self);
  }

 private:
  void Proceed() {
    if (writing_ || finished_) return;
    if (pending_) {
      writing_ = std::move(pending_);
      pending_.reset();
      StartWrite(writing_.get());
    } else if (ending_) {
      finished_ = true;
      Finish(status_);
    }
  }

  DeviceStreams& owner_;
  std::shared_ptr<Stream> self_;
  std::mutex mutex_;
  List pending_;  // the newest that has not begun to be written
  List writing_;
  bool ending_ = false;
  bool finished_ = false;
  grpc::Status status_;
};

DeviceStreams::DeviceStreams(std::function<void()> changed) : changed_(std::move(changed)) {}

DeviceStreams::~DeviceStreams() = default;

grpc::ServerWriteReactor<::v1beta1::ListAndWatchResponse>* DeviceStreams::Open() {
  const auto stream = std::make_shared<Stream>(*this);
  List first;
  {
    std::lock_guard lock(mutex_);
    streams_.insert(stream);
    ++opened_;
    first = newest_;
    stream->Begin(stream, first);
    if (closed_) stream->End(grpc::Status::OK, nullptr);
  }
  changed_();
  return stream.get();
}

void DeviceStreams::Push(List list) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  newest_ = std::move(list);
  for (const auto& stream : streams_) stream->Send(newest_);
}

void DeviceStreams::Close(List last) {
  std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& stream : streams_) stream->End(grpc::Status::OK, last);
}

void DeviceStreams::Ended(const std::shared_ptr<Stream>& stream) {
  {
    std::lock_guard lock(mutex_);
    streams_.erase(stream);
  }
  changed_();
}

std::uint64_t DeviceStreams::open() const {
  std::lock_guard lock(mutex_);
  return streams_.size();
}

std::uint64_t DeviceStreams::opened() const {
  std::lock_guard lock(mutex_);
  return opened_;
}

}  // namespace fairlead::deviceplugin
