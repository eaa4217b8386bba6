// When to list, when to watch and when to wait, so that a copy of one resource follows the server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/backoff.h"
#include "common/base/clock.h"
#include "common/kube/reflect/api_failure.h"

namespace fairlead::kube {

struct ReflectorTimes {
  // The span of the first wait after a failure; it doubles up to the longest. Each wait is drawn
  // from the upper half of its span.
  Nanoseconds first_wait = Seconds(1);
  Nanoseconds longest_wait = Seconds(30);
  // A server that asks for more patience (Retry-After) is believed up to here.
  Nanoseconds longest_retry_after = Seconds(300);
  // A watch that has lasted so long is progress: the next wait is the first again.
  Nanoseconds healthy_watch = Seconds(10);
  // A watch that the server ended sooner is followed by a wait.
  Nanoseconds shortest_watch = Seconds(1);
  // How long the server is asked to keep a watch open, drawn anew each time, so that many clients
  // that began together do not stay together.
  Seconds least_watch_timeout{300};
  Seconds most_watch_timeout{600};
  // How often to look whether an optional resource has appeared.
  Nanoseconds absent_wait = Seconds(60);
};

// What to do next.
struct ReflectorAction {
  enum class Kind { kList, kWatch, kWait };

  Kind kind = Kind::kList;
  bool first_page = true;        // kList: what earlier pages brought is void
  bool whole = false;            // kList: ask for all of it at once, without pages
  std::string continue_token;    // kList
  std::string resource_version;  // kWatch: events after this one
  Seconds timeout{0};            // kWatch
  MonotonicTime until;           // kWait
};

// The end of one page of a list.
struct ListPage {
  std::string resource_version;
  std::string continue_token;  // empty: it was the last
};

// Not thread-safe. Every time is of one monotonic clock and never goes back; the same seed and
// inputs give the same actions. Between two requests for a first page there is always a wait, and
// between two watches a wait or a watch of `shortest_watch`, so no sequence of failures makes it
// busy.
class ReflectorMachine {
 public:
  // `optional`: the server may not know the resource, which then counts as empty.
  ReflectorMachine(ReflectorTimes times, bool optional, std::uint64_t seed);

  ReflectorAction Next(MonotonicTime now);

  enum class PageVerdict {
    kMore,      // another page follows
    kComplete,  // all pages since the first replace everything that was known
    kMalformed  // no resource version, or pages without end; it will be listed anew
  };
  PageVerdict OnPage(const ListPage& page, MonotonicTime now);
  // True where the resource is absent and nothing replaces everything that was known.
  bool OnListFailed(ApiFailure failure, std::optional<Nanoseconds> retry_after, MonotonicTime now);

  // An event or bookmark of the watch was taken over; an empty version changes nothing.
  void OnEvent(const std::string& resource_version, MonotonicTime now);
  // `failure` is absent where the server ended the watch in good order.
  void OnWatchEnded(std::optional<ApiFailure> failure, std::optional<Nanoseconds> retry_after,
                    MonotonicTime now);

 private:
  void ListAnew();
  void Wait(std::optional<Nanoseconds> retry_after, MonotonicTime now);
  void WaitFor(Nanoseconds span, MonotonicTime now) { wait_until_ = now + span; }

  const ReflectorTimes times_;
  const bool optional_;
  Backoff backoff_;
  std::mt19937_64 random_;
  bool listing_ = true;
  bool whole_ = false;
  int pages_ = 0;
  std::string continue_token_;
  std::string resource_version_;
  std::optional<MonotonicTime> wait_until_;
  MonotonicTime watch_began_;
  int barren_watches_ = 0;  // failed one after the other without an event
};

}  // namespace fairlead::kube
