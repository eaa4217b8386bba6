// What is seen of a gang and its owner while it is moved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"

namespace fairlead::extender {

// The object that controls the gang's pods at the top: a Job, JobSet, TrainJob, Volcano Job, ...
struct OwnerState {
  bool exists = false;
  std::string resource_version;
  std::string record;  // the annotation with its moves; empty: none
  bool deleting = false;
  bool finished = false;                        // complete or failed
  bool suspended = false;                       // spec.suspend or what stands for it
  std::int64_t version = 0;                     // Volcano: status.version
  std::optional<std::uint32_t> retries_left{};  // absent: not limited
};

// A Kueue Workload.
struct WorkloadState {
  bool exists = false;
  std::string uid;
  std::string resource_version;
  bool active = true;
  std::string marker;  // our annotation on it; empty: none
};

// A pod of the owner, terminating ones included.
struct PodState {
  std::string name;
  std::string uid;
  std::string site;  // empty: no node
  bool ready = false;
  bool terminating = false;
  std::string asked_checkpoint{};  // the annotation checkpoint-request; empty: none
  std::string done_checkpoint{};   // the annotation checkpoint-done
};

struct BudgetState {
  std::string name;
  std::uint32_t allowed = 0;        // status.disruptionsAllowed, its condition up to date
  std::vector<std::string> covers;  // uids of pods
};

// Read from the API server itself when a move is taken over, from watches after that.
struct MoveFacts {
  OwnerState owner;
  WorkloadState workload;      // kKueue only
  bool command_waits = false;  // kVolcano: our Command object is still there
  std::vector<PodState> pods;  // by name
  std::uint32_t size = 0;      // members that the gang should have now
  std::vector<BudgetState> budgets;
  std::string forbidden;  // rights that are missing for the lever; empty: none
  std::string holds;      // what it waits for before it begins; empty: nothing
  std::string unwanted;   // why the move is not wanted any more; empty: it is
};

// One moment by both clocks: waits go by the steady one, what is recorded by the wall's.
struct Moment {
  MonotonicTime steady{};
  WallTime wall{};
};

}  // namespace fairlead::extender
