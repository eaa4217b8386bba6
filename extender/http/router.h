// Which path and method belongs to which handler.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "extender/http/http_message.h"

namespace fairlead::extender {

// Filled before it serves; then immutable and thread-safe.
class Router {
 public:
  void Get(std::string path, HttpHandler handler);
  void Post(std::string path, HttpHandler handler);

  // 404 for a path that is not known, 405 with Allow for a method that it has not. HEAD is GET.
  HttpAnswer Route(const HttpRequest& request) const;
  bool Knows(std::string_view path) const { return routes_.find(path) != routes_.end(); }

 private:
  std::map<std::string, std::map<std::string, HttpHandler, std::less<>>, std::less<>> routes_;
};

}  // namespace fairlead::extender
