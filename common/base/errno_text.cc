#include "common/base/errno_text.h"

#include <cerrno>
#include <system_error>

namespace fairlead {
namespace {

ErrorCode CodeOf(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
      return ErrorCode::kPermissionDenied;
    case ENOMEM:
    case ENOSPC:
    case EMFILE:
    case ENFILE:
      return ErrorCode::kResourceExhausted;
    case EADDRINUSE:
    case EADDRNOTAVAIL:
    case EAGAIN:
    case EBUSY:
    case ECONNREFUSED:
    case ECONNRESET:
    case EHOSTUNREACH:
    case ENETDOWN:
    case ENETUNREACH:
    case ETIMEDOUT:
      return ErrorCode::kUnavailable;
    default:  // errno is not an enum of ours: every other number is a surprise
      return ErrorCode::kInternal;
  }
}

}  // namespace

std::string ErrnoText(int error_number) {
  std::string text = std::generic_category().message(error_number);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text + " (errno " + std::to_string(error_number) + ")";
}

Error SystemError(int error_number, std::string_view what) {
  return Error{CodeOf(error_number), std::string(what) + ": " + ErrnoText(error_number)};
}

}  // namespace fairlead
