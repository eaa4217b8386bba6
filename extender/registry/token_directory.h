// Tokens as files: the file's name is the node, its contents the token.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/registry/token_verifier.h"

namespace fairlead::extender {

// Reads the directory anew when it was last read more than `max_age` ago, so that a token added or
// taken away counts soon. Names that begin with a dot are left out, as the links of a Kubernetes
// volume are. Tokens shorter than kMinTokenBytes prove nothing and are left out with a warning.
class TokenDirectory final : public TokenVerifier {
 public:
  static constexpr std::size_t kMinTokenBytes = 16;

  // `clock` must outlive this.
  TokenDirectory(std::string path, const Clock& clock, Nanoseconds max_age = Seconds(1));

  // Compares with every token in a time that does not depend on where they differ. A token that
  // two files hold belongs to nobody.
  Result<std::string> NodeOf(std::string_view token) override;

  // Whether the directory can be read, and how many tokens it has now.
  Result<std::size_t> Check();

  // Everything wrong with the directory now, a sentence with the remedy for each: files left out,
  // tokens that several nodes have, no token at all.
  std::vector<std::string> Faults();

 private:
  using Digest = std::array<unsigned char, 32>;
  struct Entry {
    std::string node;
    Digest digest;
  };

  Status Reload();
  void ReloadIfOld();

  const std::string path_;
  const Clock& clock_;
  const Nanoseconds max_age_;
  std::mutex mutex_;
  std::vector<Entry> entries_;
  bool loaded_ = false;
  MonotonicTime loaded_at_{};
  std::vector<std::string> complaints_;  // of the files left out, at the newest reading
  std::string last_error_;
};

}  // namespace fairlead::extender
