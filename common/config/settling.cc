#include "common/config/settling.h"

#include <utility>

namespace fairlead {

SettlingContents::SettlingContents(std::string judged, Nanoseconds quiet)
    : quiet_(quiet), judged_(std::move(judged)) {}

SettlingContents::Verdict SettlingContents::See(const std::string& contents, MonotonicTime now) {
  if (contents == judged_) {
    pending_.reset();
    return {};
  }
  if (pending_ != contents) {
    pending_ = contents;
    since_ = now;
  }
  const Nanoseconds stood = now - since_;
  if (stood < quiet_) return {.judge = false, .look_after = quiet_ - stood};
  judged_ = contents;
  pending_.reset();
  return {.judge = true, .look_after = std::nullopt};
}

}  // namespace fairlead
