// Readers that wait for the next body.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace fairlead::extender {

// Keeps a few readers and their memory between bodies. `Reader` has memory_bytes(). Thread-safe.
template <class Reader>
class ReaderPool {
 public:
  std::unique_ptr<Reader> Take() {
    {
      std::lock_guard lock(mutex_);
      if (!kept_.empty()) {
        auto reader = std::move(kept_.back());
        kept_.pop_back();
        return reader;
      }
    }
    return std::make_unique<Reader>();
  }

  void Return(std::unique_ptr<Reader> reader) {
    if (reader->memory_bytes() > kMostBytes) return;
    std::lock_guard lock(mutex_);
    if (kept_.size() < kMostReaders) kept_.push_back(std::move(reader));
  }

 private:
  static constexpr std::size_t kMostReaders = 4;
  static constexpr std::size_t kMostBytes = 128U << 20;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Reader>> kept_;
};

}  // namespace fairlead::extender
