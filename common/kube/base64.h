// Base64 as kubeconfig files and Secrets hold it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fairlead::kube {

// Standard alphabet with padding (RFC 4648, section 4); line breaks are passed over. Nothing where
// it is anything else.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace fairlead::kube
