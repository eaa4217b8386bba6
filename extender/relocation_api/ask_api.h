// Asking the API server for objects and lists of them.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/api_connection.h"
#include "extender/relocation_api/json_fields.h"

namespace fairlead::extender {

// Lists are asked for in pages of so many objects, at most so many pages.
inline constexpr int kPageSize = 500;
inline constexpr int kMostPages = 100;

// kMalformed where the answer is no JSON.
kube::ApiResult<Json> AskFor(kube::ApiConnection& connection, const kube::ApiRequest& request,
                             const std::stop_token& stop);

// Calls take(item) for each object of the list. What is not a whole list of that kind ("PodList")
// is kMalformed, as is an item that `take` refuses; a longer list than kMostPages is kTooLarge.
using TakeItem = std::function<Status(const Json& item)>;
kube::ApiResult<void> AskForEach(kube::ApiConnection& connection, kube::ApiRequest request,
                                 std::string_view kind, const TakeItem& take,
                                 const std::stop_token& stop);

}  // namespace fairlead::extender
