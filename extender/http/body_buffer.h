// Memory for request bodies, reused so that a large one touches no fresh pages each time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace fairlead::extender {

class BodyBuffers;

// One body being received; grows with the bytes that have really come, never with what a header
// promises. Used by one thread; gives its memory back when destroyed.
class BodyBuffer {
 public:
  explicit BodyBuffer(BodyBuffers& owner);
  ~BodyBuffer();
  BodyBuffer(const BodyBuffer&) = delete;
  BodyBuffer& operator=(const BodyBuffer&) = delete;

  // Room for at least one more byte of a body of `total`; false when all bodies together would
  // exceed the budget.
  bool MakeRoom(std::size_t total);
  char* end() { return memory_.get() + size_; }
  std::size_t room() const;
  void Grow(std::size_t bytes) { size_ += bytes; }
  std::size_t size() const { return size_; }
  // The body, with kBodyPadding zero bytes behind it.
  std::string_view Finish();

 private:
  friend class BodyBuffers;

  BodyBuffers& owner_;
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;  // padding included
  std::size_t size_ = 0;
};

// The budget and the buffers kept for the next body. Thread-safe.
class BodyBuffers {
 public:
  explicit BodyBuffers(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

 private:
  friend class BodyBuffer;

  struct Kept {
    std::unique_ptr<char[]> memory;
    std::size_t capacity = 0;
  };

  const std::size_t budget_bytes_;
  std::atomic<std::size_t> in_use_bytes_ = 0;
  std::mutex mutex_;
  std::vector<Kept> kept_;
};

}  // namespace fairlead::extender
