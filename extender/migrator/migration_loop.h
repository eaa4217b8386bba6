// Rounds of the decision about moves on a thread.
#pragma once

#include <stop_token>
#include <thread>

#include "extender/migrator/migration_rounds.h"

namespace fairlead::extender {

// A round now, and then one each interval of the newest configuration.
class MigrationLoop {
 public:
  MigrationLoop(MigrationSources sources, EventSink& events)
      : rounds_(std::move(sources), events),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  const Snapshot<MigrationReport>& report() const { return rounds_.report(); }
  // Returns once no round is under way.
  void Stop();

 private:
  void Run(const std::stop_token& stop);

  MigrationRounds rounds_;
  std::jthread thread_;
};

}  // namespace fairlead::extender
