#include "linkprobe/reflect/drop_reason.h"

namespace fairlead::linkprobe {

std::string_view DropReasonName(DropReason reason) {
  switch (reason) {
    case DropReason::kMalformed:
      return "malformed";
    case DropReason::kNotAProbe:
      return "not_a_probe";
    case DropReason::kUnknownSession:
      return "unknown_session";
    case DropReason::kUnknownPath:
      return "unknown_path";
    case DropReason::kWrongEpoch:
      return "wrong_epoch";
    case DropReason::kWrongKey:
      return "wrong_key";
    case DropReason::kBadMac:
      return "bad_mac";
    case DropReason::kDuplicate:
      return "duplicate";
    case DropReason::kTooOld:
      return "too_old";
    case DropReason::kSequenceJump:
      return "sequence_jump";
    case DropReason::kRateLimited:
      return "rate_limited";
  }
  return "unknown";
}

}  // namespace fairlead::linkprobe
