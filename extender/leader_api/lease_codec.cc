#include "extender/leader_api/lease_codec.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/kube/micro_time.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

// The value at `key`; null where `from` is no object or has none.
const Json& At(const Json& from, const char* key) {
  static const Json kNull;
  const auto found = from.is_object() ? from.find(key) : from.end();
  return from.is_object() && found != from.end() ? *found : kNull;
}

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

// Of an int32 field; what is not within it counts as not said.
std::int32_t Number(const Json& value) {
  if (!value.is_number_integer()) return 0;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return number <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(number)
                                                              : 0;
  }
  return 0;  // negative
}

void Put(const LeaseWrite& write, WallTime now, Json& spec) {
  if (!spec.is_object()) spec = Json::object();
  const std::string time = kube::MicroTime(now);
  spec["holderIdentity"] = write.holder;
  spec["leaseDurationSeconds"] = write.duration.count();
  spec["leaseTransitions"] = write.transitions;
  spec["renewTime"] = time;
  if (write.acquires) spec["acquireTime"] = time;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<KnownLease> ReadLease(std::string text) {
  const Json lease = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  std::string version = Text(At(At(lease, "metadata"), "resourceVersion"));
  if (version.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "the API server's answer is no Lease: it has no metadata.resourceVersion");
  }
  const Json& spec = At(lease, "spec");
  LeaseRecord record{
      .holder = Text(At(spec, "holderIdentity")),
      .duration = Seconds(Number(At(spec, "leaseDurationSeconds"))),
      .transitions = static_cast<std::uint32_t>(Number(At(spec, "leaseTransitions"))),
      .acquire_time = Text(At(spec, "acquireTime")),
      .renew_time = Text(At(spec, "renewTime"))};
  return KnownLease{std::move(record), std::move(version), std::move(text)};
}

std::string MakeLease(const std::string& name, const LeaseWrite& write, WallTime now) {
  Json lease{
      {"apiVersion", "coordination.k8s.io/v1"}, {"kind", "Lease"}, {"metadata", {{"name", name}}}};
  Put(write, now, lease["spec"]);
  return Dump(lease);
}

std::string ChangeLease(const KnownLease& known, const LeaseWrite& write, WallTime now) {
  Json lease = Json::parse(known.text, nullptr, /*allow_exceptions=*/false);
  Put(write, now, lease["spec"]);
  return Dump(lease);
}

}  // namespace fairlead::extender
