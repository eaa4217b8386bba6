#include "extender/http/scheduler_routes.h"

#include <string_view>
#include <utility>

namespace fairlead::extender {

void SendAnswer(HttpAnswer answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_header("Content-Type", answer.content_type);
  response.body = std::move(answer.body);
}

void AddSchedulerRoutes(HttpServer& server, KubeProtocol& kube) {
  server.RouteBody("/kube/filter", [&kube](const auto&, std::string_view body, auto& response) {
    SendAnswer(kube.Filter(body), response);
  });
  server.RouteBody("/kube/prioritize", [&kube](const auto&, std::string_view body, auto& response) {
    SendAnswer(kube.Prioritize(body), response);
  });
}

}  // namespace fairlead::extender
