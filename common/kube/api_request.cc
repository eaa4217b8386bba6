#include "common/kube/api_request.h"

namespace fairlead::kube {
namespace {

// All but the unreserved characters of RFC 3986.
void AppendEncoded(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

}  // namespace

std::string TargetOf(const ApiRequest& request) {
  std::string out = request.path;
  char separator = '?';
  for (const auto& [name, value] : request.query) {
    out += separator;
    separator = '&';
    AppendEncoded(name, out);
    out += '=';
    AppendEncoded(value, out);
  }
  return out;
}

std::string PathOf(const std::vector<std::string_view>& segments) {
  std::string out;
  for (const std::string_view segment : segments) {
    out += '/';
    // Dots alone would climb; encoded they are a name that does not exist.
    if (segment == "." || segment == "..") {
      for (std::size_t i = 0; i < segment.size(); ++i) out += "%2E";
    } else {
      AppendEncoded(segment, out);
    }
  }
  return out;
}

std::string_view MethodName(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      return "DELETE";
  }
  return "";
}

std::string_view ContentType(BodyKind kind) {
  switch (kind) {
    case BodyKind::kJson:
      return "application/json";
    case BodyKind::kMergePatch:
      return "application/merge-patch+json";
    case BodyKind::kApply:
      return "application/apply-patch+yaml";
  }
  return "";
}

}  // namespace fairlead::kube
