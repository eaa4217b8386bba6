// A small model of an API server, the controllers behind it, people who edit, and one or two
// replicas that carry moves through, in which every order of events can be walked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "extender/relocation/relocation.h"

namespace fairlead::extender {

inline constexpr std::size_t kGangMembers = 3;

enum class PodPhase : std::uint8_t { kAbsent, kPending, kRunning, kTerminating };

struct ModelPod {
  std::uint8_t generation = 0;  // 0: of before the move
  PodPhase phase = PodPhase::kRunning;
  bool asked = false;
  bool done = false;
};

struct ModelGang {
  LeverKind lever = LeverKind::kSuspend;
  bool exists = true;
  bool finished = false;
  bool suspended = false;
  std::uint32_t revision = 1;  // of the owner
  std::string record;
  std::int64_t version = 1;
  std::uint8_t workload_uid = 1;
  std::uint32_t workload_revision = 1;
  bool active = true;
  std::string marker;
  bool command_waits = false;
  bool restarting = false;  // Volcano has taken the command and has not acted yet
  std::array<ModelPod, kGangMembers> pods;
  std::uint8_t size = kGangMembers;
  std::uint8_t allowed = kGangMembers;  // disruptions
  bool unwanted = false;

  // The account by which the properties are judged.
  std::uint8_t stops = 0;        // times that we stopped the whole gang
  std::uint8_t evicted_old = 0;  // members of before the move
  bool evicted_new = false;      // a member of after it
  bool edited = false;           // by a person: what follows is theirs, too
};

// A process that believes to lead.
struct ModelProcess {
  std::string name;
  std::vector<Relocation> moves;                  // one a gang
  std::vector<std::optional<ApiCall>> under_way;  // one a gang
};

// A call whose caller is gone; it may arrive yet.
struct OrphanCall {
  std::size_t gang = 0;
  ApiCall call;
};

struct Budgets {
  std::uint8_t faults = 2;     // answers other than the right one
  std::uint8_t takeovers = 1;  // another process begins to lead; the one before it may go on
  std::uint8_t crashes = 1;
  std::uint8_t edits = 1;  // by people
};

struct ModelWorld {
  std::int64_t now = 0;  // seconds
  std::vector<ModelGang> gangs;
  std::vector<ModelProcess> processes;
  std::vector<OrphanCall> orphans;
  Budgets budgets;
  std::uint8_t named = 0;  // processes so far
};

struct ModelRules {
  RelocationConfig config;
  bool overlap = true;  // two processes may lead at once
};

// Three timeouts of some looks each.
RelocationConfig ShortTimes();

// Gangs of three that use this lever, each with a recorded trigger in the first process's memory.
ModelWorld FirstWorld(const std::vector<LeverKind>& levers, Budgets budgets);

MoveFacts FactsOf(const ModelWorld& world, std::size_t gang);
Moment MomentOf(const ModelWorld& world);

// Every state that may follow.
std::vector<ModelWorld> Successors(const ModelWorld& world, const ModelRules& rules);

// What happens if nothing goes wrong any more: a process leads, calls are answered, controllers
// act. Nothing once all is quiet.
std::optional<ModelWorld> FairStep(const ModelWorld& world, const ModelRules& rules);

// The same for two states that differ in nothing that matters; times count by their distance.
std::string KeyOf(const ModelWorld& world);

// What must never be; empty: all is well.
std::string Violation(const ModelWorld& world);
// What must hold once all is quiet.
std::string Unfinished(const ModelWorld& world);

}  // namespace fairlead::extender
