#include "common/http/http_body.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fairlead {
namespace {

constexpr std::size_t kFirstCapacity = 64U << 10;
// Buffers kept for reuse: enough for the schedulers of one cluster, at most 64 MiB of memory.
constexpr std::size_t kKeptBuffers = 4;
constexpr std::size_t kKeptCapacity = 16U << 20;

}  // namespace

HttpBody::HttpBody(HttpBodies& owner) : owner_(owner) {
  std::lock_guard lock(owner_.mutex_);
  if (owner_.kept_.empty()) return;
  memory_ = std::move(owner_.kept_.back().memory);
  capacity_ = owner_.kept_.back().capacity;
  owner_.kept_.pop_back();
  owner_.in_use_bytes_ += capacity_;
}

HttpBody::~HttpBody() {
  owner_.in_use_bytes_ -= capacity_;
  if (capacity_ == 0 || capacity_ > kKeptCapacity) return;
  std::lock_guard lock(owner_.mutex_);
  if (owner_.kept_.size() < kKeptBuffers) {
    owner_.kept_.push_back({.memory = std::move(memory_), .capacity = capacity_});
  }
}

std::size_t HttpBody::room() const {
  return capacity_ < size_ + kBodyPadding ? 0 : capacity_ - size_ - kBodyPadding;
}

bool HttpBody::MakeRoom(std::size_t total) {
  if (room() > 0) return true;
  const std::size_t wanted =
      std::min(total + kBodyPadding, std::max(capacity_ * 2, kFirstCapacity + kBodyPadding));
  const std::size_t larger = std::max(wanted, size_ + 1 + kBodyPadding);
  if (owner_.in_use_bytes_ + larger - capacity_ > owner_.budget_bytes_) return false;
  std::unique_ptr<char[]> memory(new char[larger]);
  if (size_ > 0) std::memcpy(memory.get(), memory_.get(), size_);
  owner_.in_use_bytes_ += larger - capacity_;
  memory_ = std::move(memory);
  capacity_ = larger;
  return true;
}

std::string_view HttpBody::Finish() {
  if (capacity_ == 0) return {};
  std::memset(memory_.get() + size_, 0, kBodyPadding);
  return {memory_.get(), size_};
}

}  // namespace fairlead
