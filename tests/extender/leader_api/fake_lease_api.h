// An API server that knows one Lease and the labels of pods, and fails as it is told.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "common/kube/access.h"
#include "tests/common/kube/support/scripted_server.h"

namespace fairlead::extender {

class FakeLeaseApi {
 public:
  using Json = nlohmann::json;

  FakeLeaseApi()
      : server_([this](const SeenRequest& request, Wire& wire) { Serve(request, wire); }) {}

  kube::Access access() const {
    kube::Access access;
    access.server = server_.url();
    return access;
  }

  // Null where there is none.
  Json lease() {
    std::lock_guard lock(mutex_);
    return lease_;
  }
  // Puts one there, with a version of its own.
  void SetLease(Json lease) {
    std::lock_guard lock(mutex_);
    Store(std::move(lease));
  }
  void RemoveLease() {
    std::lock_guard lock(mutex_);
    lease_ = nullptr;
  }
  // Of the pod's leader label; empty where it has none, nothing where nobody asked for the pod.
  std::optional<std::string> LabelOf(const std::string& pod) {
    std::lock_guard lock(mutex_);
    const auto found = labels_.find(pod);
    return found == labels_.end() ? std::nullopt : std::optional(found->second);
  }
  void SetLabel(const std::string& pod, const std::string& value) {
    std::lock_guard lock(mutex_);
    labels_[pod] = value;
  }

  // How requests with this method are answered from now on; code 0: as is right. A code of 1 means
  // silence, 2 garbage.
  void Fail(const std::string& method, int code) {
    std::lock_guard lock(mutex_);
    failing_[method] = code;
  }

 private:
  void Store(Json lease) {
    lease["metadata"]["resourceVersion"] = std::to_string(++version_);
    lease_ = std::move(lease);
  }

  void Serve(const SeenRequest& request, Wire& wire) {
    std::unique_lock lock(mutex_);
    const int code = failing_[request.method];
    if (code == 0) return Answer(request, wire);
    lock.unlock();
    if (code == 1) return wire.FallSilent();
    if (code == 2) return wire.Answer(200, "[1,2");
    Refuse(code, wire);
  }

  static void Refuse(int code, Wire& wire) {
    wire.Answer(code, Json{{"kind", "Status"}, {"message", "said so"}, {"code", code}}.dump());
  }

  void Answer(const SeenRequest& request, Wire& wire) {
    const std::string all = "/apis/coordination.k8s.io/v1/namespaces/fl/leases";
    const std::string pods = "/api/v1/namespaces/fl/pods/";
    if (request.path.starts_with(pods))
      return Label(request.path.substr(pods.size()), request, wire);
    if (request.method == "POST" && request.path == all) {
      if (!lease_.is_null()) return Refuse(409, wire);
      Store(Json::parse(request.body));
      return wire.Answer(201, lease_.dump());
    }
    if (request.path != all + "/extender" || lease_.is_null()) return Refuse(404, wire);
    if (request.method == "PUT") {
      Json changed = Json::parse(request.body);
      if (changed["metadata"]["resourceVersion"] != lease_["metadata"]["resourceVersion"]) {
        return Refuse(409, wire);
      }
      Store(std::move(changed));
    }
    wire.Answer(200, lease_.dump());
  }

  void Label(const std::string& pod, const SeenRequest& request, Wire& wire) {
    if (pod.starts_with("gone")) return Refuse(404, wire);
    const Json patch = Json::parse(request.body);
    const Json& value = patch["metadata"]["labels"]["fairlead.dev/leader"];
    labels_[pod] = value.is_null() ? "" : value.get<std::string>();
    wire.Answer(200, "{}");
  }

  std::mutex mutex_;
  Json lease_;
  std::uint64_t version_ = 0;
  std::map<std::string, std::string> labels_;
  std::map<std::string, int> failing_;
  ScriptedServer server_;
};

}  // namespace fairlead::extender
