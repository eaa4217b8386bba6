// The gRPC service that probes connect to.
#pragma once

#include <cstdint>
#include <memory>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"
#include "extender/decision/setup.h"
#include "extender/registry/registry_loop.h"
#include "extender/registry/registry_status.h"
#include "extender/registry/token_verifier.h"

namespace fairlead::extender {

// Serves until destroyed. A stream without a valid token ends with UNAUTHENTICATED before anything
// of it is read; messages, rates and streams of a node are bounded.
class RegistryServer {
 public:
  // What it works with must outlive it. Fails when the address is taken, or TLS is neither
  // configured nor waived.
  static Result<std::unique_ptr<RegistryServer>> Start(
      const ListenAddress& address, const TlsConfig& tls, const Snapshot<Setup>& setup,
      const Clock& clock, TokenVerifier& tokens, RegistryObserver& observer, RegistryLoop& loop);
  ~RegistryServer();

  // The port listened on, also where the kernel chose it.
  std::uint16_t port() const;

 private:
  class Impl;
  explicit RegistryServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
