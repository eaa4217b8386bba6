#include "extender/registry/pair_keys.h"

#include <openssl/rand.h>

namespace fairlead::extender {

Result<PairKey> PairKeys::KeyOf(const NodePair& pair, std::uint64_t first_epoch,
                                std::uint64_t second_epoch) {
  const auto known = keys_.find(pair);
  if (known != keys_.end() && known->second.first_epoch == first_epoch &&
      known->second.second_epoch == second_epoch) {
    return known->second.key;
  }
  Issued issued{.key = {}, .first_epoch = first_epoch, .second_epoch = second_epoch};
  if (RAND_bytes(issued.key.bytes.data(), static_cast<int>(issued.key.bytes.size())) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL has no random bytes for a pair's key");
  }
  issued.key.id = ++last_id_;
  keys_[pair] = issued;
  return issued.key;
}

void PairKeys::Keep(const std::set<NodePair>& pairs) {
  std::erase_if(keys_, [&](const auto& entry) { return !pairs.contains(entry.first); });
}

}  // namespace fairlead::extender
