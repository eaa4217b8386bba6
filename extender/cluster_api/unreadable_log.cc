#include "extender/cluster_api/unreadable_log.h"

#include <string>

#include "common/base/log.h"

namespace fairlead::extender {

void UnreadableLog::See(std::string_view kind, const kube::ObjectId& id,
                        std::string_view unreadable) {
  if (unreadable.empty()) {
    if (!named_.empty()) named_.erase(id.Text());
    return;
  }
  if (named_.size() >= kMost || !named_.insert(id.Text()).second) return;
  LogWarning("an amount cannot be read, so that what is free there is not known; mend the object",
             {{"kind", kind}, {"object", id.Text()}, {"amount", unreadable}});
}

}  // namespace fairlead::extender
