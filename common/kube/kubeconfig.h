// Access as a kubeconfig file describes it.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/access.h"
#include "common/kube/proxy_rules.h"

namespace fairlead::kube {

// Reads one file (YAML or JSON). `context` empty: its current-context. Paths in it are relative to
// its folder, and its proxy-url comes before `proxies`.
//
// Refused, by name and with the remedy: users that authenticate by a program (exec) or a plugin
// (auth-provider), by user name and password, or as somebody else (as); clusters whose certificate
// is not to be checked (insecure-skip-tls-verify); contexts, clusters and users that are missing.
Result<Access> ReadKubeconfig(const std::string& path, const std::string& context,
                              const ProxyEnvironment& proxies);

// The same for the text of such a file; `folder` is where relative paths begin. Reads no file.
Result<Access> ParseKubeconfig(std::string_view text, const std::string& name,
                               const std::string& folder, const std::string& context,
                               const ProxyEnvironment& proxies);

}  // namespace fairlead::kube
