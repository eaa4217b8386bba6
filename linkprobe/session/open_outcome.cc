#include "linkprobe/session/open_outcome.h"

namespace fairlead::linkprobe {

std::string_view OpenOutcomeName(OpenOutcome outcome) {
  switch (outcome) {
    case OpenOutcome::kOpened:
      return "opened";
    case OpenOutcome::kVersion:
      return "version";
    case OpenOutcome::kWrongResponder:
      return "wrong_responder";
    case OpenOutcome::kNoPlan:
      return "no_plan";
    case OpenOutcome::kStranger:
      return "stranger";
    case OpenOutcome::kWrongKey:
      return "wrong_key";
    case OpenOutcome::kBadMac:
      return "bad_mac";
    case OpenOutcome::kBadTime:
      return "bad_time";
    case OpenOutcome::kReplayed:
      return "replayed";
    case OpenOutcome::kBadEndpoints:
      return "bad_endpoints";
    case OpenOutcome::kNoCommonTransport:
      return "no_common_transport";
    case OpenOutcome::kBusy:
      return "busy";
  }
  return "unknown";
}

}  // namespace fairlead::linkprobe
