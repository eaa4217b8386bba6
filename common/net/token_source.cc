#include "common/net/token_source.h"

#include <sys/stat.h>

#include <cerrno>

#include "common/base/errno_text.h"
#include "common/base/file.h"
#include "common/base/quote.h"
#include "common/net/bearer_token.h"

namespace fairlead {

Result<std::string> TokenSource::Read() const {
  if (path_.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "no token file is set; name one with the token that proves this node "
                "(linkprobe.tokenFile)");
  }
  const std::string context = "token file " + Quoted(path_, 256);
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) return Fail(SystemError(errno, context));
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Fail(ErrorCode::kPermissionDenied,
                context + ": group or others may write it; chmod go-w");
  }
  const Result<std::string> text = ReadFile(path_, 1U << 20);
  if (!text) return Fail(text.error());
  Result<std::string> token = ParseToken(*text);
  if (!token) return Fail(token.error().Within(context));
  return token;
}

}  // namespace fairlead
