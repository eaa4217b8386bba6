#include "extender/relocation_api/ask_api.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace fairlead::extender {
namespace {

tl::unexpected<kube::ApiError> Fault(const kube::ApiRequest& request, kube::ApiFailure failure,
                                     const std::string& what) {
  return tl::unexpected(kube::ApiError{
      .failure = failure,
      .message = std::string(kube::MethodName(request.method)) + " " + request.path + ": " + what});
}

// null instead of items is an empty list, as Go writes it; no items at all is no list.
bool IsList(const Json& list, std::string_view kind) {
  if (TextAt(list, {"kind"}) != kind) return false;
  if (TextAt(list, {"metadata", "resourceVersion"}).empty()) return false;
  const auto items = list.find("items");
  return items != list.end() && (items->is_array() || items->is_null());
}

}  // namespace

kube::ApiResult<Json> AskFor(kube::ApiConnection& connection, const kube::ApiRequest& request,
                             const std::stop_token& stop) {
  const auto answer = connection.Call(request, stop);
  if (!answer) return tl::unexpected(answer.error());
  Json json = Json::parse(*answer, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return Fault(request, kube::ApiFailure::kMalformed, "the answer is no JSON");
  }
  return json;
}

kube::ApiResult<void> AskForEach(kube::ApiConnection& connection, kube::ApiRequest request,
                                 std::string_view kind, const TakeItem& take,
                                 const std::stop_token& stop) {
  request.query.emplace_back("limit", std::to_string(kPageSize));
  const std::size_t fixed = request.query.size();
  for (int page = 0; page < kMostPages; ++page) {
    const auto list = AskFor(connection, request, stop);
    if (!list) return tl::unexpected(list.error());
    if (!IsList(*list, kind)) {
      return Fault(request, kube::ApiFailure::kMalformed, "the answer is no " + std::string(kind));
    }
    for (const Json& item : list->at("items")) {
      if (const Status taken = take(item); !taken) {
        return Fault(request, kube::ApiFailure::kMalformed, taken.error().message);
      }
    }
    const std::string next = TextAt(*list, {"metadata", "continue"});
    if (next.empty()) return {};
    request.query.resize(fixed);
    request.query.emplace_back("continue", next);
  }
  return Fault(request, kube::ApiFailure::kTooLarge,
               "more than " + std::to_string(kMostPages * kPageSize) + " objects");
}

}  // namespace fairlead::extender
