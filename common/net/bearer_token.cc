#include "common/net/bearer_token.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstddef>

namespace fairlead {
namespace {

constexpr std::size_t kLongest = 16U << 10;

bool IsVisible(char c) { return c > 0x20 && c < 0x7f; }

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

Result<std::string> ParseToken(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) {
    return Fail(ErrorCode::kInvalidArgument, "the token is empty; write it into the file");
  }
  text = text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
  if (text.size() > kLongest) {
    return Fail(ErrorCode::kInvalidArgument, "the token is longer than 16 KiB");
  }
  if (!std::all_of(text.begin(), text.end(), IsVisible)) {
    return Fail(ErrorCode::kInvalidArgument,
                "the token holds spaces or bytes outside visible ASCII; one token a file");
  }
  return std::string(text);
}

Result<std::string> ParseBearer(std::string_view header) {
  if (!EqualsIgnoringCase(header.substr(0, kBearerPrefix.size()), kBearerPrefix)) {
    return Fail(ErrorCode::kUnauthenticated,
                "no bearer token was sent; set tokenFile in the caller's configuration");
  }
  Result<std::string> token = ParseToken(header.substr(kBearerPrefix.size()));
  if (!token) return Fail(ErrorCode::kUnauthenticated, token.error().message);
  return token;
}

std::string FormatBearer(std::string_view token) {
  return std::string(kBearerPrefix) + std::string(token);
}

bool SameToken(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace fairlead
