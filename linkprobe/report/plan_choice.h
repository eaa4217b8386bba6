// Which of the plans that the extender's replicas send is in force.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// What became of a plan that arrived.
enum class PlanVerdict {
  kHeard,          // it counts; Turn says whether it comes into force
  kSame,           // this replica has sent it before
  kStaleTerm,      // of a leader that has been replaced
  kStaleRevision,  // older than what this replica sent before
};

// Pure, not thread-safe. One plan for each replica is kept.
//
// Of the plans of leaders with an open stream the highest term wins; of one term, which only
// replicas without an election can share, the one whose address sorts first, so that all probes
// choose the same. While no leader is to be heard, the plan in force stays.
//
// A lower term than that in force comes into force where it arrived after the leader of the higher
// one was heard of last, and that is `kTermMemory` ago: the Lease was made anew, or there is no
// election any more. A leader that was replaced while it hung has said nothing since.
class PlanChoice {
 public:
  // Four times as long as a leader without a sign of life keeps its term.
  static constexpr Nanoseconds kTermMemory = Seconds(60);

  // `replica` is the address of the stream's other end.
  void Opened(std::string_view replica);
  void Closed(std::string_view replica, MonotonicTime now);
  PlanVerdict Arrived(std::string_view replica, Plan plan, MonotonicTime now);
  // It says that it does not lead.
  void Follows(std::string_view replica, MonotonicTime now);

  // The plan that replaces the one in force now, where there is one. To be asked after each of the
  // above and every now and then.
  std::optional<Plan> Turn(MonotonicTime now);

  // The plan in force without its lease, once whoever granted it is not heard any more; nothing
  // otherwise. To be asked after Turn.
  std::optional<Plan> WithoutLease();

  // Address of the replica whose plan is in force; empty where it is known no more.
  const std::string& leader() const { return leader_; }

 private:
  struct Replica {
    std::optional<Plan> plan{};  // what it sent last, while it leads
    MonotonicTime arrived_at{};
    std::uint64_t term = 0;  // of the newest plan
    std::uint64_t revision = 0;
  };
  using Replicas = std::map<std::string, Replica, std::less<>>;

  std::optional<Plan> Choose(MonotonicTime now);
  // The term in force is led by somebody.
  bool Led() const;
  void NoteLed(MonotonicTime now);

  Replicas replicas_;
  bool in_force_ = false;
  std::uint64_t term_ = 0;
  std::uint64_t revision_ = 0;
  std::string leader_;
  std::optional<Plan> leased_;  // the plan in force, where it has a lease
  MonotonicTime led_until_{};   // when the term in force was known to be led last
};

}  // namespace fairlead::linkprobe
