// An API server that knows one Job of two pods, behaves as its controller would, and fails as it is
// told.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "common/kube/access.h"
#include "tests/common/kube/support/scripted_server.h"

namespace fairlead::extender {

class FakeJobApi {
 public:
  using Json = nlohmann::json;

  FakeJobApi() : server_([this](const SeenRequest& request, Wire& wire) { Serve(request, wire); }) {
    job_ = Json::parse(R"({"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"train",
        "uid":"u1","annotations":{}},"spec":{"parallelism":2,"suspend":false}})");
    Bump();
    Start("hk");
  }

  kube::Access access() const {
    kube::Access access;
    access.server = server_.url();
    return access;
  }

  Json job() {
    std::lock_guard lock(mutex_);
    return job_;
  }
  // What the Job controller does next: pods end, or new ones run in `site`.
  void Control(const std::string& site) {
    std::lock_guard lock(mutex_);
    const bool suspended = job_["spec"]["suspend"];
    if (suspended) {
      pods_.clear();
    } else {
      std::erase_if(pods_, [](const auto& pod) {
        return pod.second["metadata"].contains("deletionTimestamp");
      });
      if (pods_.empty()) Start(site);
    }
  }
  void Edit() {
    std::lock_guard lock(mutex_);
    Bump();
  }
  void Allow(int disruptions) {
    std::lock_guard lock(mutex_);
    allowed_ = disruptions;
  }
  // The next change is answered so; 0: with nothing, after it was made.
  void FailNext(int code) {
    std::lock_guard lock(mutex_);
    failing_ = code;
  }
  // No request is answered from now on.
  void FallSilent() {
    std::lock_guard lock(mutex_);
    silent_ = true;
  }
  // Until such a request has come.
  void AwaitSilence() {
    std::unique_lock lock(mutex_);
    unanswered_.wait(lock, [this] { return asked_in_silence_; });
  }
  // Events by name, each with the changes there were when it came first.
  std::map<std::string, int> events() {
    std::lock_guard lock(mutex_);
    return events_;
  }
  int changes() {
    std::lock_guard lock(mutex_);
    return changes_;
  }

 private:
  void Bump() { job_["metadata"]["resourceVersion"] = std::to_string(++version_); }

  void Start(const std::string& site) {
    ++generation_;
    for (const std::string index : {"0", "1"}) {
      const std::string name = "train-" + index;
      pods_[name] =
          Json{{"metadata",
                {{"name", name},
                 {"uid", name + "-" + std::to_string(generation_)},
                 {"ownerReferences",
                  {{{"kind", "Job"}, {"name", "train"}, {"uid", "u1"}, {"controller", true}}}}}},
               {"spec", {{"nodeName", site + index}}},
               {"status",
                {{"phase", "Running"}, {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}};
    }
  }

  // The answer to a change: its code.
  int Change(const SeenRequest& request) {
    const Json body = Json::parse(request.body);
    if (request.path == "/apis/batch/v1/namespaces/ml/jobs/train") {
      if (body["metadata"]["resourceVersion"] != job_["metadata"]["resourceVersion"]) return 409;
      job_.merge_patch(body);
      Bump();
      ++changes_;
      return 200;
    }
    const std::string pods = "/api/v1/namespaces/ml/pods/";
    if (!request.path.starts_with(pods)) return 404;
    const std::string rest = request.path.substr(pods.size());
    const std::string name = rest.substr(0, rest.find('/'));
    const auto pod = pods_.find(name);
    if (pod == pods_.end()) return 404;
    const bool evicts = rest.ends_with("/eviction");
    const Json& options = evicts ? body["deleteOptions"] : body;
    if (options["preconditions"]["uid"] != pod->second["metadata"]["uid"]) return 409;
    if (evicts && allowed_-- <= 0) return 429;
    pod->second["metadata"]["deletionTimestamp"] = "2026-01-02T15:04:05Z";
    ++changes_;
    return 201;
  }

  // Of those with a move that is open.
  Json JobList() const {
    Json list{{"kind", "JobList"}, {"metadata", {{"resourceVersion", "1"}}}};
    list["items"] = Json::array();
    const bool moving = job_["metadata"].contains("labels") &&
                        job_["metadata"]["labels"].contains("fairlead.dev/moving");
    if (moving) list["items"].push_back(job_);
    return list;
  }

  void Serve(const SeenRequest& request, Wire& wire) {
    std::unique_lock lock(mutex_);
    if (silent_) {
      asked_in_silence_ = true;
      unanswered_.notify_all();
      lock.unlock();
      return wire.FallSilent();
    }
    if (request.method == "GET") {
      if (request.path.ends_with("/jobs/train")) return wire.Answer(200, job_.dump());
      if (request.path == "/apis/batch/v1/jobs") return wire.Answer(200, JobList().dump());
      const bool pods = request.path.ends_with("/pods");
      if (!pods && !request.path.ends_with("/poddisruptionbudgets")) {
        return wire.Answer(404, R"({"kind":"Status","code":404})");
      }
      Json list{{"kind", pods ? "PodList" : "PodDisruptionBudgetList"},
                {"metadata", {{"resourceVersion", "1"}}},
                {"items", Json::array()}};
      for (const auto& [name, pod] : pods_) {
        if (pods) list["items"].push_back(pod);
      }
      return wire.Answer(200, list.dump());
    }
    if (request.path.ends_with("/selfsubjectaccessreviews")) {
      return wire.Answer(201, R"({"kind":"SelfSubjectAccessReview","status":{"allowed":true}})");
    }
    if (request.path.ends_with("/events")) {
      const std::string name = Json::parse(request.body)["metadata"]["name"];
      const bool fresh = events_.emplace(name, changes_).second;
      return wire.Answer(fresh ? 201 : 409, R"({"kind":"Status","message":"event"})");
    }
    const int failing = std::exchange(failing_, -1);
    if (failing > 0) return wire.Answer(failing, R"({"kind":"Status","message":"as told"})");
    const int code = Change(request);
    if (failing == 0) return wire.Break();
    wire.Answer(code, R"({"kind":"Status","message":"done"})");
  }

  std::mutex mutex_;
  std::condition_variable unanswered_;
  bool silent_ = false;
  bool asked_in_silence_ = false;
  Json job_;
  std::map<std::string, Json> pods_;
  int version_ = 0;
  int generation_ = 0;
  int allowed_ = 0;
  int failing_ = -1;
  int changes_ = 0;
  std::map<std::string, int> events_;
  ScriptedServer server_;  // last: its threads use all of it
};

}  // namespace fairlead::extender
