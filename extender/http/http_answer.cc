#include "extender/http/http_answer.h"

#include "extender/http/json_text.h"

namespace fairlead::extender {

HttpAnswer ErrorAnswer(int status, std::string_view message) {
  HttpAnswer answer{.status = status, .content_type = "application/json", .body = {}};
  answer.body = "{\"error\":";
  AppendJsonAscii(answer.body, message);
  answer.body += "}\n";
  return answer;
}

}  // namespace fairlead::extender
