#include "extender/http/http_message.h"

#include "extender/http/json_text.h"

namespace fairlead::extender {

HttpAnswer ErrorAnswer(int status, std::string_view message) {
  HttpAnswer answer{.status = status, .content_type = "application/json", .body = {}, .allow = {}};
  answer.body = "{\"error\":";
  AppendJsonAscii(answer.body, message);
  answer.body += "}\n";
  return answer;
}

}  // namespace fairlead::extender
