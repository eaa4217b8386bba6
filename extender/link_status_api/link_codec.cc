#include "extender/link_status_api/link_codec.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/base/names.h"
#include "common/units/time_text.h"
#include "extender/link_status/link_words.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kGroup = "fairlead.dev";
constexpr std::string_view kVersion = "v1alpha1";
constexpr char kApiVersion[] = "fairlead.dev/v1alpha1";
constexpr char kManager[] = "fairlead-extender";
constexpr char kManagedBy[] = "app.kubernetes.io/managed-by";

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::int64_t Microseconds(Nanoseconds value) {
  return std::chrono::round<std::chrono::microseconds>(value).count();
}

void PutText(Json& json, const char* key, std::string text) {
  if (!text.empty()) json[key] = std::move(text);
}

void PutDuration(Json& json, const char* key, const std::optional<Nanoseconds>& value) {
  if (value) json[key] = Microseconds(*value);
}

Json WayJson(const LinkWay& way) {
  Json json = {{"from", way.from},
               {"to", way.to},
               {"state", LinkStateName(way.state)},
               {"reason", LinkReasonName(way.reason)},
               {"summary", WayText(way)}};
  PutText(json, "evidence", way.evidence);
  PutDuration(json, "rttMicroseconds", way.rtt_p50);
  PutDuration(json, "rttP99Microseconds", way.rtt_p99);
  PutDuration(json, "jitterMicroseconds", way.jitter);
  if (way.loss) json["lossPerBillion"] = std::llround(*way.loss * 1e9);
  if (way.rung) json["transport"] = TransportRungName(*way.rung);
  if (way.bandwidth) {
    json["bandwidthBitsPerSecond"] = std::llround(way.bandwidth->bytes_per_second * 8);
    json["bandwidthSource"] = RateSourceName(way.bandwidth->source);
  }
  return json;
}

Json ConditionJson(const char* type, ConditionStatus status, WallTime since,
                   std::string_view reason, std::string message) {
  return {{"type", type},
          {"status", ConditionStatusName(status)},
          {"lastTransitionTime", FormatTime(since)},
          {"reason", reason},
          {"message", std::move(message)}};
}

std::string FreshText(const LinkObject& object) {
  std::string missing;
  for (const LinkWay* const way : {&object.forward, &object.reverse}) {
    if (way->report_age) continue;
    missing += (missing.empty() ? "" : " and ") + way->from + " to " + way->to;
  }
  return missing.empty() ? "probes report both directions"
                         : "no probe reports " + missing + "; what it is like is not known";
}

Json ConditionsJson(const LinkObject& object, const LinkStamps& stamps) {
  const LinkWay& worse = WorseWay(object);
  const bool fresh = stamps.fresh == ConditionStatus::kTrue;
  return {ConditionJson("Healthy", stamps.healthy, stamps.healthy_since,
                        worse.reason == LinkReason::kNone ? LinkStateName(worse.state)
                                                          : LinkReasonName(worse.reason),
                        worse.from + " to " + worse.to +
                            (worse.evidence.empty() ? "" : ": " + worse.evidence)),
          ConditionJson("Fresh", stamps.fresh, stamps.fresh_since, fresh ? "reported" : "no_report",
                        FreshText(object))};
}

Json StatusJson(const LinkObject& object, const LinkStamps& stamps) {
  const LinkWay& worse = WorseWay(object);
  Json json = {{"sites", {object.forward.from, object.forward.to}},
               {"state", LinkStateName(stamps.state)},
               {"since", FormatTime(stamps.since)},
               {"reason", LinkReasonName(worse.reason)},
               {"forward", WayJson(object.forward)},
               {"reverse", WayJson(object.reverse)},
               {"conditions", ConditionsJson(object, stamps)}};
  PutText(json, "evidence", worse.evidence);
  PutText(json, "rtt", RttText(object));
  PutText(json, "jitter", JitterText(object));
  PutText(json, "loss", LossText(object));
  PutText(json, "bandwidth", BandwidthText(object));
  if (stamps.reported) json["reported"] = FormatTime(*stamps.reported);
  return json;
}

kube::ApiRequest Apply(std::string path, const Json& body) {
  kube::ApiRequest request;
  request.method = kube::Method::kPatch;
  request.body_kind = kube::BodyKind::kApply;
  request.path = std::move(path);
  request.query = {{"fieldManager", kManager}, {"force", "true"}};
  request.body = Dump(body);
  return request;
}

const Json* Find(const Json& json, const char* key) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}

std::string TextOf(const Json& json, const char* key) {
  const Json* const value = Find(json, key);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<WallTime> TimeOf(const Json& json, const char* key) {
  const auto time = ParseTime(TextOf(json, key));
  return time ? std::optional(*time) : std::nullopt;
}

void ReadCondition(const Json& condition, ConditionStatus& status, WallTime& since) {
  const std::string text = TextOf(condition, "status");
  for (const ConditionStatus each :
       {ConditionStatus::kUnknown, ConditionStatus::kFalse, ConditionStatus::kTrue}) {
    if (text == ConditionStatusName(each)) status = each;
  }
  since = TimeOf(condition, "lastTransitionTime").value_or(since);
}

LinkStamps ReadStamps(const Json& status) {
  LinkStamps stamps;
  stamps.state = ParseLinkState(TextOf(status, "state")).value_or(LinkState::kUnknown);
  stamps.since = TimeOf(status, "since").value_or(WallTime::max());
  stamps.reported = TimeOf(status, "reported");
  const Json* const conditions = Find(status, "conditions");
  if (!conditions || !conditions->is_array()) return stamps;
  for (const Json& condition : *conditions) {
    const std::string type = TextOf(condition, "type");
    if (type == "Healthy") ReadCondition(condition, stamps.healthy, stamps.healthy_since);
    if (type == "Fresh") ReadCondition(condition, stamps.fresh, stamps.fresh_since);
  }
  return stamps;
}

}  // namespace

kube::ApiRequest FindLinksRequest() {
  kube::ApiRequest request;
  request.path = kube::PathOf({"apis", kGroup, kVersion});
  return request;
}

kube::ApiRequest ListLinksRequest() {
  kube::ApiRequest request;
  request.path = kube::PathOf({"apis", kGroup, kVersion, "links"});
  request.query = {{"labelSelector", std::string(kManagedBy) + "=" + kManager}};
  return request;
}

kube::ApiRequest ApplyLinkRequest(const std::string& name) {
  return Apply(
      kube::PathOf({"apis", kGroup, kVersion, "links", name}),
      {{"apiVersion", kApiVersion},
       {"kind", "Link"},
       {"metadata",
        {{"name", name},
         {"labels", {{kManagedBy, kManager}, {"app.kubernetes.io/part-of", "fairlead"}}}}}});
}

kube::ApiRequest ApplyLinkStatusRequest(const LinkObject& object, const LinkStamps& stamps) {
  return Apply(kube::PathOf({"apis", kGroup, kVersion, "links", object.name, "status"}),
               {{"apiVersion", kApiVersion},
                {"kind", "Link"},
                {"metadata", {{"name", object.name}}},
                {"status", StatusJson(object, stamps)}});
}

kube::ApiRequest RemoveLinkRequest(const std::string& name) {
  kube::ApiRequest request;
  request.method = kube::Method::kDelete;
  request.path = kube::PathOf({"apis", kGroup, kVersion, "links", name});
  return request;
}

Result<std::map<std::string, LinkStamps>> DecodeLinks(std::string_view body) {
  const Json list = Json::parse(body, nullptr, false);
  const Json* const items = Find(list, "items");
  if (!items || !items->is_array()) {
    return Fail(ErrorCode::kInvalidArgument, "the answer is no list of Links");
  }
  std::map<std::string, LinkStamps> found;
  for (const Json& item : *items) {
    const Json* const metadata = Find(item, "metadata");
    const std::string name = metadata ? TextOf(*metadata, "name") : std::string();
    if (name.empty()) continue;
    const Json* const status = Find(item, "status");
    found.emplace(name, ReadStamps(status ? *status : Json::object()));
  }
  return found;
}

}  // namespace fairlead::extender
