#include "common/http/http_head.h"

#include <algorithm>
#include <array>

#include "common/base/quote.h"

namespace fairlead {
namespace {

// What httplib parses; it answers 400 to all others.
constexpr std::array<std::string_view, 10> kMethods{
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "PRI"};

struct RequestLine {
  std::string_view method;
  std::string_view target;  // empty where the line does not have three parts
};

RequestLine Split(std::string_view head) {
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return {};
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (target.find(' ') != std::string_view::npos) return {};
  return {line.substr(0, first), target};
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool StartsWith(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(),
                    [](char a, char b) { return a == Lower(b); });
}

// How long `http://` or `https://` is; 0 where the target is not of this form.
std::size_t SchemeLength(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (StartsWith(target, scheme)) return scheme.size();
  }
  return 0;
}

std::string_view Phrase(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 414:
      return "URI Too Long";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    default:  // a status is a number, not an enum of ours
      return "Bad Request";
  }
}

}  // namespace

std::optional<std::size_t> HeadLength(std::string_view bytes, std::size_t searched) {
  constexpr std::string_view kEnd = "\n\r\n";  // the end of a line and an empty one
  const std::size_t from = searched < kEnd.size() ? 0 : searched - (kEnd.size() - 1);
  const std::size_t found = bytes.find(kEnd, from);
  if (found == std::string_view::npos) return std::nullopt;
  return found + kEnd.size();
}

std::optional<HttpFault> HeadFault(std::string_view bytes) {
  const std::string most_line = std::to_string(kMostHeadLineBytes);
  std::size_t begin = 0;
  while (begin < bytes.size()) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size() - 1) + 1;
    if (end - begin > kMostHeadLineBytes) {
      if (begin == 0) {
        return HttpFault{414,
                         "the request line is too long; at most " + most_line + " bytes are read"};
      }
      return HttpFault{431, "the header " +
                                Quoted(bytes.substr(begin, bytes.find(':', begin) - begin), 40) +
                                " is too long; at most " + most_line + " bytes are read"};
    }
    begin = end;
  }
  if (!HeadLength(bytes, 0)) {
    return HttpFault{431, "the headers are too long; at most " + std::to_string(kMostHeadBytes) +
                              " bytes are read"};
  }
  const RequestLine line = Split(bytes);
  if (line.target.empty()) return std::nullopt;  // httplib refuses it
  if (std::find(kMethods.begin(), kMethods.end(), line.method) == kMethods.end()) {
    return HttpFault{501, "the method " + Quoted(line.method, 20) + " is not known"};
  }
  const std::size_t scheme = SchemeLength(line.target);
  const std::string_view rest = line.target.substr(scheme);
  if (scheme > 0 && (rest.empty() || rest.find_first_of("/?#") == 0)) {
    return HttpFault{400, "the URI " + Quoted(line.target, 80) + " names no host"};
  }
  return std::nullopt;
}

std::size_t ToOriginForm(std::span<char> head) {
  const RequestLine line = Split({head.data(), head.size()});
  const std::size_t scheme = SchemeLength(line.target);
  if (scheme == 0) return 0;
  // Where the path begins, counted from the target. Without a path it is `/`, in the place of the
  // host's last letter.
  std::size_t path = std::min(line.target.find_first_of("/?#", scheme), line.target.size());
  const std::size_t target = line.method.size() + 1;
  if (path == line.target.size() || line.target[path] != '/') head[target + --path] = '/';
  std::move_backward(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(target),
                     head.begin() + static_cast<std::ptrdiff_t>(target + path));
  return path;
}

std::string RefusalText(const HttpFault& fault) {
  return "HTTP/1.1 " + std::to_string(fault.status) + " " + std::string(Phrase(fault.status)) +
         "\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(fault.message.size() + 1) + "\r\n\r\n" + fault.message + "\n";
}

}  // namespace fairlead
