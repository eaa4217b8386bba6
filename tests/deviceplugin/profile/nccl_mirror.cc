#include "tests/deviceplugin/profile/nccl_mirror.h"

#include <arpa/inet.h>

#include <array>

namespace fairlead::deviceplugin {
namespace {

using Words = std::array<std::uint32_t, 4>;  // host order

Words WordsOf(const std::string& address) {
  in6_addr raw{};
  inet_pton(AF_INET6, address.c_str(), &raw);
  Words words{};
  for (int i = 0; i < 16; ++i) words[i / 4] = words[i / 4] << 8 | raw.s6_addr[i];
  return words;
}

int FamilyOfWords(const Words& w) {
  const bool mapped = (w[0] | w[1] | (w[2] ^ 0xffffU)) == 0;
  const bool multicast = w[0] == 0xff0e0000U && (w[1] | (w[2] ^ 0xffffU)) == 0;
  return mapped || multicast ? AF_INET : AF_INET6;
}

bool ValidWords(const Words& w) {
  const bool zero = (w[0] | w[1] | w[2] | w[3]) == 0;
  const bool link_local = w[0] == 0xfe800000U && w[1] == 0;
  return !zero && !link_local;
}

bool InRange(const Words& w, int family, const std::string& range) {
  const std::size_t slash = range.find('/');
  if (slash == std::string::npos) return true;
  int bits = std::stoi(range.substr(slash + 1));
  if (family == AF_INET) {
    in_addr base{};
    if (inet_pton(AF_INET, range.substr(0, slash).c_str(), &base) != 1) return true;
    if (bits == 0) return true;
    const std::uint32_t mask = 0xffffffffU << (32 - bits);
    return ((ntohl(base.s_addr) ^ w[3]) & mask) == 0;
  }
  const Words base = WordsOf(range.substr(0, slash));
  for (int i = 0; i < 4 && bits > 0; ++i, bits -= 32) {
    const std::uint32_t mask = bits >= 32 ? 0xffffffffU : 0xffffffffU << (32 - bits);
    if (((base[i] ^ w[i]) & mask) != 0) return false;
  }
  return true;
}

}  // namespace

std::uint32_t MirrorOfNccl(const std::vector<MirrorGid>& table, const MirrorSettings& settings) {
  const int wanted = settings.family == "AF_INET6" ? AF_INET6 : AF_INET;
  const int version = settings.version.empty() ? 2 : std::stoi(settings.version);
  std::uint32_t current = 0;
  for (std::uint32_t next = 1; next < table.size(); ++next) {
    const Words now = WordsOf(table[current].address);
    const Words candidate = WordsOf(table[next].address);
    const bool in_range = InRange(candidate, wanted, settings.range);
    if (FamilyOfWords(candidate) != FamilyOfWords(now) && FamilyOfWords(candidate) == wanted &&
        in_range) {
      current = next;
      continue;
    }
    if (FamilyOfWords(candidate) != wanted || !ValidWords(candidate) || !in_range) continue;
    const bool differs = table[current].version != table[next].version || !ValidWords(now);
    if (differs && table[next].version == version) current = next;
  }
  return current;
}

}  // namespace fairlead::deviceplugin
