#include "extender/leader/lease_machine.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "extender/leader/identity.h"

namespace fairlead::extender {
namespace {

constexpr std::uint32_t kLargestTerm = std::numeric_limits<std::int32_t>::max();
// What a record may ask of those who wait for it.
constexpr Seconds kLongestLease{3600};
// A Lease that is given up has to have some duration; client-go writes this one.
constexpr Seconds kGivenUp{1};
// Conflicts in a row that are answered by reading at once; more mean that someone writes as fast.
constexpr int kQuickConflicts = 2;

}  // namespace

LeaseMachine::LeaseMachine(LeaseTimes times, std::string identity, std::uint64_t seed)
    : times_(times),
      identity_(std::move(identity)),
      random_(static_cast<std::minstd_rand::result_type>(seed)) {}

MonotonicTime LeaseMachine::Expiry() const {
  const Seconds said = record_.duration > Seconds(0) ? record_.duration : times_.lease;
  return changed_at_ + std::min(said, kLongestLease);
}

bool LeaseMachine::Free(MonotonicTime now) const {
  return record_.holder.empty() || Ours() || inherited_ || now >= Expiry();
}

LeaseAction LeaseMachine::Next(MonotonicTime now) {
  if (leads_until_ && !Leads(now)) leads_until_.reset();
  if (resigned_) return NextOfResigned(now);
  if (wait_until_ && now < *wait_until_) return Wait(now);
  wait_until_.reset();
  if (!current_) return Read();
  if (Free(now)) return Write(now);
  // Of another: looked at again soon, and in the moment when it becomes free.
  current_ = false;
  Pause(times_.retry, now);
  wait_until_ = std::min(*wait_until_, Expiry());
  return Wait(now);
}

LeaseAction LeaseMachine::Wait(MonotonicTime now) {
  LeaseAction action{.kind = LeaseAction::Kind::kWait, .write = {}, .resource_version = {}};
  action.until = *wait_until_;
  // Whoever publishes the leadership shall hear of its end in time.
  if (Leads(now)) action.until = std::min(action.until, *leads_until_);
  return action;
}

LeaseAction LeaseMachine::Read() {
  writing_ = Writing::kNothing;
  return {.kind = LeaseAction::Kind::kRead, .write = {}, .resource_version = {}, .until = {}};
}

LeaseAction LeaseMachine::Write(MonotonicTime now) {
  const bool renews = Leads(now);
  if (!renews) term_ = newest_term_ < kLargestTerm ? newest_term_ + 1 : 1;
  writing_ = Writing::kHold;
  asked_at_ = now;
  return {.kind = exists_ ? LeaseAction::Kind::kUpdate : LeaseAction::Kind::kCreate,
          .write = {.holder = identity_,
                    .duration = times_.lease,
                    .transitions = term_,
                    .acquires = !renews},
          .resource_version = exists_ ? resource_version_ : std::string(),
          .until = {}};
}

LeaseAction LeaseMachine::NextOfResigned(MonotonicTime now) {
  const bool held = exists_ && Ours();
  const bool over = current_ ? !held : !held && !unsure_;
  if (over || requests_left_ == 0) {
    return {.kind = LeaseAction::Kind::kDone, .write = {}, .resource_version = {}, .until = {}};
  }
  --requests_left_;
  if (!current_) return Read();
  writing_ = Writing::kGiveUp;
  asked_at_ = now;
  return {.kind = LeaseAction::Kind::kUpdate,
          .write = {.holder = "",
                    .duration = kGivenUp,
                    .transitions = record_.transitions,
                    .acquires = true},
          .resource_version = resource_version_,
          .until = {}};
}

void LeaseMachine::Note(LeaseRecord record, std::string resource_version, MonotonicTime now) {
  if (!exists_ || record != record_) changed_at_ = now;
  const bool first = !std::exchange(looked_, true);
  const std::string pod = PodOfIdentity(identity_);
  inherited_ = (first || (inherited_ && record == record_)) && !pod.empty() &&
               PodOfIdentity(record.holder) == pod;
  record_ = std::move(record);
  resource_version_ = std::move(resource_version);
  exists_ = true;
  current_ = true;
  unsure_ = false;
  newest_term_ = std::max(newest_term_, std::min(record_.transitions, kLargestTerm));
}

void LeaseMachine::OnRecord(LeaseRecord record, std::string resource_version, MonotonicTime now) {
  const Writing wrote = std::exchange(writing_, Writing::kNothing);
  Note(std::move(record), std::move(resource_version), now);
  if (wrote == Writing::kNothing || !Ours() || record_.transitions != term_) {
    // Somebody else has it, or has put another term into it.
    if (!Ours() || record_.transitions != term_) leads_until_.reset();
    return;
  }
  conflicts_ = 0;
  if (resigned_) return;
  leads_until_ = asked_at_ + times_.renew_deadline;
  wait_until_ = asked_at_ + times_.retry;
}

void LeaseMachine::OnAbsent(MonotonicTime now) {
  // It cannot be made either: the namespace is not there.
  if (!exists_ && writing_ == Writing::kHold) return OnFailure(std::nullopt, now);
  writing_ = Writing::kNothing;
  leads_until_.reset();
  unsure_ = false;
  exists_ = false;
  looked_ = true;
  inherited_ = false;
  // Whoever held it may still believe so; what was seen of it keeps its time. A replica that has
  // seen nothing takes an absent Lease for a new one.
  current_ = true;
  if (!Free(now)) {
    current_ = false;
    Pause(times_.retry, now);
    wait_until_ = std::min(*wait_until_, Expiry());
  }
}

void LeaseMachine::OnConflict(MonotonicTime now) {
  writing_ = Writing::kNothing;
  current_ = false;
  if (++conflicts_ > kQuickConflicts) Pause(times_.retry, now);
}

void LeaseMachine::OnFailure(std::optional<Nanoseconds> retry_after, MonotonicTime now) {
  unsure_ = unsure_ || writing_ == Writing::kHold;
  writing_ = Writing::kNothing;
  current_ = false;
  const Nanoseconds asked = std::min<Nanoseconds>(retry_after.value_or(Seconds(0)), times_.lease);
  Pause(std::max(times_.retry, asked), now);
}

void LeaseMachine::Pause(Nanoseconds at_least, MonotonicTime now) {
  std::uniform_int_distribution<std::int64_t> more(0, times_.retry.count() / 4);
  wait_until_ = now + at_least + Nanoseconds(more(random_));
}

void LeaseMachine::Resign() {
  resigned_ = true;
  leads_until_.reset();
}

Leadership LeaseMachine::Get(MonotonicTime now) const {
  if (Leads(now)) {
    return {.leading = true, .term = term_, .holder = identity_, .until = *leads_until_};
  }
  return {.leading = false, .term = newest_term_, .holder = record_.holder, .until = {}};
}

}  // namespace fairlead::extender
