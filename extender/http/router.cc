#include "extender/http/router.h"

#include <utility>

namespace fairlead::extender {

void Router::Get(std::string path, HttpHandler handler) {
  auto& methods = routes_[std::move(path)];
  methods["HEAD"] = handler;
  methods["GET"] = std::move(handler);
}

void Router::Post(std::string path, HttpHandler handler) {
  routes_[std::move(path)]["POST"] = std::move(handler);
}

HttpAnswer Router::Route(const HttpRequest& request) const {
  const auto route = routes_.find(request.path);
  if (route == routes_.end()) {
    std::string message = "no such path; known are";
    for (const auto& [path, methods] : routes_) message += " " + path;
    return ErrorAnswer(404, message);
  }
  const auto method = route->second.find(request.method);
  if (method != route->second.end()) return method->second(request);
  std::string allowed;
  for (const auto& [name, handler] : route->second) {
    allowed += (allowed.empty() ? "" : ", ") + name;
  }
  HttpAnswer answer = ErrorAnswer(405, "this path takes " + allowed);
  answer.allow = allowed;
  return answer;
}

}  // namespace fairlead::extender
