#include "common/kube/base64.h"

#include <cstdint>

namespace fairlead::kube {
namespace {

int ValueOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string out;
  std::uint32_t group = 0;
  int digits = 0;
  int padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const int value = c == '=' ? 0 : ValueOf(c);
    if (value < 0 || (padding > 0 && c != '=')) return std::nullopt;
    if (c == '=' && (++padding > 2 || digits < 2)) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(value);
    if (++digits < 4) continue;
    const char bytes[] = {static_cast<char>(group >> 16), static_cast<char>(group >> 8),
                          static_cast<char>(group)};
    out.append(bytes, static_cast<std::size_t>(3 - padding));
    digits = 0;
    group = 0;
    if (padding > 0) padding = 3;  // nothing may follow
  }
  if (digits != 0) return std::nullopt;
  return out;
}

}  // namespace fairlead::kube
