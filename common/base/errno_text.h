// What a failed system call said.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// "no such file or directory (errno 2)". Thread-safe.
std::string ErrnoText(int error_number);

// An Error for a failed system call: "WHAT: no such file or directory (errno 2)", with the code
// that suits the number: kNotFound, kPermissionDenied, kResourceExhausted, kUnavailable or
// kInternal.
Error SystemError(int error_number, std::string_view what);

}  // namespace fairlead
