// The token by which a caller proves which node it runs on.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// The metadata key and the word before the token (RFC 6750).
inline constexpr char kAuthorizationKey[] = "authorization";
inline constexpr std::string_view kBearerPrefix = "Bearer ";

// The token inside file contents: surrounding white space removed, never empty, at most 16 KiB of
// visible ASCII (anything else could not travel as metadata). Pure.
Result<std::string> ParseToken(std::string_view text);

// The token inside an authorization header's value. kUnauthenticated with the remedy where there
// is none; the value itself is never repeated. Pure.
Result<std::string> ParseBearer(std::string_view header);
std::string FormatBearer(std::string_view token);

// True when both are the same, in a time that tells nothing about where they differ.
bool SameToken(std::string_view a, std::string_view b);

}  // namespace fairlead
