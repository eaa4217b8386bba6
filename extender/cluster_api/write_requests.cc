#include "extender/cluster_api/write_requests.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "common/base/names.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

constexpr char kController[] = "fairlead.dev/extender";

// What others wrote may not be UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string MicroTime(WallTime time) {
  const auto micros = std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(micros);
  const std::time_t whole = seconds.count();
  std::tm parts{};
  gmtime_r(&whole, &parts);
  char text[48];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + size, sizeof text - size, ".%06dZ",
                static_cast<int>((micros - seconds).count()));
  return text;
}

kube::ApiRequest EventRequest(const EventWrite& write, const std::string& instance) {
  const ClusterEvent& event = write.event;
  const EventRegarding& about = event.regarding;
  const std::string place = about.namespace_name.empty() ? "default" : about.namespace_name;
  kube::ApiRequest request;
  Json series = {{"count", write.count}, {"lastObservedTime", MicroTime(write.last)}};
  if (!write.first) {
    request.method = kube::Method::kPatch;
    request.body_kind = kube::BodyKind::kMergePatch;
    request.path =
        kube::PathOf({"apis", "events.k8s.io", "v1", "namespaces", place, "events", write.name});
    request.body = Dump({{"series", std::move(series)}});
    return request;
  }
  const bool warning = event.type == ClusterEvent::Type::kWarning;
  Json body = {{"apiVersion", "events.k8s.io/v1"},
               {"kind", "Event"},
               {"metadata", {{"name", write.name}, {"namespace", place}}},
               {"eventTime", MicroTime(write.began)},
               {"reportingController", kController},
               {"reportingInstance", instance},
               {"action", event.action},
               {"reason", event.reason},
               {"note", event.note},
               {"type", warning ? "Warning" : "Normal"},
               {"regarding",
                {{"apiVersion", about.api_version},
                 {"kind", about.kind},
                 {"namespace", about.namespace_name},
                 {"name", about.name},
                 {"uid", about.uid}}}};
  // A series has two at least.
  if (write.count > 1) body["series"] = std::move(series);
  request.method = kube::Method::kPost;
  request.path = kube::PathOf({"apis", "events.k8s.io", "v1", "namespaces", place, "events"});
  request.body = Dump(body);
  return request;
}

kube::ApiRequest LineHealedRequest(const std::string& node, WallTime when) {
  kube::ApiRequest request;
  request.method = kube::Method::kPatch;
  request.body_kind = kube::BodyKind::kMergePatch;
  request.path = kube::PathOf({"api", "v1", "nodes", node});
  request.body =
      Dump({{"metadata", {{"annotations", {{AnnotationName("line-healed"), MicroTime(when)}}}}}});
  return request;
}

}  // namespace fairlead::extender
