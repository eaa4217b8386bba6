// Which moves count against the limits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"
#include "extender/migration/past_move.h"

namespace fairlead::extender {

// Sites that have more members in `to` than in `from`.
std::set<std::string> SitesJoined(const SiteCounts& from, const SiteCounts& to);
// Sites whose number of members differs.
std::set<std::string> SitesTouched(const SiteCounts& from, const SiteCounts& to);

// Single-threaded. Keeps what the gangs' own records told, also of gangs that have ended since, and
// what was decided but is in no record yet. Incarnations of a gang are one gang here.
class MoveLedger {
 public:
  // What was decided counts as under way for so long without a record of it.
  static constexpr Nanoseconds kDecisionStands = Seconds(120);

  // A move of the gang as its record tells it. Those that were given up before they began to
  // disturb do not count.
  void Note(const GangKey& gang, const PastMove& move, MonotonicTime now);
  void Decided(const GangKey& gang, const SiteCounts& from, const SiteCounts& to,
               MonotonicTime now);
  // It could not even be recorded.
  void Withdraw(const GangKey& gang);
  // Call after all notes of a round. What is under way but was noted by nobody for kDecisionStands
  // is over; what began longer than `keep` ago and is over is forgotten.
  void Expire(MonotonicTime now, Nanoseconds keep);

  bool Pending(const GangKey& gang) const;
  // Sites that decided moves without a record go to.
  std::set<std::string> PendingDestinations() const;

  struct Use {
    std::uint32_t under_way = 0;
    std::uint32_t in_window = 0;          // those under way included
    std::optional<MonotonicTime> oldest;  // of those in the window
  };
  Use OfCluster(MonotonicTime since) const;
  Use OfSite(std::string_view site, MonotonicTime since) const;
  Use OfNamespace(std::string_view name, MonotonicTime since) const;
  // When the newest move to the site began.
  std::optional<MonotonicTime> LastArrival(std::string_view site) const;

 private:
  struct Entry {
    MonotonicTime begun{};
    MonotonicTime noted{};
    bool under_way = false;
    bool pending = false;
    std::set<std::string> touched;
    std::set<std::string> joined;
  };
  struct Key {
    GangKey gang;    // without incarnation
    std::string id;  // empty: decided, without a record
    auto operator<=>(const Key&) const = default;
  };
  template <class Counts>
  Use Count(MonotonicTime since, Counts counts) const;

  std::map<Key, Entry> entries_;
};

}  // namespace fairlead::extender
