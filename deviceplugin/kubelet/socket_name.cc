#include "deviceplugin/kubelet/socket_name.h"

#include <sys/un.h>

#include <cctype>
#include <chrono>
#include <cstdio>
#include <limits>

#include "common/base/hex.h"
#include "common/base/quote.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::string_view kPrefix = "fairlead-";
constexpr std::string_view kSuffix = ".sock";
constexpr std::size_t kLongestSlug = 24;
constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

// FNV-1a, 32 bits.
std::uint32_t Hash(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// A domain has no underscore, so one in place of the slash keeps names apart.
std::string Slug(std::string_view resource) {
  std::string slug;
  for (const char c : resource) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    slug += plain ? c : '_';
  }
  if (slug.size() <= kLongestSlug) return slug;
  return slug.substr(0, kLongestSlug - 9) + '_' + Hex(Hash(resource));
}

}  // namespace

std::string SocketName(std::string_view resource, const RunId& run, std::uint64_t generation) {
  const auto start = std::chrono::floor<Milliseconds>(run.start.time_since_epoch()).count();
  return std::string(kPrefix) + Slug(resource) + '-' + std::to_string(run.process_id) + '-' +
         Hex(static_cast<std::uint64_t>(start)) + '-' + std::to_string(generation) +
         std::string(kSuffix);
}

bool IsOurSocketName(std::string_view file_name) {
  if (!file_name.starts_with(kPrefix) || !file_name.ends_with(kSuffix)) return false;
  file_name.remove_prefix(kPrefix.size());
  if (file_name.size() <= kSuffix.size()) return false;
  file_name.remove_suffix(kSuffix.size());
  // From the end: generation, start, process id; before them the slug.
  constexpr std::string_view kDigits[] = {"0123456789", "0123456789abcdef", "0123456789"};
  for (const std::string_view digits : kDigits) {
    const std::size_t dash = file_name.rfind('-');
    if (dash == std::string_view::npos || dash + 1 == file_name.size()) return false;
    if (file_name.find_first_not_of(digits, dash + 1) != std::string_view::npos) return false;
    file_name = file_name.substr(0, dash);
  }
  return !file_name.empty();
}

Status CheckSocketDirectory(std::string_view directory, const RunId& run) {
  const std::string longest =
      std::string(directory) + '/' +
      SocketName(std::string(kLongestSlug, 'x'), run, std::numeric_limits<std::uint32_t>::max());
  if (longest.size() <= kLongestPath) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "a socket in " + Quoted(directory, 256) + " would have a path of up to " +
                  std::to_string(longest.size()) + " bytes, and the kernel takes at most " +
                  std::to_string(kLongestPath) + "; choose a shorter kubelet directory");
}

std::string UnixAddress(std::string_view path) {
  std::string address = "unix:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("/._~-").find(c) != std::string_view::npos) {
      address += c;
    } else {
      char escaped[4];
      std::snprintf(escaped, sizeof escaped, "%%%02X", byte);
      address += escaped;
    }
  }
  return address;
}

}  // namespace fairlead::deviceplugin
