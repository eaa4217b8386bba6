// What a handler says, free of any HTTP library.
#pragma once

#include <string>
#include <string_view>

namespace fairlead::extender {

struct HttpAnswer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
};

// An answer that says why the request was not served: `{"error":"<message>"}`. Any bytes are
// allowed in the message; those that are not printable ASCII are escaped.
HttpAnswer ErrorAnswer(int status, std::string_view message);

}  // namespace fairlead::extender
