// The paths that schedulers call.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/http/http_server.h"
#include "extender/http/kube_protocol.h"
#include "extender/http/volcano_protocol.h"

namespace fairlead::extender {

// Why a scheduler gets no answer now; nothing where it gets one. Called by any thread.
using SchedulerGate = std::function<std::optional<std::string>()>;

// POST /kube/filter, /kube/prioritize and /kube/preempt; /volcano/prioritize, /volcano/predicate
// and /volcano/jobEnqueueable; and Volcano's other hooks, each answered with no opinion and told
// once in the log. What `gate` keeps out gets 503 and the reason, so that the scheduler's own
// `ignorable` decides whether it does without or asks again. All must outlive the server.
void AddSchedulerRoutes(HttpServer& server, KubeProtocol& kube, VolcanoProtocol& volcano,
                        SchedulerGate gate);

// Hands an answer over to httplib.
void SendAnswer(HttpAnswer answer, httplib::Response& response);

}  // namespace fairlead::extender
