#include "extender/lease/lease_desk.h"

#include <algorithm>
#include <tuple>

#include "extender/link/line_name.h"

namespace fairlead::extender {
namespace {

constexpr int kRetryShare = 6;
// Where nothing says what a line carries, trains are sent while it carries less than this: 10 Mb/s.
constexpr double kQuietBytesPerSecond = 1.25e6;
constexpr Nanoseconds kOldestUse = Seconds(30);
// A lease may pass what is known of the line by this much, so that a rate declared too low shows.
constexpr double kBeyondRate = 1.5;
constexpr std::int64_t kDaysKept = 2;
constexpr std::size_t kPairsKept = 1024;

std::pair<std::string, std::string> Sorted(const LinkKey& link) {
  return std::minmax(link.from_site, link.to_site);
}

std::string LineOf(const LinkKey& link) { return LineName(link.from_site, link.to_site); }

Nanoseconds IntervalOf(LeaseKind kind, const BandwidthConfig& settings) {
  return kind == LeaseKind::kTrain ? settings.train_interval : settings.saturation_interval;
}

std::uint64_t BytesOf(LeaseKind kind, const BandwidthConfig& settings) {
  return kind == LeaseKind::kTrain ? kTrainLeaseBytes : settings.saturation_bytes;
}

bool IsOn(LeaseKind kind, const BandwidthConfig& settings) {
  return kind == LeaseKind::kTrain ? settings.trains : settings.saturation;
}

RateSource SourceOf(LeaseKind kind) {
  return kind == LeaseKind::kTrain ? RateSource::kTrain : RateSource::kSaturation;
}

bool SharesSite(const LinkKey& a, const LinkKey& b) {
  return a.from_site == b.from_site || a.from_site == b.to_site || a.to_site == b.from_site ||
         a.to_site == b.to_site;
}

// Both directions of the line satisfy it, and are known.
template <class Test>
bool BothWays(const LinkSnapshot& links, const LinkKey& link, Test test) {
  const LinkView* there = links.Find(link.from_site, link.to_site);
  const LinkView* back = links.Find(link.to_site, link.from_site);
  return there != nullptr && back != nullptr && test(*there) && test(*back);
}

}  // namespace

LeaseDesk::LeaseDesk(std::uint64_t first_id, LeaseTimes times)
    : times_(times), next_id_(first_id) {}

std::vector<LeaseAnswer> LeaseDesk::Told(const std::string& node, const LeaseReport& report,
                                         MonotonicTime now) {
  std::vector<LeaseAnswer> news;
  spending_.Told(node, report.spent);
  for (const LeaseAnswer& answer : report.answers) {
    const auto found = held_.find(answer.lease_id);
    if (found == held_.end() || found->second.lease.node != node) continue;
    spending_.Answered(answer.lease_id);
    End(found->second, answer.result, now);
    held_.erase(found);
    news.push_back(answer);
  }
  return news;
}

void LeaseDesk::Interrupted(const std::string& node) {
  for (auto& [id, held] : held_) {
    const bool concerned = held.lease.node == node || held.lease.peer_node == node;
    if (concerned && held.stand == Stand::kGranted) held.stand = Stand::kTakenBack;
  }
}

void LeaseDesk::End(const Held& held, LeaseEnd end, MonotonicTime now) {
  const Subject subject{held.lease.link, held.lease.kind};
  // A late answer has been counted as silence.
  if (held.stand != Stand::kLapsed) {
    ++status_.ended[{held.lease.kind, end}];
    tested_until_[subject] = now + times_.use_lag;
  }
  (end == LeaseResult::kMeasured ? past_[subject].measured_at : past_[subject].tried_at) = now;
}

std::set<std::string> LeaseDesk::Turn(const LeaseQuestion& question) {
  std::set<std::string> changed;
  const std::int64_t day = DayOf(question.wall_now);
  spending_.KeepDays(day - kDaysKept + 1, day + 1);
  std::erase_if(held_, [&](const auto& entry) {
    return entry.second.stand == Stand::kLapsed && entry.second.last_day < day - kDaysKept + 1;
  });
  std::erase_if(past_, [&](const auto& entry) {
    const LinkKey& link = entry.first.first;
    return question.links.Find(link.from_site, link.to_site) == nullptr;
  });
  // Of pairs that are long gone.
  if (pair_tried_.size() > kPairsKept + 4 * question.pairs.size()) pair_tried_.clear();
  std::erase_if(tested_until_,
                [&](const auto& entry) { return entry.second + times_.judged <= question.now; });
  if (!question.leads) leads_since_.reset();
  if (question.leads && !leads_since_) leads_since_ = question.now;
  Lapse(question.now, changed);
  TakeBack(question, changed);

  std::vector<std::pair<std::optional<MonotonicTime>, Subject>> by_age;
  for (const LinkView& view : question.links.links) {
    if (view.key.from_site == view.key.to_site) continue;
    for (const LeaseKind kind : kAllLeaseKinds) {
      const Subject subject{view.key, kind};
      by_age.emplace_back(LastTry(subject, question), subject);
    }
  }
  std::ranges::stable_sort(by_age, {}, [](const auto& entry) {
    return std::tuple(entry.first, entry.second.second, entry.second.first);
  });
  status_.waits.clear();
  for (const auto& [last, subject] : by_age) {
    LeaseWait& wait = status_.waits[subject];
    wait = Judge(subject, question);
    const bool free = wait == LeaseWait::kTested && !Busy(subject, question.now);
    if (free) Grant(subject, question, changed);
  }
  status_.spent_today = spending_.OfDay(day);
  status_.bytes_per_day = question.settings.bytes_per_day;
  return changed;
}

void LeaseDesk::Lapse(MonotonicTime now, std::set<std::string>& changed) {
  for (auto& [id, held] : held_) {
    if (held.stand == Stand::kLapsed) continue;
    if (now - held.granted_at < held.lease.duration + times_.answer) continue;
    if (held.stand == Stand::kGranted) changed.insert(held.lease.node);
    End(held, kSilence, now);
    held.stand = Stand::kLapsed;
  }
}

void LeaseDesk::TakeBack(const LeaseQuestion& question, std::set<std::string>& changed) {
  for (auto& [id, held] : held_) {
    if (held.stand != Stand::kGranted || MayGoOn(held.lease, question)) continue;
    held.stand = Stand::kTakenBack;
    changed.insert(held.lease.node);
  }
}

bool LeaseDesk::MayGoOn(const BandwidthLease& lease, const LeaseQuestion& question) const {
  const bool planned = std::ranges::any_of(question.pairs, [&](const TestPair& pair) {
    return pair.node == lease.node && pair.peer_node == lease.peer_node && pair.link == lease.link;
  });
  // A test that fills the line may make it Suspect; worse than that somebody else would notice.
  return question.leads && IsOn(lease.kind, question.settings) && planned && question.gangs.known &&
         !question.gangs.crossed.contains(Sorted(lease.link)) &&
         BothWays(question.links, lease.link, [](const LinkView& view) {
           return view.state == LinkState::kHealthy || view.state == LinkState::kSuspect;
         });
}

std::optional<MonotonicTime> LeaseDesk::LastTest(const Subject& subject,
                                                 const LeaseQuestion& question) const {
  std::optional<MonotonicTime> last;
  if (const auto past = past_.find(subject); past != past_.end()) last = past->second.measured_at;
  const LinkView* view = question.links.Find(subject.first.from_site, subject.first.to_site);
  for (const CapacityTest& test : view->tests) {
    if (test.source != SourceOf(subject.second)) continue;
    last = std::max(last, std::optional(question.now - test.age));
  }
  return last;
}

std::optional<MonotonicTime> LeaseDesk::LastTry(const Subject& subject,
                                                const LeaseQuestion& question) const {
  const auto past = past_.find(subject);
  const auto tried = past == past_.end() ? std::nullopt : past->second.tried_at;
  return std::max(tried, LastTest(subject, question));
}

bool LeaseDesk::IsDue(const Subject& subject, const LeaseQuestion& question) const {
  const Nanoseconds interval = IntervalOf(subject.second, question.settings);
  const auto tested = LastTest(subject, question);
  if (tested && question.now - *tested < interval) return false;
  const auto tried = LastTry(subject, question);
  return !tried || question.now - *tried >= interval / kRetryShare;
}

// kTested: it may be, or is.
LeaseWait LeaseDesk::Judge(const Subject& subject, const LeaseQuestion& question) const {
  const auto& [link, kind] = subject;
  const BandwidthConfig& settings = question.settings;
  if (!IsOn(kind, settings)) return LeaseWait::kOff;
  if (!question.leads) return LeaseWait::kFollows;
  for (const auto& [id, held] : held_) {
    if (held.stand == Stand::kLapsed) continue;
    if (held.lease.link == link && held.lease.kind == kind) return LeaseWait::kTested;
  }
  if (!IsDue(subject, question)) return LeaseWait::kNotDue;
  if (question.now - *leads_since_ < times_.take_over) return LeaseWait::kTakingOver;
  if (ChoosePair(subject, question) == nullptr) return LeaseWait::kNoProbe;
  if (!question.gangs.known) return LeaseWait::kGangsUnknown;
  if (question.gangs.crossed.contains(Sorted(link))) return LeaseWait::kGang;
  const auto healthy = [](const LinkView& view) { return view.state == LinkState::kHealthy; };
  if (!BothWays(question.links, link, healthy)) return LeaseWait::kNotHealthy;
  const LinkView& view = *question.links.Find(link.from_site, link.to_site);
  if (const auto wait = OfUse(view, kind, question)) return *wait;
  const std::uint64_t spent = spending_.Spent(LineOf(link), DayOf(question.wall_now));
  const std::uint64_t wanted = BytesOf(kind, settings);
  if (spent > settings.bytes_per_day || settings.bytes_per_day - spent < wanted) {
    return LeaseWait::kBytesSpent;
  }
  return Busy(subject, question.now).value_or(LeaseWait::kTested);
}

std::optional<LeaseWait> LeaseDesk::OfUse(const LinkView& view, LeaseKind kind,
                                          const LeaseQuestion& question) const {
  if (!view.used || view.used->age > kOldestUse) return LeaseWait::kUseUnknown;
  if (view.rate && view.rate->bytes_per_second > 0) {
    const double share = view.used->bytes_per_second / view.rate->bytes_per_second;
    if (share > question.settings.most_use) return LeaseWait::kInUse;
    return std::nullopt;
  }
  if (kind == LeaseKind::kSaturation) return LeaseWait::kRateUnknown;
  if (view.used->bytes_per_second > kQuietBytesPerSecond) return LeaseWait::kRateUnknown;
  return std::nullopt;
}

std::optional<LeaseWait> LeaseDesk::Busy(const Subject& subject, MonotonicTime now) const {
  for (const auto& [id, held] : held_) {
    if (held.stand != Stand::kLapsed && SharesSite(held.lease.link, subject.first)) {
      return LeaseWait::kOtherTest;
    }
  }
  if (MustBeJudged(subject.first, now)) return LeaseWait::kOtherTest;
  return std::nullopt;
}

bool LeaseDesk::MustBeJudged(const LinkKey& link, MonotonicTime now) const {
  return std::ranges::any_of(tested_until_, [&](const auto& entry) {
    const auto& [subject, until] = entry;
    return Sorted(subject.first) == Sorted(link) && now < until + times_.judged;
  });
}

// The pair that was used longest ago, so that one that fails does not keep the others from it.
const TestPair* LeaseDesk::ChoosePair(const Subject& subject, const LeaseQuestion& question) const {
  const TestPair* chosen = nullptr;
  std::uint64_t chosen_tried = 0;
  for (const TestPair& pair : question.pairs) {
    if (pair.link != subject.first) continue;
    if (subject.second == LeaseKind::kSaturation && !pair.has_hcas) continue;
    const auto found = pair_tried_.find({pair.node, pair.peer_node});
    const std::uint64_t tried = found == pair_tried_.end() ? 0 : found->second;
    if (chosen == nullptr || tried < chosen_tried) {
      chosen = &pair;
      chosen_tried = tried;
    }
  }
  return chosen;
}

void LeaseDesk::Grant(const Subject& subject, const LeaseQuestion& question,
                      std::set<std::string>& changed) {
  const auto& [link, kind] = subject;
  const TestPair& pair = *ChoosePair(subject, question);
  const std::string line = LineOf(link);
  const std::int64_t day = DayOf(question.wall_now);
  const Nanoseconds duration = kind == LeaseKind::kTrain ? times_.train : times_.saturation;
  const std::uint64_t others = spending_.Spent(line, day) - spending_.ToldBy(pair.node, line, day);
  BandwidthLease lease{.id = next_id_++,
                       .node = pair.node,
                       .peer_node = pair.peer_node,
                       .link = link,
                       .kind = kind,
                       .most_bytes = BytesOf(kind, question.settings),
                       .most_bytes_per_day = question.settings.bytes_per_day - others,
                       .duration = duration};
  const LinkView& view = *question.links.Find(link.from_site, link.to_site);
  if (kind == LeaseKind::kSaturation) {
    lease.ceiling_bytes_per_second = kBeyondRate * view.rate->bytes_per_second;
  }
  const std::int64_t last_day = DayOf(question.wall_now + duration + times_.answer);
  spending_.Promise(lease.id, line, day, last_day, lease.most_bytes);
  pair_tried_[{pair.node, pair.peer_node}] = lease.id;
  ++status_.granted[kind];
  changed.insert(pair.node);
  const std::uint64_t id = lease.id;
  held_[id] = {.lease = std::move(lease),
               .granted_at = question.now,
               .stand = Stand::kGranted,
               .last_day = last_day};
}

const BandwidthLease* LeaseDesk::LeaseOf(const std::string& node) const {
  for (const auto& [id, held] : held_) {
    if (held.stand == Stand::kGranted && held.lease.node == node) return &held.lease;
  }
  return nullptr;
}

std::set<LinkKey> LeaseDesk::Tested(MonotonicTime now) const { return TestedBy(std::nullopt, now); }

std::set<LinkKey> LeaseDesk::Saturated(MonotonicTime now) const {
  return TestedBy(LeaseKind::kSaturation, now);
}

// Nothing: by tests of any kind.
std::set<LinkKey> LeaseDesk::TestedBy(std::optional<LeaseKind> kind, MonotonicTime now) const {
  std::set<LinkKey> tested;
  for (const auto& [id, held] : held_) {
    if (kind.value_or(held.lease.kind) != held.lease.kind) continue;
    if (held.stand != Stand::kLapsed) tested.insert(held.lease.link);
  }
  for (const auto& [subject, until] : tested_until_) {
    if (kind.value_or(subject.second) != subject.second) continue;
    if (now < until) tested.insert(subject.first);
  }
  return tested;
}

}  // namespace fairlead::extender
