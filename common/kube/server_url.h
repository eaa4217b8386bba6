// The address of an API server.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead::kube {

struct ServerUrl {
  std::string scheme;  // https or http
  std::string host;    // IPv6 in brackets
  int port = 0;
  std::string prefix;  // of every path, "/k8s/clusters/c-1" behind a gateway; never ends in a slash

  std::string Text() const;  // "https://host:port/prefix"
};

// kInvalidArgument, with the remedy, for what is no such URL, holds a user, query or fragment, or
// is plain http beyond the loopback, where anybody on the way could read the token; the last is
// taken where `plaintext` says so.
Result<ServerUrl> ParseServerUrl(std::string_view text, bool plaintext = false);

}  // namespace fairlead::kube
