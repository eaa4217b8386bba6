// What a relocation asks of the API server, and what came of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead::extender {

enum class CallKind {
  kWriteRecord,    // owner: the record
  kSetSuspend,     // owner: the record and spec.suspend in one patch
  kSetActive,      // workload: the marker and spec.active in one patch
  kCreateCommand,  // Volcano RestartJob, named by `name`
  kAskCheckpoint,  // pod: the annotation checkpoint-request
  kEvictPod,       // pods/eviction
  kDeletePod,
};

std::string_view CallKindName(CallKind kind);

struct ApiCall {
  CallKind kind = CallKind::kWriteRecord;
  std::string name;              // of the pod or Command
  std::string uid;               // of the pod or workload: a precondition
  std::string resource_version;  // of the owner or workload: a precondition, a must
  std::string record;            // kWriteRecord, kSetSuspend
  std::string text;              // kSetActive: the marker; kAskCheckpoint: the annotation's value
  bool value = false;            // kSetSuspend, kSetActive
  Nanoseconds grace{};           // kEvictPod, kDeletePod; 0: the pod's own

  bool operator==(const ApiCall&) const = default;
};

enum class CallResult {
  kDone,
  kConflict,     // 409: another resourceVersion or uid, or it is there already
  kThrottled,    // 429: for an eviction, a budget says no
  kServerError,  // 5xx: it may have been carried out
  kForbidden,    // 401, 403
  kNotFound,     // 404, 410
  kInvalid,      // 400, 422 and every other answer
  kLost,         // no answer: it may have been carried out, or still be
};

// Stable words for metrics: "server_error".
std::string_view CallResultName(CallResult result);

struct CallOutcome {
  CallResult result = CallResult::kDone;
  std::optional<Nanoseconds> retry_after{};
  std::string message{};  // the API server's, for people
};

}  // namespace fairlead::extender
