// What a job needs before its first pod can start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fairlead::extender {

struct JobNeed {
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<std::uint32_t> members;  // that must be placed together
  // `rdma/hca` of those members: at least so many, absent where nothing tells.
  std::optional<std::uint64_t> hcas;
};

}  // namespace fairlead::extender
