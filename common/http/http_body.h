// Memory for request bodies, reused so that a large one touches no fresh pages each time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace fairlead {

// Zero bytes that can be read behind a body; parsers that work in blocks need them.
inline constexpr std::size_t kBodyPadding = 64;

class HttpBodies;

// One body being received; grows with the bytes that have really come, never with what a header
// promises. Used by one thread; gives its memory back when destroyed.
class HttpBody {
 public:
  explicit HttpBody(HttpBodies& owner);
  ~HttpBody();
  HttpBody(const HttpBody&) = delete;
  HttpBody& operator=(const HttpBody&) = delete;

  // Makes room for at least one more byte of a body of `total`; false when all bodies together
  // would exceed the budget.
  bool MakeRoom(std::size_t total);
  // The free space.
  char* end() { return memory_.get() + size_; }
  std::size_t room() const;
  // `bytes` of the free space have been filled.
  void Grow(std::size_t bytes) { size_ += bytes; }
  std::size_t size() const { return size_; }
  // The body, kBodyPadding readable zero bytes behind it unless it is empty.
  std::string_view Finish();

 private:
  HttpBodies& owner_;
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;  // padding included
  std::size_t size_ = 0;
};

// The budget of all bodies, and memory kept for the next ones. Thread-safe.
class HttpBodies {
 public:
  explicit HttpBodies(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

 private:
  friend class HttpBody;

  struct Kept {
    std::unique_ptr<char[]> memory;
    std::size_t capacity = 0;
  };

  const std::size_t budget_bytes_;
  std::atomic<std::size_t> in_use_bytes_ = 0;
  std::mutex mutex_;
  std::vector<Kept> kept_;
};

}  // namespace fairlead
