// Names of Kubernetes extended resources.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// A name that kubelet registers as an extended resource: "prefix/name", the prefix a DNS subdomain
// other than Kubernetes' own, the name as of a label. Kubernetes checks it with "requests." in
// front, as quotas spell it, hence the prefix has at most 244 characters and does not begin so
// itself. kInvalidArgument for anything else.
Result<std::string> ParseResourceName(std::string_view text);

// The name as part of an environment variable's: "rdma/hca-bulk" is RDMA_HCA_BULK.
inline std::string VariableWord(std::string_view resource) {
  std::string word;
  for (const char c : resource) {
    if (c >= 'a' && c <= 'z') {
      word += static_cast<char>(c - 'a' + 'A');
    } else {
      word += (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    }
  }
  return word;
}

}  // namespace fairlead
