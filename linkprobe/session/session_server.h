// Serves LinkSession to other probes.
#pragma once

#include <memory>
#include <string>

#include "common/base/result.h"
#include "linkprobe/session/measure_desk.h"
#include "linkprobe/session/session_desk.h"

namespace grpc {
class ServerCredentials;
}  // namespace grpc

namespace fairlead::linkprobe {

class SessionServer {
 public:
  // Binds `address` (host:port; port 0 lets the kernel choose) and serves until destruction. The
  // desks outlive the server; without `measure` no bandwidth tests are taken.
  static Result<std::unique_ptr<SessionServer>> Start(
      const std::string& address, std::shared_ptr<grpc::ServerCredentials> credentials,
      SessionDesk& desk, MeasureDesk* measure = nullptr);
  ~SessionServer();

  int port() const;

 private:
  struct Impl;
  explicit SessionServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::linkprobe
