// Which line may be tested now, by whom.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/lease/lease.h"
#include "extender/lease/lease_question.h"
#include "extender/lease/lease_status.h"
#include "extender/lease/spending_book.h"

namespace fairlead::extender {

struct LeaseTimes {
  Nanoseconds train = Seconds(60);  // how long a lease of each kind is
  Nanoseconds saturation = Seconds(90);
  Nanoseconds answer = Seconds(15);  // more than an answer needs to come
  // A new leader, or one that starts anew, waits so long: more than any lease before it takes.
  Nanoseconds take_over = Seconds(105);
  // Ports still tell of a test for so long: they are read every 5 s, over as long, and reported a
  // second later.
  Nanoseconds use_lag = Seconds(15);
  // No test is granted over a line for so long after that: probes do not judge it before, and then
  // need a minute (JudgementPause::kLeastJudged) and the time that their windows look back.
  Nanoseconds judged = Seconds(120);
};

// While this replica leads, the direction that was tested longest ago is tested next: one test at a
// time at each site, over a line that is Healthy in both directions, that no gang crosses and that
// is known to be hardly used, within the bytes of its day. After a test the probes of its line
// judge it for a while before the next one. A test without a value is tried again after a sixth of
// the interval. A lease ends with its answer or when it has lapsed; until then nothing
// else is tested at its sites, also where it has been taken back. A follower keeps account of what
// it hears, to be ready. Pure, not thread-safe.
class LeaseDesk {
 public:
  // Leases are numbered from `first_id`, which is above those of any earlier process.
  explicit LeaseDesk(std::uint64_t first_id, LeaseTimes times = {});
  // The same, for one that begins to lead: the leader before has gone on numbering meanwhile.
  void NumberFrom(std::uint64_t least_id) { next_id_ = std::max(next_id_, least_id); }

  // What a probe says of leases and spending, as often as it says it. The answers that are news.
  std::vector<LeaseAnswer> Told(const std::string& node, const LeaseReport& report,
                                MonotonicTime now);
  // The node's stream began or ended: its test has stopped, or soon will.
  void Interrupted(const std::string& node);
  // Grants and takes back. The nodes whose lease is another one now.
  std::set<std::string> Turn(const LeaseQuestion& question);

  // What the node's plan is to carry; null: nothing. Valid until the next call.
  const BandwidthLease* LeaseOf(const std::string& node) const;
  // Links that a test fills, or has filled so lately that their ports still count what it sent; in
  // the direction of the test. Probes of both directions meet the queue that it makes.
  std::set<LinkKey> Tested(MonotonicTime now) const;
  // Those of them that a saturation test fills: it alone sends RDMA packets.
  std::set<LinkKey> Saturated(MonotonicTime now) const;
  const LeaseStatus& status() const { return status_; }

 private:
  using Subject = std::pair<LinkKey, LeaseKind>;
  enum class Stand { kGranted, kTakenBack, kLapsed };
  struct Held {
    BandwidthLease lease;
    MonotonicTime granted_at{};
    Stand stand = Stand::kGranted;
    std::int64_t last_day = 0;
  };
  struct Past {
    std::optional<MonotonicTime> measured_at{};
    std::optional<MonotonicTime> tried_at{};  // without a value
  };

  std::set<LinkKey> TestedBy(std::optional<LeaseKind> kind, MonotonicTime now) const;
  void End(const Held& held, LeaseEnd end, MonotonicTime now);
  void Lapse(MonotonicTime now, std::set<std::string>& changed);
  void TakeBack(const LeaseQuestion& question, std::set<std::string>& changed);
  bool MayGoOn(const BandwidthLease& lease, const LeaseQuestion& question) const;
  std::optional<MonotonicTime> LastTest(const Subject& subject,
                                        const LeaseQuestion& question) const;
  std::optional<MonotonicTime> LastTry(const Subject& subject, const LeaseQuestion& question) const;
  LeaseWait Judge(const Subject& subject, const LeaseQuestion& question) const;
  bool IsDue(const Subject& subject, const LeaseQuestion& question) const;
  std::optional<LeaseWait> OfUse(const LinkView& view, LeaseKind kind,
                                 const LeaseQuestion& question) const;
  std::optional<LeaseWait> Busy(const Subject& subject, MonotonicTime now) const;
  bool MustBeJudged(const LinkKey& link, MonotonicTime now) const;
  const TestPair* ChoosePair(const Subject& subject, const LeaseQuestion& question) const;
  void Grant(const Subject& subject, const LeaseQuestion& question, std::set<std::string>& changed);

  const LeaseTimes times_;
  std::uint64_t next_id_;
  std::map<std::uint64_t, Held> held_;
  std::map<Subject, Past> past_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> pair_tried_;  // newest lease's id
  std::map<Subject, MonotonicTime> tested_until_;
  SpendingBook spending_;
  std::optional<MonotonicTime> leads_since_;
  LeaseStatus status_;
};

}  // namespace fairlead::extender
