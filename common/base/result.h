// The error type of the whole project and the value-or-error that carries it.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace fairlead {

// What kind of thing went wrong; decides the reaction, the message tells the reader.
enum class ErrorCode {
  kInvalidArgument,    // the input itself is wrong; the same input fails again
  kNotFound,           // the named thing does not exist
  kUnavailable,        // a peer, device or file is not there now; trying again may help
  kPermissionDenied,   // the caller may not do this
  kUnauthenticated,    // the caller did not prove who it is
  kResourceExhausted,  // a limit was reached
  kUnsupported,        // this host, device or peer cannot do it
  kInternal,           // an operating-system or library call failed unexpectedly
};

// Stable lower-case word for logs and metric labels, for example "invalid_argument".
std::string_view ErrorCodeName(ErrorCode code);

// One failure. The message names the thing, the value and, where there is one, the remedy.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;

  // The same error with "context: " before its message.
  Error Within(std::string_view context) const;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// Shorthand for a failed Result: `return Fail(ErrorCode::kNotFound, "no device mlx5_0");`
inline tl::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}
inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace fairlead
