// What a program shows of itself: metrics, health, readiness.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/base/result.h"
#include "common/config/config.h"

namespace prometheus {
class Collectable;
}  // namespace prometheus

namespace fairlead {

// Whether a program is well, and in words what it waits for or lacks.
struct Health {
  bool ok = false;
  std::string reason;
};

// Own listener, so that a stuck scrape never delays other work: GET /metrics (Prometheus text
// format), /healthz and /readyz (200 or 503, the reason as text), / (a list of these).
// Thread-safe; the callbacks run on the server's threads until Stop or destruction has returned.
class OpsServer {
 public:
  struct Checks {
    std::function<Health()> healthz;
    std::function<Health()> readyz;
  };

  // Binds and serves. kUnavailable where the address is taken.
  static Result<std::unique_ptr<OpsServer>> Start(const ListenAddress& address, Checks checks);
  ~OpsServer();

  // Its families appear on /metrics as long as it lives. Families of the same name from several
  // collectables are merged under one header.
  void Add(std::weak_ptr<prometheus::Collectable> collectable);

  // As bound, also where the configuration says port 0.
  std::uint16_t port() const;
  // Returns at once but for a request that is being answered.
  void Stop();

 private:
  struct Impl;
  explicit OpsServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead
