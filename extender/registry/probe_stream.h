// One probe's stream, as gRPC's callback API drives it.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "common/limit/token_bucket.h"
#include "extender/decision/setup.h"
#include "extender/registry/probe_identity.h"
#include "extender/registry/registry_loop.h"
#include "extender/registry/registry_status.h"
#include "fairlead/v1/registry.pb.h"

namespace fairlead::extender {

// What every stream works with; outlives all streams.
struct StreamContext {
  const Snapshot<Setup>& setup;
  const Clock& clock;
  RegistryObserver& observer;
  RegistryLoop& loop;
};

// Messages as bytes: what gRPC itself refuses for its size or contents, nobody can count.
using ProbeReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

// Reads the Hello, checks it against the node that the token proved, then hands batches to the
// loop. Deletes itself when gRPC is done with it, after `on_done`.
class ProbeStream final : public ProbeReactor {
 public:
  ProbeStream(StreamContext context, std::string proven_node, std::function<void()> on_done);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  class Line;

  // Decodes what has arrived; refuses and returns false where that is too large or no message.
  bool Decode();
  void TakeHello();
  void TakeBatch();
  void Refuse(const Refusal& refusal);

  StreamContext context_;
  const std::string proven_node_;
  const std::function<void()> on_done_;
  std::shared_ptr<Line> line_;
  grpc::ByteBuffer received_;
  v1::ProbeMessage incoming_;
  std::optional<ProbeIdentity> identity_;
  TokenBucket rate_;
};

}  // namespace fairlead::extender
