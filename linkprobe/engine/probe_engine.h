// The loop of one transport: sends, answers, measures, and publishes what it knows.
#pragma once

#include <functional>
#include <memory>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/engine/engine_command.h"
#include "linkprobe/engine/engine_settings.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {

// Builds a transport, anew after each one that failed. Called on the engine's thread.
using TransportFactory = std::function<Result<std::unique_ptr<Transport>>()>;

// Runs on a thread of its own from construction to destruction. A transport that fails or cannot be
// built is tried again, from 100 ms up to 10 s apart. Thread-safe.
class ProbeEngine {
 public:
  ProbeEngine(TransportKind kind, const EngineSettings& settings, TransportFactory factory,
              const Clock& clock);
  ~ProbeEngine();

  // Never waits. A command that finds the mailbox full is dropped and counted.
  void Post(EngineCommand command);

  // Published once per detector window and after each command. Never null.
  std::shared_ptr<const EngineSnapshot> Latest() const;

  // When the loop last came round, for /healthz.
  MonotonicTime last_turn() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
