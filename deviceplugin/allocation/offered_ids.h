// The devices of one resource and what stands behind each id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// The NUMA nodes that are known, ascending, none twice: kubelet must never see -1.
std::vector<std::int64_t> KnownNumaNodes(std::initializer_list<int> nodes);

// Several ids may stand for one thing, as the slots of an HCA do. Immutable once filled.
class OfferedIds {
 public:
  explicit OfferedIds(std::string resource) : resource_(std::move(resource)) {}

  void Add(OfferedDevice device, std::size_t thing);

  const std::string& resource() const { return resource_; }
  const std::vector<OfferedDevice>& devices() const { return devices_; }  // sorted by id
  // Null for an id that was not offered.
  const std::size_t* Find(std::string_view id) const;
  // The things behind the ids, ascending, each once. kInvalidArgument without ids, kNotFound for
  // one that was not offered.
  Result<std::vector<std::size_t>> Things(std::span<const std::string> ids) const;
  // How many ids stand for the thing.
  std::size_t CountOf(std::size_t thing) const;

 private:
  std::string resource_;
  std::vector<OfferedDevice> devices_;
  std::map<std::string, std::size_t, std::less<>> things_;
  std::map<std::size_t, std::size_t> counts_;
};

}  // namespace fairlead::deviceplugin
