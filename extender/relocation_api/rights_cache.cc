#include "extender/relocation_api/rights_cache.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "extender/relocation_api/ask_api.h"
#include "extender/relocation_api/move_rights.h"

namespace fairlead::extender {

kube::ApiResult<std::string> RightsCache::Missing(kube::ApiConnection& connection,
                                                  const MoveTarget& target, bool checkpoint,
                                                  MonotonicTime now, const std::stop_token& stop) {
  std::erase_if(answers_, [&](const auto& answer) { return now - answer.second.at >= kFor; });
  const std::vector<MoveRight> rights = RightsOf(target, checkpoint);
  std::string key;
  for (const MoveRight& right : rights) key += ReviewRequest(target, right).body;
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second.missing;
  std::vector<MoveRight> missing;
  for (const MoveRight& right : rights) {
    const auto answer = AskFor(connection, ReviewRequest(target, right), stop);
    if (!answer) return tl::unexpected(answer.error());
    const auto allowed = ReadReview(*answer);
    if (!allowed) {
      return tl::unexpected(kube::ApiError{.failure = kube::ApiFailure::kMalformed,
                                           .message = allowed.error().message});
    }
    if (!*allowed) missing.push_back(right);
  }
  std::string sentence = MissingRights(missing, target.namespace_name);
  answers_[key] = {now, sentence};
  return sentence;
}

}  // namespace fairlead::extender
