// The extender's scheduler routes on a real HTTP server, with the cluster that the bodies in
// tests/testdata come from.
#pragma once

#include <httplib.h>

#include <memory>
#include <string>
#include <vector>

#include "common/base/snapshot.h"
#include "common/http/http_server.h"
#include "extender/decision/decider.h"
#include "extender/decision/decision_log.h"
#include "extender/decision/enqueue.h"
#include "extender/decision/setup.h"
#include "extender/http/kube_protocol.h"
#include "extender/http/volcano_protocol.h"

namespace fairlead::extender {

// Nodes n1 and n2 in hk, n3 in sg, n4 in tyo, eight HCAs each, all lines Healthy.
class SchedulerServer {
 public:
  SchedulerServer();
  ~SchedulerServer();

  struct Answer {
    int status = 0;  // 0: none came
    std::string body;
  };
  // Over one connection that is kept.
  Answer Post(const std::string& path, const std::string& body);

  void TakeDown(const std::string& site_a, const std::string& site_b);
  // From now on schedulers get no answer but this reason.
  void Close(std::string reason) { closed_.Publish(std::move(reason)); }
  void Scale(double volcano, std::uint32_t fine);
  std::shared_ptr<const DecisionRecord> Newest() const;
  std::size_t decisions() const { return log_.Newest().size(); }
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  void PublishLinks();

  SystemClock clock_;
  Config config_;
  std::vector<std::pair<std::string, std::string>> down_;
  std::vector<std::string> faults_;
  Snapshot<Setup> setup_;
  Snapshot<ClusterView> cluster_;
  Snapshot<Leadership> leadership_{Leadership::Standalone()};
  NoEvents events_;
  Snapshot<LinkSnapshot> links_;
  Snapshot<std::string> closed_;
  DecisionLog log_;
  Decider decider_{{setup_, cluster_, links_, leadership_, clock_}, log_, events_};
  EnqueueJudge judge_{cluster_, links_, clock_, log_};
  KubeProtocol kube_;
  VolcanoProtocol volcano_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<httplib::Client> client_;
};

// A body as a real scheduler sent it: "volcano-2026-08/predicate.json".
std::string ReadTestdata(const std::string& name);

}  // namespace fairlead::extender
