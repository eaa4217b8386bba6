#include "common/kube/json_extent_scanner.h"

namespace fairlead::kube {

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
  while (at < bytes.size()) {
    const char c = bytes[at++];
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      state_ = after;
      return at;
    }
  }
  return at;
}

std::size_t JsonExtentScanner::TakeTree(std::string_view bytes, std::size_t at) {
  while (at < bytes.size()) {
    switch (bytes[at++]) {
      case '"':
        state_ = State::kTextInTree;
        return at;
      case '{':
      case '[':
        ++depth_;
        break;
      case '}':
      case ']':
        if (--depth_ == 0) {
          state_ = State::kDone;
          return at;
        }
        break;
      default:
        break;
    }
  }
  return at;
}

}  // namespace fairlead::kube
