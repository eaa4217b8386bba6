#include "extender/http/volcano_task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "extender/http/pod_reader.h"
#include "extender/http/volcano_resource.h"

namespace fairlead::extender::json {
namespace {

constexpr std::uint64_t kHoldingStatuses = 2 | 4 | 8 | 16 | 32;
// Kubernetes allows 253 bytes for a name.
constexpr std::size_t kMostNameBytes = 512;
constexpr double kMostUnits = UINT32_MAX;

// Text only: another type is a release that we do not know.
error_code ReadTextOnly(od::value& value, std::string_view& out) {
  if (Kind(value) != '"') return simdjson::SUCCESS;
  if (const error_code error = ReadText(value, out)) return error;
  return out.size() > kMostNameBytes ? simdjson::CAPACITY : simdjson::SUCCESS;
}

// What the task says of itself, for where its Pod does not.
struct OwnWords {
  std::string_view uid;
  std::string_view name;
  std::string_view namespace_name;
  StringMap annotations;
  IdleCapacity request;
};

error_code ReadAnnotations(od::value& map, std::size_t limit, StringMap& out) {
  if (Kind(map) != '{') return simdjson::SUCCESS;
  constexpr std::size_t kMostBytes = 1U << 20;
  std::size_t kept = 0;
  return ForEachField(map, limit, [&](auto key, od::value value) {
    std::string_view text;
    if (Kind(value) != '"') return simdjson::SUCCESS;
    if (const error_code error = ReadText(value, text)) return error;
    kept += key.size() + text.size();
    if (key.size() > kMostNameBytes || kept > kMostBytes) return simdjson::CAPACITY;
    out[std::string(key)] = text;
    return simdjson::SUCCESS;
  });
}

// Extended resources alone, as from a Pod.
std::map<std::string, std::uint64_t, std::less<>> WholeRequests(const IdleCapacity& request) {
  std::map<std::string, std::uint64_t, std::less<>> whole;
  for (const auto& [name, amount] : request.others) {
    const bool extended = name.find('/') != std::string_view::npos;
    if (!extended || name.size() > kMostNameBytes || amount < 1) continue;
    whole[std::string(name)] = static_cast<std::uint64_t>(std::floor(std::min(amount, kMostUnits)));
  }
  return whole;
}

void Complete(PodFacts& pod, OwnWords own) {
  if (pod.uid.empty()) pod.uid = own.uid;
  if (pod.name.empty()) pod.name = own.name;
  if (pod.namespace_name.empty()) pod.namespace_name = own.namespace_name;
  if (pod.annotations.empty()) pod.annotations = std::move(own.annotations);
  if (pod.requests.empty()) pod.requests = WholeRequests(own.request);
}

}  // namespace

error_code ReadTask(od::value& task, std::size_t limit, TaskFacts& facts, std::string_view& where) {
  facts = {};
  OwnWords own;
  const error_code error = ForEachField(task, limit, [&](auto key, od::value value) {
    if (SameKey(key, "UID")) return ReadTextOnly(value, own.uid);
    if (SameKey(key, "Job")) return ReadTextOnly(value, facts.job);
    if (SameKey(key, "Name")) return ReadTextOnly(value, own.name);
    if (SameKey(key, "Namespace")) return ReadTextOnly(value, own.namespace_name);
    if (SameKey(key, "PodAnnotations")) return ReadAnnotations(value, limit, own.annotations);
    if (SameKey(key, "InitResreq") && Kind(value) == '{') {
      return ReadResource(value, limit, own.request);
    }
    if (!SameKey(key, "Pod")) return simdjson::SUCCESS;
    facts.pod = {};
    return ReadPod(value, limit, facts.pod, where);
  });
  if (error && where.empty()) where = "task";
  Complete(facts.pod, std::move(own));
  return error;
}

bool TaskGlance::holds_place() const { return (status & kHoldingStatuses) != 0; }

error_code ReadTaskGlance(od::value& task, std::size_t limit, bool with_request,
                          TaskGlance& glance) {
  if (Kind(task) != '{') return simdjson::SUCCESS;
  return ForEachField(task, limit, [&](auto key, od::value value) {
    if (SameKey(key, "UID")) return ReadTextOnly(value, glance.uid);
    if (SameKey(key, "Job")) return ReadTextOnly(value, glance.job);
    if (SameKey(key, "Status")) {
      if (value.get_uint64().get(glance.status)) glance.status = 0;  // skipped then
      return simdjson::SUCCESS;
    }
    if (with_request && SameKey(key, "InitResreq") && Kind(value) == '{') {
      return ReadResource(value, limit, glance.request);
    }
    return simdjson::SUCCESS;
  });
}

}  // namespace fairlead::extender::json
