// Which request about the Lease comes next, and whether this replica leads.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "common/base/clock.h"
#include "extender/leader/leadership.h"
#include "extender/leader/lease_record.h"

namespace fairlead::extender {

// The times of client-go's leader election, which the rest of Kubernetes uses too.
struct LeaseTimes {
  Seconds lease{15};                         // others wait so long for a sign of life
  Nanoseconds renew_deadline = Seconds(10);  // the leader stops so long after it asked to renew
  Nanoseconds retry = Seconds(2);            // between two requests, plus up to a quarter of it
};

// What to do next. The outcome goes to the On... function that suits before Next is called again.
struct LeaseAction {
  enum class Kind { kRead, kCreate, kUpdate, kWait, kDone };

  Kind kind = Kind::kRead;
  LeaseWrite write;              // kCreate, kUpdate
  std::string resource_version;  // kUpdate: only if it is still this one
  MonotonicTime until{};         // kWait
};

// Not thread-safe. All times are of one monotonic clock; no other host's clock is ever looked at.
//
// Of several replicas at most one leads at any time, if their clocks run equally fast within a
// fifth and a pause of one of them stops its actions but not its clock: a leader's time is counted
// from when it asked to renew, so before the record changed; the others' from when they saw the
// change, so after, and theirs is half as long again. A person who empties the holder under a
// leader, or deletes the Lease while another replica starts, breaks this until the leader asks to
// renew.
//
// A process that finds the Lease held by another process of its own pod takes it over at once: the
// kubelet starts a container after the one before it has ended. It does so only by the first record
// that it sees, so that of two processes that are told the same pod by mistake the older one
// yields.
//
// Each leader has a term above all that it has heard of.
class LeaseMachine {
 public:
  // `identity`, as IdentityOf makes it, is this process's alone: one that has restarted has
  // another.
  LeaseMachine(LeaseTimes times, std::string identity, std::uint64_t seed);

  LeaseAction Next(MonotonicTime now);

  // The server's answer to a read or a write: the record as it is now.
  void OnRecord(LeaseRecord record, std::string resource_version, MonotonicTime now);
  // There is none; after kCreate: none can be made.
  void OnAbsent(MonotonicTime now);
  // The write came too late: another one has changed or made the Lease.
  void OnConflict(MonotonicTime now);
  // No answer, or one that says nothing of the record; a write may have been carried out.
  void OnFailure(std::optional<Nanoseconds> retry_after, MonotonicTime now);

  // Leads no more, and gives the Lease up where it is held: from here on Next leads to kDone after
  // a few requests at most, without waits.
  void Resign();

  Leadership Get(MonotonicTime now) const;

 private:
  enum class Writing { kNothing, kHold, kGiveUp };

  bool Leads(MonotonicTime now) const { return leads_until_ && now < *leads_until_; }
  bool Ours() const { return record_.holder == identity_; }
  // Nobody can be leading by it any more.
  bool Free(MonotonicTime now) const;
  MonotonicTime Expiry() const;
  LeaseAction Wait(MonotonicTime now);
  LeaseAction Read();
  LeaseAction Write(MonotonicTime now);
  LeaseAction NextOfResigned(MonotonicTime now);
  void Note(LeaseRecord record, std::string resource_version, MonotonicTime now);
  void Pause(Nanoseconds at_least, MonotonicTime now);

  const LeaseTimes times_;
  const std::string identity_;
  std::minstd_rand random_;

  LeaseRecord record_;  // the newest seen; empty holder before the first
  std::string resource_version_;
  MonotonicTime changed_at_{};  // when it was seen to change last
  bool exists_ = false;
  bool current_ = false;  // nothing since says that it may have changed

  Writing writing_ = Writing::kNothing;
  MonotonicTime asked_at_{};
  bool looked_ = false;     // at least once
  bool inherited_ = false;  // held by a process of this pod that has ended
  bool unsure_ = false;     // a write that took the Lease may have been carried out unseen
  int conflicts_ = 0;       // one after the other

  std::optional<MonotonicTime> leads_until_;
  std::uint32_t term_ = 0;
  std::uint32_t newest_term_ = 0;
  std::optional<MonotonicTime> wait_until_;
  bool resigned_ = false;
  int requests_left_ = 4;  // of a replica that has resigned
};

}  // namespace fairlead::extender
