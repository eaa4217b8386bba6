// The keys by which two probes prove their packets to each other.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>

#include "common/base/result.h"
#include "extender/plan/probe_mesh.h"

namespace fairlead::extender {

struct PairKey {
  std::uint32_t id = 0;
  std::array<unsigned char, 32> bytes{};  // HMAC-SHA256
};

// One random key for each pair of nodes, the same for both. Single-threaded.
class PairKeys {
 public:
  // The key of the pair while both probes are the same processes as before, told by their epochs;
  // otherwise a new one. kInternal when the system has no randomness to give.
  Result<PairKey> KeyOf(const NodePair& pair, std::uint64_t first_epoch,
                        std::uint64_t second_epoch);
  // Forgets the keys of all other pairs.
  void Keep(const std::set<NodePair>& pairs);
  std::size_t size() const { return keys_.size(); }

 private:
  struct Issued {
    PairKey key;
    std::uint64_t first_epoch = 0;
    std::uint64_t second_epoch = 0;
  };

  std::map<NodePair, Issued> keys_;
  std::uint32_t last_id_ = 0;
};

}  // namespace fairlead::extender
