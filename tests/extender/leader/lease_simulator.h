// An API server with one Lease, and replicas whose requests, clocks and lives go wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "extender/leader/lease_machine.h"

namespace fairlead::extender {

// The one record; every change has a version of its own.
class LeaseServer {
 public:
  struct Answer {
    enum class Kind { kRecord, kAbsent, kConflict } kind = Kind::kAbsent;
    LeaseRecord record;
    std::string version;
  };
  Answer Carry(const LeaseAction& action);
  void Delete() { record_.reset(); }
  const std::optional<LeaseRecord>& record() const { return record_; }

 private:
  Answer Write(const LeaseWrite& write, bool anew);

  std::optional<LeaseRecord> record_;
  std::uint64_t version_ = 0;
};

inline LeaseServer::Answer LeaseServer::Write(const LeaseWrite& write, bool anew) {
  const std::string stamp = std::to_string(++version_);
  LeaseRecord next{.holder = write.holder,
                   .duration = write.duration,
                   .transitions = write.transitions,
                   .acquire_time = write.acquires || anew ? stamp : record_->acquire_time,
                   .renew_time = stamp};
  record_ = next;
  return {Answer::Kind::kRecord, next, stamp};
}

inline LeaseServer::Answer LeaseServer::Carry(const LeaseAction& action) {
  switch (action.kind) {
    case LeaseAction::Kind::kRead:
      if (!record_) return {};
      return {Answer::Kind::kRecord, *record_, std::to_string(version_)};
    case LeaseAction::Kind::kCreate:
      if (record_) return {Answer::Kind::kConflict, {}, {}};
      return Write(action.write, true);
    case LeaseAction::Kind::kUpdate:
      if (!record_) return {};
      if (action.resource_version != std::to_string(version_)) {
        return {Answer::Kind::kConflict, {}, {}};
      }
      return Write(action.write, false);
    case LeaseAction::Kind::kWait:
    case LeaseAction::Kind::kDone:
      break;
  }
  return {};
}

inline void Give(const LeaseServer::Answer& answer, LeaseMachine& machine, MonotonicTime now) {
  switch (answer.kind) {
    case LeaseServer::Answer::Kind::kRecord:
      return machine.OnRecord(answer.record, answer.version, now);
    case LeaseServer::Answer::Kind::kAbsent:
      return machine.OnAbsent(now);
    case LeaseServer::Answer::Kind::kConflict:
      return machine.OnConflict(now);
  }
}

inline bool IsRequest(const LeaseAction& action) {
  return action.kind != LeaseAction::Kind::kWait && action.kind != LeaseAction::Kind::kDone;
}

}  // namespace fairlead::extender
