// What is left of a node, and how many pods go into it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// Room is counted up to this many members a node and a site.
inline constexpr std::uint32_t kMostRoom = 1'000'000;

struct NodeLeft {
  Amounts free;
  std::int64_t pods = 0;
};

inline std::int64_t AmountOf(const Amounts& amounts, const std::string& name) {
  const auto found = amounts.extended.find(name);
  return found == amounts.extended.end() ? 0 : found->second;
}

// By amounts and places alone, at most kMostRoom; whether the pod may go there is MatchNode's.
inline std::uint32_t RoomIn(const PodNeeds& needs, const Amounts& free, std::int64_t pods) {
  std::int64_t room = std::clamp<std::int64_t>(pods, 0, needs.one_per_host ? 1 : kMostRoom);
  const auto bound = [&room](std::int64_t wanted, std::int64_t left) {
    if (wanted > 0) room = std::min(room, std::max<std::int64_t>(left, 0) / wanted);
  };
  bound(needs.requests.milli_cpu, free.milli_cpu);
  bound(needs.requests.memory_bytes, free.memory_bytes);
  bound(needs.requests.ephemeral_storage_bytes, free.ephemeral_storage_bytes);
  for (const auto& [name, wanted] : needs.requests.extended) {
    if (room == 0) break;
    bound(wanted, AmountOf(free, name));
  }
  return static_cast<std::uint32_t>(room);
}

}  // namespace fairlead::extender
