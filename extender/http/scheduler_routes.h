// The paths that schedulers call.
#pragma once

#include "common/http/http_server.h"
#include "extender/http/kube_protocol.h"
#include "extender/http/volcano_protocol.h"

namespace fairlead::extender {

// POST /kube/filter, /kube/prioritize and /kube/preempt; /volcano/prioritize, /volcano/predicate
// and /volcano/jobEnqueueable; and Volcano's other hooks, each answered with no opinion and told
// once in the log. Both must outlive the server.
void AddSchedulerRoutes(HttpServer& server, KubeProtocol& kube, VolcanoProtocol& volcano);

// Hands an answer over to httplib.
void SendAnswer(HttpAnswer answer, httplib::Response& response);

}  // namespace fairlead::extender
