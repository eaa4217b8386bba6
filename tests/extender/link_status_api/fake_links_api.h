// An API server that knows Links alone, with their status apart, and fails as it is told.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/kube/access.h"
#include "tests/common/kube/support/scripted_server.h"

namespace fairlead::extender {

class FakeLinksApi {
 public:
  using Json = nlohmann::json;

  FakeLinksApi()
      : server_([this](const SeenRequest& request, Wire& wire) { Serve(request, wire); }) {}

  kube::Access access() const {
    kube::Access access;
    access.server = server_.url();
    return access;
  }

  // Whether the kind is defined. Without it everything is 404, and what was there is gone.
  void Define(bool defined) {
    const std::lock_guard lock(mutex_);
    defined_ = defined;
    if (!defined) links_.clear();
  }
  // Requests with this method, of which the path ends so, are answered with `code`; 0: as is right.
  void Fail(const std::string& method, const std::string& end, int code) {
    const std::lock_guard lock(mutex_);
    failing_ = {method, end, code};
  }
  void Put(const std::string& name, Json link) {
    const std::lock_guard lock(mutex_);
    link["metadata"]["name"] = name;
    links_[name] = std::move(link);
  }
  void Remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    links_.erase(name);
  }
  std::map<std::string, Json> links() const {
    const std::lock_guard lock(mutex_);
    return links_;
  }
  // "state" of one; empty where it is not there, or has no status.
  std::string StateOf(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = links_.find(name);
    if (found == links_.end()) return {};
    return found->second.value(Json::json_pointer("/status/state"), std::string());
  }
  std::size_t requests() const { return server_.requests().size(); }

 private:
  struct Failing {
    std::string method;
    std::string end;
    int code = 0;
  };

  static void Refuse(int code, Wire& wire) {
    wire.Answer(code, Json{{"kind", "Status"}, {"message", "said so"}, {"code", code}}.dump());
  }

  void Serve(const SeenRequest& request, Wire& wire) {
    const std::lock_guard lock(mutex_);
    if (failing_.code != 0 && request.method == failing_.method &&
        request.path.ends_with(failing_.end)) {
      return Refuse(failing_.code, wire);
    }
    const std::string all = "/apis/fairlead.dev/v1alpha1/links";
    if (request.path == "/apis/fairlead.dev/v1alpha1" && defined_) return wire.Answer(200, "{}");
    if (!defined_ || !request.path.starts_with(all)) return Refuse(404, wire);
    if (request.method == "GET") {
      Json items = Json::array();
      for (const auto& [name, link] : links_) items.push_back(link);
      return wire.Answer(200, Json{{"items", items}}.dump());
    }
    std::string name = request.path.substr(all.size() + 1);
    const bool status = name.ends_with("/status");
    if (status) name.resize(name.size() - 7);
    if ((status || request.method == "DELETE") && !links_.contains(name)) return Refuse(404, wire);
    if (request.method == "DELETE") {
      links_.erase(name);
      return wire.Answer(200, "{}");
    }
    const Json body = Json::parse(request.body);
    if (status) {
      links_[name]["status"] = body["status"];
    } else {
      links_[name]["metadata"] = body["metadata"];
    }
    wire.Answer(200, links_[name].dump());
  }

  mutable std::mutex mutex_;
  bool defined_ = true;
  Failing failing_;
  std::map<std::string, Json> links_;
  ScriptedServer server_;  // last: its threads use all of it
};

}  // namespace fairlead::extender
