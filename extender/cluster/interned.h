// Equal values kept once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <utility>

namespace fairlead::extender {

// T has operator<. Single-threaded; what it hands out is immutable and may be shared between
// threads.
template <class T>
class Interned {
 public:
  std::shared_ptr<const T> Get(T value) {
    const auto found = values_.find(value);
    if (found != values_.end()) return *found;
    if (values_.size() >= sweep_at_) Sweep();
    return *values_.insert(std::make_shared<const T>(std::move(value))).first;
  }
  std::size_t size() const { return values_.size(); }

 private:
  struct Before {
    using is_transparent = void;
    using Pointer = std::shared_ptr<const T>;
    bool operator()(const Pointer& a, const Pointer& b) const { return *a < *b; }
    bool operator()(const Pointer& a, const T& b) const { return *a < b; }
    bool operator()(const T& a, const Pointer& b) const { return a < *b; }
  };

  // What nobody else holds is forgotten; nobody can take hold of it but through here.
  void Sweep() {
    std::erase_if(values_, [](const auto& value) { return value.use_count() == 1; });
    sweep_at_ = std::max(kLeastSweep, 2 * values_.size());
  }

  static constexpr std::size_t kLeastSweep = 256;

  std::set<std::shared_ptr<const T>, Before> values_;
  std::size_t sweep_at_ = kLeastSweep;
};

}  // namespace fairlead::extender
