// Which pod holds which of our devices, as kubelet tells it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// What one container holds of one resource.
struct Holding {
  std::string pod_namespace;
  std::string pod;
  std::string container;
  std::string resource;
  std::vector<std::string> device_ids;  // sorted

  bool operator==(const Holding&) const = default;
};

struct PodHoldings {
  std::vector<Holding> holdings;  // sorted by namespace, pod, container and resource
  MonotonicTime read_at{};        // when kubelet last told; zero: never
  bool known() const { return read_at != MonotonicTime{}; }
};

struct PodResourcesStatus {
  std::uint64_t polls = 0;     // attempts
  std::uint64_t absent = 0;    // of them, kubelet's socket was not there
  std::uint64_t failures = 0;  // of them, the call failed
  std::string last_error;      // empty once a poll has succeeded
  MonotonicTime last_turn{};   // of the loop
};

struct PodResourcesOptions {
  std::string kubelet_directory = "/var/lib/kubelet";
  Nanoseconds first_after{0};          // from the start to the first question
  Nanoseconds interval = Seconds(10);  // kubelet takes 100 calls a second from all its callers
  Nanoseconds deadline = Seconds(5);
};

// Thread-safe. Asks kubelet from time to time; there is nothing to subscribe to. What it said last
// stays when it cannot be asked: the reader judges by its age.
class PodResourcesLister {
 public:
  // Lists what is held of the resources in the offer; `offer` and `clock` outlive it.
  PodResourcesLister(PodResourcesOptions options, const Snapshot<Offer>& offer, const Clock& clock);
  ~PodResourcesLister();  // cancels a call under way

  const Snapshot<PodHoldings>& holdings() const;
  PodResourcesStatus Status() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::deviceplugin
