#include "common/kube/json_extent_scanner.h"

#include <array>
#include <cstring>
#include <utility>

namespace fairlead::kube {
namespace {

// What begins or ends a text, an object or an array.
constexpr std::array<bool, 256> kShapes = [] {
  std::array<bool, 256> shapes{};
  for (const unsigned char c : {'"', '{', '}', '[', ']'}) shapes[c] = true;
  return shapes;
}();

// The first `c` from `from` on; `end` where there is none before it.
std::size_t Find(std::string_view bytes, std::size_t from, std::size_t end, char c) {
  const void* const found = std::memchr(bytes.data() + from, c, end - from);
  if (found == nullptr) return end;
  return static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
}

}  // namespace

std::size_t JsonExtentScanner::Take(std::string_view bytes) {
  std::size_t at = 0;
  if (state_ == State::kDone) state_ = State::kBegin;
  while (at < bytes.size() && state_ != State::kDone) {
    switch (state_) {
      case State::kBegin:
        depth_ = 0;
        escaped_ = false;
        if (bytes[at] == '{' || bytes[at] == '[') {
          state_ = State::kTree;
        } else if (bytes[at] == '"') {
          ++at;
          state_ = State::kText;
        } else {
          ++at;
          state_ = State::kWord;
        }
        break;
      case State::kWord: {
        constexpr std::string_view kEnds = ",]}[{:\" \t\r\n";
        if (kEnds.find(bytes[at]) != std::string_view::npos) {
          state_ = State::kDone;
        } else {
          ++at;
        }
        break;
      }
      case State::kText:
        at = TakeText(bytes, at, State::kDone);
        break;
      case State::kTextInTree:
        at = TakeText(bytes, at, State::kTree);
        break;
      case State::kTree:
        at = TakeTree(bytes, at);
        break;
      case State::kDone:
        break;
    }
  }
  return at;
}

std::size_t JsonExtentScanner::TakeText(std::string_view bytes, std::size_t at, State after) {
  std::size_t quote = at;  // the next one; looked for anew where it is behind
  bool known = false;
  while (at < bytes.size()) {
    if (std::exchange(escaped_, false)) {
      ++at;
      continue;
    }
    if (!known || quote < at) quote = Find(bytes, at, bytes.size(), '"');
    known = true;
    const std::size_t backslash = Find(bytes, at, quote, '\\');
    if (backslash < quote) {
      escaped_ = true;
      at = backslash + 1;
    } else if (quote < bytes.size()) {
      state_ = after;
      return quote + 1;
    } else {
      return quote;
    }
  }
  return at;
}

std::size_t JsonExtentScanner::TakeTree(std::string_view bytes, std::size_t at) {
  while (at < bytes.size()) {
    const char c = bytes[at++];
    if (!kShapes[static_cast<unsigned char>(c)]) continue;
    if (c == '"') {
      state_ = State::kTextInTree;
      return at;
    }
    if (c == '{' || c == '[') {
      ++depth_;
    } else if (--depth_ == 0) {
      state_ = State::kDone;
      return at;
    }
  }
  return at;
}

}  // namespace fairlead::kube
