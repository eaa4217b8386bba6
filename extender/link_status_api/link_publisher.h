// Keeps a Link object in the API server for each pair of sites, while this replica leads and where
// the API server knows the kind.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "common/kube/api_connection.h"
#include "extender/leader/leadership.h"
#include "extender/link/link_view.h"
#include "extender/link_status/link_ledger.h"
#include "extender/link_status_api/link_publish_status.h"

namespace fairlead::extender {

// All must outlive the publisher.
struct LinkPublisherSources {
  const Snapshot<LinkSnapshot>& links;
  const Snapshot<Leadership>& leadership;
  const Clock& clock;
  std::function<bool()> settled;  // whether all sites are known; Links are removed only then
};

struct LinkPublisherTimes {
  Nanoseconds round = Seconds(1);
  Nanoseconds first_wait = Seconds(1);     // after what failed ...
  Nanoseconds longest_wait = Seconds(60);  // ... and at most, also while the kind is not defined
};

// What one request may take; a leader's Lease lasts longer.
inline constexpr kube::ConnectionLimits kLinkLimits{.connect = Seconds(3), .answer = Seconds(5)};

// One thread. Whether this replica leads is asked before each request. Nothing is queued: after a
// failure the rest of the round is dropped, and the next one writes what is so by then. A trouble
// is logged when it begins, changes and ends. That the kind is not defined is no trouble: it is how
// Links are switched off. It is looked for again each minute or so.
//
// Needs list, create, patch and delete on links.fairlead.dev and patch on
// links.fairlead.dev/status.
class LinkPublisher {
 public:
  LinkPublisher(LinkPublisherSources sources, std::unique_ptr<kube::ApiConnection> connection,
                std::uint64_t seed, LinkPace pace = {}, LinkPublisherTimes times = {});
  ~LinkPublisher();

  // Thread-safe.
  LinkPublishStatus status() const;
  // Returns once no request is under way; one that is, is given up.
  void Stop();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::extender
