// Keeps a copy of one resource as the API server has it: lists, then watches, for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/access.h"
#include "common/kube/api_connection.h"
#include "common/kube/object_store.h"
#include "common/kube/reflect/reflector_machine.h"
#include "common/kube/reflector_status.h"
#include "common/kube/resource.h"

namespace fairlead::kube {

struct ReflectorLimits {
  ReflectorTimes times;
  // The API server itself gives up a list after 60 s.
  ConnectionLimits connection{.answer = Seconds(70)};
  // Objects a page: each page waits for the one before it, so that small ones make the first list
  // of a large cluster slow; the server has one of them in memory at a time.
  int page = 2500;
  // A list that pauses, a watch that says nothing for so long has ended. A server may say nothing
  // of a resource that does not change for as long as it likes: nothing is lost by watching anew.
  Nanoseconds list_silence = Seconds(30);
  Nanoseconds watch_silence = Seconds(150);
  // etcd takes no object of more than 1.5 MiB, which is larger as JSON.
  std::size_t most_object_bytes = 8U << 20;
};

// A thread of its own and a connection of its own. The store is used by that thread alone, from
// Start until the destructor returns.
class Reflector {
 public:
  // Fails where the access itself is wrong. `seed` should differ between replicas.
  static Result<std::unique_ptr<Reflector>> Create(Resource resource, const Access& access,
                                                   const std::string& user_agent,
                                                   ObjectStore& store, const Clock& clock,
                                                   std::uint64_t seed, ReflectorLimits limits = {});
  // Waits for no answer: requests under way are given up.
  ~Reflector();

  void Start();
  // Thread-safe.
  ReflectorStatus status() const;

 private:
  class Loop;
  explicit Reflector(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

// What to say about a failed list or watch of a resource: for 401, 403 and 404 with the remedy.
std::string TroubleWith(const Resource& resource, const std::string& verb, const ApiError& error);

}  // namespace fairlead::kube
