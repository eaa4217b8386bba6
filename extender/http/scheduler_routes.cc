#include "extender/http/scheduler_routes.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/log.h"
#include "extender/http/volcano_hooks.h"

namespace fairlead::extender {
namespace {

template <class Protocol>
void AddVerb(HttpServer& server, const std::string& path, Protocol& protocol,
             HttpAnswer (Protocol::*verb)(std::string_view), const SchedulerGate& gate) {
  server.RouteBody(
      path, [&protocol, verb, gate](const auto&, std::string_view body, auto& response) {
        const std::optional<std::string> closed = gate();
        SendAnswer(closed ? ErrorAnswer(503, *closed) : (protocol.*verb)(body), response);
      });
}

void AddSilentHook(HttpServer& server, const VolcanoHook& hook) {
  const auto told = std::make_shared<std::atomic_flag>();
  const auto answer = [&hook, told](const auto&, std::string_view, auto& response) {
    if (!told->test_and_set()) {
      LogWarning(
          "Volcano calls a hook that costs more than it gives; take it out of its scheduler "
          "configuration",
          {{"argument", "extender." + std::string(hook.name) + "Verb"},
           {"cost", std::string(hook.cost)}});
    }
    SendAnswer({.body = std::string(hook.answer)}, response);
  };
  server.RouteBody("/volcano/" + std::string(hook.name), answer);
}

}  // namespace

void SendAnswer(HttpAnswer answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_header("Content-Type", answer.content_type);
  response.body = std::move(answer.body);
}

void AddSchedulerRoutes(HttpServer& server, KubeProtocol& kube, VolcanoProtocol& volcano,
                        SchedulerGate gate) {
  AddVerb(server, "/kube/filter", kube, &KubeProtocol::Filter, gate);
  AddVerb(server, "/kube/prioritize", kube, &KubeProtocol::Prioritize, gate);
  AddVerb(server, "/kube/preempt", kube, &KubeProtocol::Preempt, gate);
  AddVerb(server, "/volcano/prioritize", volcano, &VolcanoProtocol::Prioritize, gate);
  AddVerb(server, "/volcano/predicate", volcano, &VolcanoProtocol::Predicate, gate);
  AddVerb(server, "/volcano/jobEnqueueable", volcano, &VolcanoProtocol::JobEnqueueable, gate);
  for (const VolcanoHook& hook : kSilentHooks) AddSilentHook(server, hook);
}

}  // namespace fairlead::extender
