#include "common/config/resource_name.h"

#include "common/base/quote.h"
#include "common/config/names.h"

namespace fairlead {

Result<std::string> ParseResourceName(std::string_view text) {
  const auto refuse = [&](const std::string& why) {
    return Fail(ErrorCode::kInvalidArgument, Quoted(text) + " " + why);
  };
  if (text.find('/') == std::string_view::npos) {
    return refuse("is not a resource name; write it like rdma/hca, with a prefix of your own");
  }
  if (text.find("kubernetes.io/") != std::string_view::npos) {
    return refuse("has a prefix that belongs to Kubernetes; use one of your own, like rdma/hca");
  }
  if (text.starts_with("requests.")) {
    return refuse("begins with requests., which belongs to quotas; use another prefix");
  }
  if (!ParseLabelKey("requests." + std::string(text))) {
    return refuse(
        "is not a resource name; before the slash a DNS subdomain of at most 244 characters, after "
        "it 1 to 63 letters, digits, '-', '_' or '.', like rdma/hca");
  }
  return std::string(text);
}

}  // namespace fairlead
