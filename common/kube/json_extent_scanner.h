// Where one JSON value ends, told while its bytes come.
#pragma once

#include <cstddef>
#include <string_view>

namespace fairlead::kube {

// Counts brackets outside strings; whether the value is valid is for a parser to say. Memory does
// not grow with the value.
class JsonExtentScanner {
 public:
  // Bytes of the value at the front of `bytes`, which begin with the value itself or continue it.
  // Numbers, true, false and null end before the first byte that cannot belong to them.
  std::size_t Take(std::string_view bytes);
  // The value has ended; the next Take begins another.
  bool done() const { return state_ == State::kDone; }

 private:
  enum class State { kBegin, kWord, kText, kTree, kTextInTree, kDone };

  std::size_t TakeText(std::string_view bytes, std::size_t at, State after);
  std::size_t TakeTree(std::string_view bytes, std::size_t at);

  State state_ = State::kBegin;
  bool escaped_ = false;
  std::size_t depth_ = 0;
};

}  // namespace fairlead::kube
