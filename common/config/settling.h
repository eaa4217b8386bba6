// When a file that someone may still be writing can be judged.
#pragma once

#include <optional>
#include <string>

#include "common/base/clock.h"

namespace fairlead {

// A file rewritten in place is empty or half there for a moment, and half a file can be a valid
// one. So contents count only once they have stood unchanged for the quiet time. Pure: told what
// the file holds and when. Not thread-safe.
class SettlingContents {
 public:
  struct Verdict {
    bool judge = false;                     // these contents are new and have settled
    std::optional<Nanoseconds> look_after;  // look again after so long, even if nothing changes
  };

  // `judged` are the contents that have been judged already.
  SettlingContents(std::string judged, Nanoseconds quiet);

  // `now` must not go backwards.
  Verdict See(const std::string& contents, MonotonicTime now);

 private:
  const Nanoseconds quiet_;
  std::string judged_;
  std::optional<std::string> pending_;
  MonotonicTime since_{};  // of the pending ones
};

}  // namespace fairlead
