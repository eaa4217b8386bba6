#include "extender/cluster/amounts.h"

#include <algorithm>
#include <cstdint>

namespace fairlead::extender {
namespace {

// Unsigned arithmetic has no overflow, so that what was added can always be taken away again.
std::int64_t Sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t Negative(std::int64_t value) {
  return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
}

}  // namespace

void Add(Amounts& to, const Amounts& amounts) {
  to.milli_cpu = Sum(to.milli_cpu, amounts.milli_cpu);
  to.memory_bytes = Sum(to.memory_bytes, amounts.memory_bytes);
  to.ephemeral_storage_bytes = Sum(to.ephemeral_storage_bytes, amounts.ephemeral_storage_bytes);
  for (const auto& [name, amount] : amounts.extended) {
    if (amount == 0) continue;
    const auto [entry, added] = to.extended.try_emplace(name, amount);
    if (added) continue;
    entry->second = Sum(entry->second, amount);
    if (entry->second == 0) to.extended.erase(entry);
  }
}

void Subtract(Amounts& from, const Amounts& amounts) {
  Amounts negative;
  negative.milli_cpu = Negative(amounts.milli_cpu);
  negative.memory_bytes = Negative(amounts.memory_bytes);
  negative.ephemeral_storage_bytes = Negative(amounts.ephemeral_storage_bytes);
  for (const auto& [name, amount] : amounts.extended) negative.extended[name] = Negative(amount);
  Add(from, negative);
}

void RaiseTo(Amounts& to, const Amounts& least) {
  to.milli_cpu = std::max(to.milli_cpu, least.milli_cpu);
  to.memory_bytes = std::max(to.memory_bytes, least.memory_bytes);
  to.ephemeral_storage_bytes = std::max(to.ephemeral_storage_bytes, least.ephemeral_storage_bytes);
  for (const auto& [name, amount] : least.extended) {
    std::int64_t& mine = to.extended[name];
    mine = std::max(mine, amount);
  }
}

Amounts Left(Amounts allocatable, const Amounts& used) {
  Subtract(allocatable, used);
  return allocatable;
}

}  // namespace fairlead::extender
