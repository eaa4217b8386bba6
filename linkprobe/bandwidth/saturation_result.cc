#include "linkprobe/bandwidth/saturation_result.h"

namespace fairlead::linkprobe {

std::string_view SaturationEndName(SaturationEnd end) {
  switch (end) {
    case SaturationEnd::kLine:
      return "line";
    case SaturationEnd::kSender:
      return "sender";
    case SaturationEnd::kTarget:
      return "target";
    case SaturationEnd::kHarm:
      return "harm";
    case SaturationEnd::kQuota:
      return "quota";
    case SaturationEnd::kSilent:
      return "silent";
    case SaturationEnd::kNoReplies:
      return "no_replies";
  }
  return "unknown";
}

}  // namespace fairlead::linkprobe
