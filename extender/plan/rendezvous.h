// Choosing a few of many so that one coming or going changes nothing for the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::extender {

// FNV-1a over both texts with a separator, finished by MurmurHash3's mixer. The same on every host
// and in every release: replicas must choose alike.
std::uint64_t RendezvousHash(std::string_view place, std::string_view candidate);

// The `count` candidates of highest hash at `place` (Thaler and Ravishankar 1996), sorted by name.
std::vector<std::string> HighestHashes(std::string_view place, std::vector<std::string> candidates,
                                       std::size_t count);

}  // namespace fairlead::extender
