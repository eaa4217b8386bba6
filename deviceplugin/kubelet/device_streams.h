// The ListAndWatch calls of one resource's server.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "kubelet/deviceplugin_v1beta1.pb.h"

namespace fairlead::deviceplugin {

// Thread-safe. A slow reader holds up nobody: it skips to the newest list.
class DeviceStreams {
 public:
  using List = std::shared_ptr<const ::v1beta1::ListAndWatchResponse>;

  // `changed` is called, without a lock, when a stream opens or ends.
  explicit DeviceStreams(std::function<void()> changed);
  ~DeviceStreams();

  // A new call, which gets the newest list at once.
  grpc::ServerWriteReactor<::v1beta1::ListAndWatchResponse>* Open();
  // The list from now on, sent to every stream.
  void Push(List list);
  // Ends all streams, also those that open later, each after `last` if there is one.
  void Close(List last);

  std::uint64_t open() const;
  std::uint64_t opened() const;

 private:
  class Stream;
  void Ended(const std::shared_ptr<Stream>& stream);

  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  List newest_;
  bool closed_ = false;
  std::uint64_t opened_ = 0;
  std::set<std::shared_ptr<Stream>> streams_;
};

}  // namespace fairlead::deviceplugin
