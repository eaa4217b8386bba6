// An API server of plain objects: it lists, patches and creates them, and refuses as it is told.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/kube/access.h"
#include "tests/common/kube/support/scripted_server.h"

namespace fairlead::extender {

class ObjectApi {
 public:
  using Json = nlohmann::json;

  ObjectApi();

  kube::Access access() const {
    kube::Access access;
    access.server = server_.url();
    return access;
  }

  // A kind that is served: Serve("/apis/batch/v1", "jobs", "Job").
  void Serve(const std::string& api, const std::string& plural, const std::string& kind);
  // The object at this path, with a new resourceVersion.
  void Put(const std::string& path, Json object);
  void Remove(const std::string& path);
  Json Get(const std::string& path);
  // What SelfSubjectAccessReview says no to: "patch jobs.batch", "create pods/eviction".
  void Deny(const std::string& right);
  // GET of this path is answered so instead.
  void Answer(const std::string& path, int code, const std::string& body);

  std::vector<SeenRequest> requests() const { return server_.requests(); }
  // How many requests there were with this method to a path that has this in it.
  int Count(const std::string& method, const std::string& part) const;

 private:
  struct Reply {
    int code = 200;
    std::string body;
  };

  Reply On(const SeenRequest& request);
  Reply OnGet(const SeenRequest& request);
  Reply OnPatch(const SeenRequest& request);
  Reply OnPost(const SeenRequest& request);
  Reply Review(const Json& body) const;
  Json List(const SeenRequest& request, const std::string& kind) const;

  std::mutex mutex_;
  std::map<std::string, std::string> kinds_;  // by the path of all namespaces
  std::map<std::string, Json> objects_;
  std::map<std::string, Reply> answers_;
  std::set<std::string> denied_;
  int version_ = 0;
  ScriptedServer server_;  // last: its threads use all of it
};

}  // namespace fairlead::extender
