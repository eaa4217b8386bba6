#include "extender/cluster_api/write_requests.h"

#include <nlohmann/json.hpp>

#include "common/base/names.h"
#include "common/kube/micro_time.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

constexpr char kController[] = "fairlead.dev/extender";

// What others wrote may not be UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

kube::ApiRequest EventRequest(const EventWrite& write, const std::string& instance) {
  const ClusterEvent& event = write.event;
  const EventRegarding& about = event.regarding;
  const std::string place = about.namespace_name.empty() ? "default" : about.namespace_name;
  kube::ApiRequest request;
  Json series = {{"count", write.count}, {"lastObservedTime", kube::MicroTime(write.last)}};
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
               {"eventTime", kube::MicroTime(write.began)},
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
  request.body = Dump(
      {{"metadata", {{"annotations", {{AnnotationName("line-healed"), kube::MicroTime(when)}}}}}});
  return request;
}

}  // namespace fairlead::extender
