// Who stands behind a token.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead::extender {

// Thread-safe.
class TokenVerifier {
 public:
  virtual ~TokenVerifier() = default;

  // The node that the token was issued to. kUnauthenticated for a token nobody has; the token
  // itself never appears in a message.
  virtual Result<std::string> NodeOf(std::string_view token) = 0;
};

}  // namespace fairlead::extender
