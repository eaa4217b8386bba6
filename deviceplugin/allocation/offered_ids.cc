#include "deviceplugin/allocation/offered_ids.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/base/quote.h"

namespace fairlead::deviceplugin {

std::vector<std::int64_t> KnownNumaNodes(std::initializer_list<int> nodes) {
  std::set<std::int64_t> known;
  for (const int node : nodes) {
    if (node >= 0) known.insert(node);
  }
  return {known.begin(), known.end()};
}

void OfferedIds::Add(OfferedDevice device, std::size_t thing) {
  if (!things_.emplace(device.id, thing).second) return;
  ++counts_[thing];
  const auto at = std::lower_bound(
      devices_.begin(), devices_.end(), device.id,
      [](const OfferedDevice& other, const std::string& id) { return other.id < id; });
  devices_.insert(at, std::move(device));
}

const std::size_t* OfferedIds::Find(std::string_view id) const {
  const auto found = things_.find(id);
  return found == things_.end() ? nullptr : &found->second;
}

Result<std::vector<std::size_t>> OfferedIds::Things(std::span<const std::string> ids) const {
  if (ids.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no device of " + resource_ + " is asked for");
  }
  std::set<std::size_t> things;
  for (const std::string& id : ids) {
    const std::size_t* thing = Find(id);
    if (thing == nullptr) {
      return Fail(ErrorCode::kNotFound,
                  "device " + Quoted(id) + " of " + resource_ + " does not exist on this node");
    }
    things.insert(*thing);
  }
  return std::vector<std::size_t>(things.begin(), things.end());
}

std::size_t OfferedIds::CountOf(std::size_t thing) const {
  const auto found = counts_.find(thing);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace fairlead::deviceplugin
