#include "extender/registry/token_directory.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/net/bearer_token.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMaxTokenFileBytes = 16U << 10;

// Digests have one length, whatever the tokens' lengths are.
std::array<unsigned char, 32> DigestOf(std::string_view token) {
  std::array<unsigned char, 32> digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  return digest;
}

}  // namespace

TokenDirectory::TokenDirectory(std::string path, const Clock& clock, Nanoseconds max_age)
    : path_(std::move(path)), clock_(clock), max_age_(max_age) {}

Status TokenDirectory::Reload() {
  if (path_.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "no token directory is set; name a directory with one file per node, named like "
                "the node");
  }
  std::error_code error;
  std::filesystem::directory_iterator files(path_, error);
  if (error) {
    return Fail(ErrorCode::kUnavailable, "token directory " + path_ +
                                             " cannot be read: " + error.message() +
                                             "; put one file per node there, named like the node");
  }
  std::vector<Entry> entries;
  std::vector<std::string> complaints;
  for (; files != std::filesystem::end(files); files.increment(error)) {
    const std::string name = files->path().filename().string();
    if (name.starts_with('.')) continue;
    const auto text = ReadFile(files->path().string(), kMaxTokenFileBytes);
    const auto token = text ? ParseToken(*text) : Result<std::string>(Fail(text.error()));
    if (!token) {
      complaints.push_back("token of node " + name + ": " + token.error().message);
    } else if (token->size() < kMinTokenBytes) {
      complaints.push_back("token of node " + name + " is shorter than 16 bytes; use a longer one");
    } else {
      entries.push_back({.node = name, .digest = DigestOf(*token)});
    }
    if (error) break;
  }
  std::sort(complaints.begin(), complaints.end());
  for (const std::string& complaint : complaints) {
    if (std::binary_search(complaints_.begin(), complaints_.end(), complaint)) continue;
    LogWarning("token file left out", {{"directory", path_}, {"reason", complaint}});
  }
  complaints_ = std::move(complaints);
  last_error_.clear();
  entries_ = std::move(entries);
  return {};
}

void TokenDirectory::ReloadIfOld() {
  const MonotonicTime now = clock_.Now();
  if (loaded_ && now - loaded_at_ < max_age_) return;
  loaded_ = true;
  loaded_at_ = now;
  if (const Status read = Reload(); !read) {
    // No token is better than tokens that may have been revoked.
    entries_.clear();
    if (read.error().message != last_error_) LogError(read.error().message);
    last_error_ = read.error().message;
  }
}

Result<std::string> TokenDirectory::NodeOf(std::string_view token) {
  const Digest digest = DigestOf(token);
  std::lock_guard lock(mutex_);
  ReloadIfOld();
  const Entry* found = nullptr;
  std::size_t matches = 0;
  for (const Entry& entry : entries_) {
    if (CRYPTO_memcmp(entry.digest.data(), digest.data(), digest.size()) != 0) continue;
    found = &entry;
    ++matches;
  }
  if (matches == 1) return found->node;
  if (matches > 1) {
    return Fail(ErrorCode::kUnauthenticated,
                "the token is that of several nodes; give each node a token of its own");
  }
  return Fail(ErrorCode::kUnauthenticated,
              "the token is unknown; it must be in the extender's token directory");
}

Result<std::size_t> TokenDirectory::Check() {
  std::lock_guard lock(mutex_);
  if (const Status read = Reload(); !read) return Fail(read.error());
  loaded_ = true;
  loaded_at_ = clock_.Now();
  return entries_.size();
}

std::vector<std::string> TokenDirectory::Faults() {
  std::lock_guard lock(mutex_);
  if (const Status read = Reload(); !read) return {read.error().message};
  std::vector<std::string> faults = complaints_;
  if (entries_.empty() && faults.empty()) {
    faults.push_back("token directory " + path_ +
                     " holds no token; put one file per node there, named like the node");
  }
  std::map<Digest, std::string> owners;
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.node < b.node; });
  for (const Entry& entry : entries_) {
    const auto [owner, first] = owners.emplace(entry.digest, entry.node);
    if (first) continue;
    faults.push_back("nodes " + owner->second + " and " + entry.node +
                     " have the same token; give each node a token of its own");
  }
  return faults;
}

}  // namespace fairlead::extender
