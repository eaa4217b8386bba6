// The paths that schedulers call.
#pragma once

#include "common/http/http_server.h"
#include "extender/http/kube_protocol.h"

namespace fairlead::extender {

// POST /kube/filter and /kube/prioritize. `kube` must outlive the server.
void AddSchedulerRoutes(HttpServer& server, KubeProtocol& kube);

// Hands an answer over to httplib.
void SendAnswer(HttpAnswer answer, httplib::Response& response);

}  // namespace fairlead::extender
