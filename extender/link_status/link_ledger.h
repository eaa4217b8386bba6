// What the API server has of each Link, and so what is to be written next.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/link_status/link_object.h"
#include "extender/link_status/link_stamps.h"

namespace fairlead::extender {

struct LinkPace {
  std::size_t most = 10;               // writes of one round; with a round a second 10 a second
  Nanoseconds refresh = Seconds(60);   // what has not changed is written again, so that its age is
                                       // told; also how long what was refused is left alone
  Nanoseconds values = Seconds(10);    // least time between two writes for a value's sake
  Nanoseconds takeover = Seconds(90);  // from Adopt on a fresh Link is not made stale: probes may
                                       // not have found this replica yet
  Nanoseconds gone = Seconds(300);     // a Link not wanted for so long is removed
};

struct LinkWrite {
  LinkObject object;  // of one that goes the name alone
  LinkStamps stamps;
  bool remove = false;
};

// Nothing waits in it: what cannot be written now is made anew from the links of then. Not
// thread-safe; `now` must not go backwards. Pure.
class LinkLedger {
 public:
  explicit LinkLedger(LinkPace pace = {}) : pace_(pace) {}

  // This replica leads and has listed what is there; all of that is ours.
  void Adopt(std::map<std::string, LinkStamps> found, MonotonicTime now);
  // It leads no more, or what is there is no longer known.
  void Forget();
  bool adopted() const { return adopted_.has_value(); }
  std::size_t size() const { return records_.size(); }
  bool AnyRefused() const;

  // New Links and changed states first, then values and removals, then what was written longest
  // ago. `settled` is false while sites may be missing from `wanted`: nothing is removed. Nothing
  // before Adopt.
  std::vector<LinkWrite> Due(const std::vector<LinkObject>& wanted, bool settled, MonotonicTime now,
                             WallTime wall_now);

  // What became of a write.
  void Done(const LinkWrite& write, MonotonicTime now);
  void Refused(const LinkWrite& write, MonotonicTime now);

 private:
  struct Record {
    std::optional<LinkObject> written;  // by this process
    std::optional<LinkStamps> stamps;   // absent where nothing of it is there
    std::optional<MonotonicTime> written_at;
    std::optional<MonotonicTime> refused_at;
    std::optional<MonotonicTime> unwanted_since;
  };
  enum class Urgency { kState, kValue, kRefresh };
  struct Candidate {
    Urgency urgency = Urgency::kRefresh;
    MonotonicTime last{};
    LinkWrite write;
  };

  std::optional<Urgency> UrgencyOf(const LinkObject& object, const Record& record,
                                   MonotonicTime now) const;
  void MarkUnwanted(const std::vector<LinkObject>& wanted, MonotonicTime now);
  bool Waits(const Record& record, MonotonicTime now) const;

  LinkPace pace_;
  std::optional<MonotonicTime> adopted_;
  std::map<std::string, Record> records_;
};

}  // namespace fairlead::extender
