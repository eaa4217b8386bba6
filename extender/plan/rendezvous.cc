#include "extender/plan/rendezvous.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace fairlead::extender {
namespace {

constexpr std::uint64_t kFnvOffset = 14695981039346656037ULL;
constexpr std::uint64_t kFnvPrime = 1099511628211ULL;

std::uint64_t Fnv1a(std::uint64_t hash, std::string_view text) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= kFnvPrime;
  }
  return hash;
}

// FNV alone leaves the last characters in the low bits; names differ just there.
std::uint64_t Mix(std::uint64_t hash) {
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33;
  hash *= 0xc4ceb9fe1a85ec53ULL;
  hash ^= hash >> 33;
  return hash;
}

}  // namespace

std::uint64_t RendezvousHash(std::string_view place, std::string_view candidate) {
  std::uint64_t hash = Fnv1a(kFnvOffset, place);
  hash = Fnv1a(hash, std::string_view("\0", 1));
  return Mix(Fnv1a(hash, candidate));
}

std::vector<std::string> HighestHashes(std::string_view place, std::vector<std::string> candidates,
                                       std::size_t count) {
  using Ranked = std::pair<std::uint64_t, std::string>;
  std::vector<Ranked> ranked;
  for (std::string& candidate : candidates) {
    const std::uint64_t hash = RendezvousHash(place, candidate);
    ranked.emplace_back(hash, std::move(candidate));
  }
  std::ranges::sort(ranked, std::greater<>{});
  ranked.resize(std::min(count, ranked.size()));
  std::vector<std::string> chosen;
  for (Ranked& one : ranked) chosen.push_back(std::move(one.second));
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace fairlead::extender
