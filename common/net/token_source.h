// A bearer token kept in a file.
#pragma once

#include <string>
#include <utility>

#include "common/base/result.h"

namespace fairlead {

// Reads the file anew each time, because whoever issues the token replaces it before it expires.
// Thread-safe.
class TokenSource {
 public:
  explicit TokenSource(std::string path) : path_(std::move(path)) {}

  // Fails, with the path and the remedy, where the file is missing, empty, no token, or may be
  // written by group or others, who could then pretend to be this node. Reading by others is not
  // judged: Kubernetes projects tokens with mode 0644 into a volume of their own.
  Result<std::string> Read() const;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace fairlead
