// A piece of an answer that is gathered for a parser.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/json/padding.h"

namespace fairlead::kube {

// Keeps at most `most` bytes; what is beyond is counted and dropped. Reuses its memory.
class KeptText {
 public:
  explicit KeptText(std::size_t most) : most_(most) {}

  void Append(std::string_view bytes) {
    size_ += bytes.size();
    if (size_ <= most_) text_.append(bytes);
  }
  void Clear() {
    text_.clear();
    size_ = 0;
  }
  std::size_t most() const { return most_; }
  bool whole() const { return size_ <= most_; }
  // What was kept, kJsonPadding readable bytes behind it; valid until the next call.
  std::string_view Padded() {
    const std::size_t size = text_.size();
    text_.append(kJsonPadding, ' ');
    text_.resize(size);
    return {text_.data(), size};
  }

 private:
  const std::size_t most_;
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace fairlead::kube
