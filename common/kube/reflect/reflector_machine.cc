#include "common/kube/reflect/reflector_machine.h"

#include <algorithm>
#include <random>

namespace fairlead::kube {
namespace {

// More objects than any cluster has, also in small pages. A server that goes on is not listing.
constexpr int kMostPages = 10'000;

// So many watches in a row that a server let fall silent or failed may be due to where they begin:
// after its store was restored from a backup, it has never heard of our version.
constexpr int kMostBarrenWatches = 3;

}  // namespace

ReflectorMachine::ReflectorMachine(ReflectorTimes times, bool optional, std::uint64_t seed)
    : times_(times),
      optional_(optional),
      backoff_(times.first_wait, times.longest_wait, seed),
      random_(seed + 1) {}

ReflectorAction ReflectorMachine::Next(MonotonicTime now) {
  ReflectorAction action;
  if (wait_until_ && now < *wait_until_) {
    action.kind = ReflectorAction::Kind::kWait;
    action.until = *wait_until_;
    return action;
  }
  wait_until_.reset();
  if (listing_) {
    action.kind = ReflectorAction::Kind::kList;
    action.first_page = pages_ == 0;
    action.whole = whole_;
    action.continue_token = continue_token_;
    return action;
  }
  std::uniform_int_distribution<Seconds::rep> draw(times_.least_watch_timeout.count(),
                                                   times_.most_watch_timeout.count());
  action.kind = ReflectorAction::Kind::kWatch;
  action.resource_version = resource_version_;
  action.timeout = Seconds(draw(random_));
  watch_began_ = now;
  return action;
}

ReflectorMachine::PageVerdict ReflectorMachine::OnPage(const ListPage& page, MonotonicTime now) {
  const bool last = page.continue_token.empty();
  if (page.resource_version.empty() || (!last && page.continue_token == continue_token_) ||
      ++pages_ > kMostPages) {
    OnListFailed(ApiFailure::kMalformed, std::nullopt, now);
    return PageVerdict::kMalformed;
  }
  continue_token_ = page.continue_token;
  if (!last) return PageVerdict::kMore;
  resource_version_ = page.resource_version;
  listing_ = false;
  whole_ = false;
  barren_watches_ = 0;
  return PageVerdict::kComplete;
}

bool ReflectorMachine::OnListFailed(ApiFailure failure, std::optional<Nanoseconds> retry_after,
                                    MonotonicTime now) {
  ListAnew();
  // Where pages expire before the last one is read, only a list without pages can be had.
  if (failure == ApiFailure::kExpired) whole_ = true;
  if (failure == ApiFailure::kNotFound && optional_) {
    WaitFor(times_.absent_wait, now);
    return true;
  }
  Wait(retry_after, now);
  return false;
}

void ReflectorMachine::OnEvent(const std::string& resource_version, MonotonicTime now) {
  if (!resource_version.empty()) resource_version_ = resource_version;
  barren_watches_ = 0;
  if (now - watch_began_ >= times_.healthy_watch) backoff_.Reset();
}

void ReflectorMachine::OnWatchEnded(std::optional<ApiFailure> failure,
                                    std::optional<Nanoseconds> retry_after, MonotonicTime now) {
  const Nanoseconds lasted = now - watch_began_;
  if (lasted >= times_.healthy_watch) backoff_.Reset();
  if (!failure) {
    barren_watches_ = 0;
    if (lasted < times_.shortest_watch) Wait(retry_after, now);
    return;
  }
  switch (*failure) {
    case ApiFailure::kStopped:
      return;
    case ApiFailure::kExpired:
    case ApiFailure::kMalformed:
    case ApiFailure::kTooLarge:
    case ApiFailure::kRejected:
    case ApiFailure::kConflict:
    case ApiFailure::kNotFound:
      // The same watch would end the same way.
      ListAnew();
      break;
    case ApiFailure::kSilent:
    case ApiFailure::kServerError:
      if (++barren_watches_ >= kMostBarrenWatches) ListAnew();
      break;
    case ApiFailure::kUnreachable:
    case ApiFailure::kThrottled:
    case ApiFailure::kUnauthenticated:
    case ApiFailure::kForbidden:
    case ApiFailure::kAccess:
      break;
  }
  Wait(retry_after, now);
}

void ReflectorMachine::ListAnew() {
  listing_ = true;
  pages_ = 0;
  continue_token_.clear();
}

void ReflectorMachine::Wait(std::optional<Nanoseconds> retry_after, MonotonicTime now) {
  const Nanoseconds asked =
      std::min(retry_after.value_or(Nanoseconds(0)), times_.longest_retry_after);
  const Nanoseconds own = backoff_.Next();
  // Beyond what was asked for, so that all who were told the same do not come at once.
  WaitFor(asked > Nanoseconds(0) ? std::max(own, asked + own / 8) : own, now);
}

}  // namespace fairlead::kube
