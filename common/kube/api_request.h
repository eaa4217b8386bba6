// One request to the API server.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::kube {

enum class Method { kGet, kPost, kPut, kPatch, kDelete };

enum class BodyKind {
  kJson,        // an object, or DeleteOptions
  kMergePatch,  // RFC 7386
  kApply        // server-side apply; the query names the field manager
};

struct ApiRequest {
  Method method = Method::kGet;
  std::string path;  // "/api/v1/namespaces/ml/pods"; see PathOf for names that come from outside
  std::vector<std::pair<std::string, std::string>> query;  // not encoded
  std::string body;
  BodyKind body_kind = BodyKind::kJson;
};

// The path and query of the request line, what needs it percent-encoded.
std::string TargetOf(const ApiRequest& request);

// A path of these segments, each percent-encoded, so that no name can lead elsewhere:
// PathOf({"api", "v1", "namespaces", ns, "pods", name}).
std::string PathOf(const std::vector<std::string_view>& segments);

std::string_view MethodName(Method method);
std::string_view ContentType(BodyKind kind);

}  // namespace fairlead::kube
