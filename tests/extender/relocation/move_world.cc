#include "tests/extender/relocation/move_world.h"

#include <algorithm>
#include <string_view>

#include "extender/relocation/rivalry.h"

namespace fairlead::extender {
namespace {

constexpr std::int64_t kEpoch = 1'796'000'000;

std::string UidOf(std::size_t gang, std::size_t slot, const ModelPod& pod) {
  return "g" + std::to_string(gang) + "p" + std::to_string(slot) + "n" +
         std::to_string(pod.generation);
}

std::string NameOf(std::size_t slot) { return "pod-" + std::to_string(slot); }

bool Alive(const ModelPod& pod) {
  return pod.phase == PodPhase::kPending || pod.phase == PodPhase::kRunning;
}

void EndAll(ModelGang& gang) {
  for (ModelPod& pod : gang.pods) {
    if (Alive(pod)) pod.phase = PodPhase::kTerminating;
  }
}

MoveRecord RecordOf(const ModelGang& gang) { return ReadMoves(gang.record).value().current; }

CallResult ApplyToOwner(ModelGang& gang, const ApiCall& call) {
  if (!gang.exists) return CallResult::kNotFound;
  if (call.resource_version != std::to_string(gang.revision)) return CallResult::kConflict;
  ++gang.revision;
  gang.record = call.record;
  if (call.kind == CallKind::kSetSuspend) {
    if (call.value && !gang.suspended) ++gang.stops;
    gang.suspended = call.value;
  }
  return CallResult::kDone;
}

CallResult ApplyToWorkload(ModelGang& gang, const ApiCall& call) {
  if (!gang.exists) return CallResult::kNotFound;
  if (call.uid != std::to_string(gang.workload_uid) ||
      call.resource_version != std::to_string(gang.workload_revision)) {
    return CallResult::kConflict;
  }
  ++gang.workload_revision;
  gang.marker = call.text;
  if (!call.value && gang.active) ++gang.stops;
  gang.active = call.value;
  return CallResult::kDone;
}

CallResult ApplyToPod(ModelGang& gang, std::size_t index, const ApiCall& call) {
  for (std::size_t slot = 0; slot < kGangMembers; ++slot) {
    ModelPod& pod = gang.pods[slot];
    if (NameOf(slot) != call.name) continue;
    if (pod.phase == PodPhase::kAbsent) return CallResult::kNotFound;
    if (UidOf(index, slot, pod) != call.uid) return CallResult::kConflict;
    if (call.kind == CallKind::kAskCheckpoint) {
      pod.asked = true;
      return CallResult::kDone;
    }
    if (pod.phase == PodPhase::kTerminating) return CallResult::kDone;
    if (call.kind == CallKind::kEvictPod) {
      if (gang.allowed == 0) return CallResult::kThrottled;
      --gang.allowed;
    }
    pod.phase = PodPhase::kTerminating;
    if (pod.generation == 0) {
      ++gang.evicted_old;
    } else {
      gang.evicted_new = true;
    }
    return CallResult::kDone;
  }
  return CallResult::kNotFound;
}

// Carries a call out as the API server would.
CallResult Apply(ModelWorld& world, std::size_t index, const ApiCall& call) {
  ModelGang& gang = world.gangs[index];
  switch (call.kind) {
    case CallKind::kWriteRecord:
    case CallKind::kSetSuspend:
      return ApplyToOwner(gang, call);
    case CallKind::kSetActive:
      return ApplyToWorkload(gang, call);
    case CallKind::kCreateCommand:
      if (!gang.exists) return CallResult::kNotFound;
      if (gang.command_waits) return CallResult::kConflict;
      gang.command_waits = true;
      return CallResult::kDone;
    case CallKind::kAskCheckpoint:
    case CallKind::kEvictPod:
    case CallKind::kDeletePod:
      return ApplyToPod(gang, index, call);
  }
  return CallResult::kInvalid;
}

ModelProcess NewProcess(ModelWorld& world, bool with_intents) {
  ModelProcess process;
  process.name = "process-" + std::to_string(++world.named);
  for (std::size_t i = 0; i < world.gangs.size(); ++i) {
    std::optional<MoveIntent> intent;
    if (with_intents) {
      intent = MoveIntent{.number = 1,
                          .lever = world.gangs[i].lever,
                          .from = {{"hk", 2}, {"sg", 1}},
                          .to = {{"tyo", 3}},
                          .left = {{"hk", "sg"}},
                          .checkpoint = world.gangs[i].lever == LeverKind::kSuspend,
                          .why = "because"};
    }
    process.moves.emplace_back(process.name, std::move(intent));
  }
  process.under_way.resize(world.gangs.size());
  return process;
}

void Settle(ModelWorld& world, std::size_t p, std::size_t gang, CallResult result) {
  world.processes[p].under_way[gang].reset();
  world.processes[p].moves[gang].OnOutcome({.result = result, .message = "no"}, MomentOf(world));
}

class Walk {
 public:
  Walk(const ModelWorld& from, const ModelRules& rules) : from_(from), rules_(rules) {}

  std::vector<ModelWorld> All() {
    for (std::size_t p = 0; p < from_.processes.size(); ++p) Process(p);
    for (std::size_t i = 0; i < from_.orphans.size(); ++i) Orphan(i);
    for (std::size_t g = 0; g < from_.gangs.size(); ++g) {
      Controllers(g);
      if (from_.budgets.edits > 0) People(g);
    }
    Leaders();
    Time();
    return std::move(next_);
  }

 private:
  template <class Change>
  void Add(Change change) {
    ModelWorld world = from_;
    change(world);
    next_.push_back(std::move(world));
  }

  void Process(std::size_t p) {
    for (std::size_t g = 0; g < from_.gangs.size(); ++g) {
      if (from_.processes[p].under_way[g]) {
        Answers(p, g);
        continue;
      }
      ModelWorld world = from_;
      RelocationAction action =
          world.processes[p].moves[g].Next(FactsOf(world, g), rules_.config, MomentOf(world));
      if (action.kind != RelocationAction::Kind::kCall) {
        wait_ = wait_ || action.kind == RelocationAction::Kind::kWait;
        continue;
      }
      world.processes[p].under_way[g] = std::move(action.call);
      next_.push_back(std::move(world));
    }
  }

  void Answers(std::size_t p, std::size_t g) {
    const ApiCall call = *from_.processes[p].under_way[g];
    Add([&](ModelWorld& world) { Settle(world, p, g, Apply(world, g, call)); });
    if (from_.budgets.faults == 0) return;
    Add([&](ModelWorld& world) {
      --world.budgets.faults;
      Apply(world, g, call);
      Settle(world, p, g, CallResult::kLost);
    });
    // Lost on the way there, and perhaps not for ever.
    Add([&](ModelWorld& world) {
      --world.budgets.faults;
      world.orphans.push_back({g, call});
      Settle(world, p, g, CallResult::kLost);
    });
    for (const CallResult result : {CallResult::kThrottled, CallResult::kServerError,
                                    CallResult::kForbidden, CallResult::kConflict}) {
      Add([&](ModelWorld& world) {
        --world.budgets.faults;
        Settle(world, p, g, result);
      });
    }
  }

  void Orphan(std::size_t i) {
    const auto drop = [i](ModelWorld& world) {
      world.orphans.erase(world.orphans.begin() + static_cast<std::ptrdiff_t>(i));
    };
    Add(drop);
    Add([&](ModelWorld& world) {
      Apply(world, world.orphans[i].gang, from_.orphans[i].call);
      drop(world);
    });
  }

  void Controllers(std::size_t g);
  void People(std::size_t g);

  void Leaders() {
    for (std::size_t p = 0; p < from_.processes.size() && from_.budgets.crashes > 0; ++p) {
      Add([&](ModelWorld& world) {
        --world.budgets.crashes;
        for (std::size_t g = 0; g < world.gangs.size(); ++g) {
          auto& call = world.processes[p].under_way[g];
          if (call) world.orphans.push_back({g, *call});
        }
        world.processes.erase(world.processes.begin() + static_cast<std::ptrdiff_t>(p));
      });
    }
    if (from_.processes.empty() ||
        (rules_.overlap && from_.budgets.takeovers > 0 && from_.processes.size() == 1)) {
      Add([&](ModelWorld& world) {
        if (!world.processes.empty()) --world.budgets.takeovers;
        world.processes.push_back(NewProcess(world, false));
      });
    }
    // It was warm, too, and has come to the same decision.
    if (rules_.overlap && from_.processes.size() == 1 && from_.budgets.takeovers > 0) {
      Add([&](ModelWorld& world) {
        --world.budgets.takeovers;
        world.processes.push_back(NewProcess(world, true));
      });
    }
  }

  void Time() {
    if (!wait_) return;
    Add([](ModelWorld& world) { world.now += 5; });
  }

  const ModelWorld& from_;
  const ModelRules& rules_;
  std::vector<ModelWorld> next_;
  bool wait_ = false;
};

// The first thing that a controller of this gang would do now; false: nothing.
bool Control(ModelGang& gang) {
  if (gang.restarting) {
    gang.restarting = false;
    ++gang.version;
    ++gang.revision;
    ++gang.stops;
    EndAll(gang);
    return true;
  }
  if (gang.command_waits) {
    gang.command_waits = false;
    gang.restarting = true;
    return true;
  }
  const bool stopped = !gang.exists || gang.suspended || !gang.active || gang.finished;
  if (!stopped || std::ranges::none_of(gang.pods, Alive)) return false;
  EndAll(gang);
  return true;
}

// What becomes of the pod in this slot by itself; false: nothing.
bool Proceed(ModelGang& gang, std::size_t slot) {
  ModelPod& pod = gang.pods[slot];
  switch (pod.phase) {
    case PodPhase::kAbsent: {
      const bool wanted = gang.exists && !gang.suspended && gang.active && !gang.finished;
      if (!wanted || slot >= gang.size) return false;
      pod = {.generation = static_cast<std::uint8_t>(pod.generation + 1),
             .phase = PodPhase::kPending};
      return true;
    }
    case PodPhase::kPending:
      pod.phase = PodPhase::kRunning;
      return true;
    case PodPhase::kTerminating:
      pod.phase = PodPhase::kAbsent;
      return true;
    case PodPhase::kRunning:
      if (!pod.asked || pod.done || slot != 0) return false;
      pod.done = true;
      return true;
  }
  return false;
}

void Walk::Controllers(std::size_t g) {
  ModelWorld world = from_;
  if (Control(world.gangs[g])) next_.push_back(world);
  for (std::size_t slot = 0; slot < kGangMembers; ++slot) {
    world = from_;
    if (Proceed(world.gangs[g], slot)) next_.push_back(world);
  }
}

void Walk::People(std::size_t g) {
  const auto edit = [&](auto change) {
    Add([&](ModelWorld& world) {
      --world.budgets.edits;
      ModelGang& gang = world.gangs[g];
      ++gang.revision;
      gang.edited = true;
      change(gang);
    });
  };
  const ModelGang& gang = from_.gangs[g];
  if (!gang.exists) return;
  edit([](ModelGang& changed) { changed.exists = false; });
  edit([](ModelGang& changed) { changed.finished = true; });
  if (gang.lever != LeverKind::kKueue) {  // which would undo it
    edit([](ModelGang& changed) { changed.suspended = !changed.suspended; });
  }
  edit([](ModelGang& changed) {
    changed.size = kGangMembers - 1;
    if (Alive(changed.pods.back())) changed.pods.back().phase = PodPhase::kTerminating;
  });
  Add([&](ModelWorld& world) {  // the line has healed, or the place was taken
    --world.budgets.edits;
    world.gangs[g].unwanted = true;
  });
  if (gang.lever == LeverKind::kEvict) {
    Add([&](ModelWorld& world) {
      --world.budgets.edits;
      world.gangs[g].allowed = 0;
    });
  }
  if (gang.lever != LeverKind::kKueue) return;
  edit([](ModelGang& changed) {  // a new Workload for a job that was changed
    ++changed.workload_uid;
    changed.workload_revision += 100;
    changed.active = true;
    changed.marker.clear();
  });
  edit([](ModelGang& changed) {
    changed.active = !changed.active;
    ++changed.workload_revision;
  });
}

}  // namespace

RelocationConfig ShortTimes() {
  return {.checkpoint_timeout = Seconds(10),
          .begin_timeout = Seconds(15),
          .termination_grace = Seconds(1),
          .eviction_patience = Seconds(10),
          .follow_timeout = Seconds(20)};
}

ModelWorld FirstWorld(const std::vector<LeverKind>& levers, Budgets budgets) {
  ModelWorld world;
  world.budgets = budgets;
  for (const LeverKind lever : levers) {
    ModelGang gang;
    gang.lever = lever;
    world.gangs.push_back(gang);
  }
  world.processes.push_back(NewProcess(world, true));
  return world;
}

Moment MomentOf(const ModelWorld& world) {
  return {MonotonicTime(Seconds(world.now)), WallTime(Seconds(kEpoch + world.now))};
}

MoveFacts FactsOf(const ModelWorld& world, std::size_t index) {
  const ModelGang& gang = world.gangs[index];
  MoveFacts facts;
  facts.owner = {.exists = gang.exists,
                 .resource_version = std::to_string(gang.revision),
                 .record = gang.record,
                 .finished = gang.finished,
                 .suspended = gang.suspended || !gang.active,
                 .version = gang.version};
  facts.workload = {.exists = gang.exists,
                    .uid = std::to_string(gang.workload_uid),
                    .resource_version = std::to_string(gang.workload_revision),
                    .active = gang.active,
                    .marker = gang.marker};
  facts.command_waits = gang.command_waits;
  facts.size = gang.size;
  BudgetState budget{.name = "budget", .allowed = gang.allowed, .covers = {}};
  for (std::size_t slot = 0; slot < kGangMembers; ++slot) {
    const ModelPod& pod = gang.pods[slot];
    if (pod.phase == PodPhase::kAbsent) continue;
    const std::string uid = UidOf(index, slot, pod);
    facts.pods.push_back({.name = NameOf(slot),
                          .uid = uid,
                          .site = pod.generation > 0 ? "tyo"
                                  : slot < 2         ? "hk"
                                                     : "sg",
                          .ready = pod.phase == PodPhase::kRunning,
                          .terminating = pod.phase == PodPhase::kTerminating,
                          .asked_checkpoint = pod.asked ? "1" : "",
                          .done_checkpoint = pod.done ? "1" : ""});
    budget.covers.push_back(uid);
  }
  facts.budgets.push_back(std::move(budget));
  if (gang.unwanted) facts.unwanted = "the line is well again";
  if (world.gangs.size() > 1) {
    std::vector<OpenMove> all;
    for (std::size_t i = 0; i < world.gangs.size(); ++i) {
      all.push_back({{"job", "ml", std::to_string(i), {}}, RecordOf(world.gangs[i])});
    }
    const Rivalry rivalry = Compare(all[index], all, 1);
    facts.holds = rivalry.holds;
    if (!rivalry.gives_way.empty()) facts.unwanted = rivalry.gives_way;
  }
  return facts;
}

std::vector<ModelWorld> Successors(const ModelWorld& world, const ModelRules& rules) {
  return Walk(world, rules).All();
}

std::optional<ModelWorld> FairStep(const ModelWorld& from, const ModelRules& rules) {
  ModelWorld world = from;
  if (world.processes.empty()) {
    world.processes.push_back(NewProcess(world, false));
    return world;
  }
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    for (std::size_t g = 0; g < world.gangs.size(); ++g) {
      if (const auto call = world.processes[p].under_way[g]) {
        Settle(world, p, g, Apply(world, g, *call));
        return world;
      }
    }
  }
  if (!world.orphans.empty()) {
    world.orphans.pop_back();
    return world;
  }
  for (ModelGang& gang : world.gangs) {
    if (Control(gang)) return world;
    for (std::size_t slot = 0; slot < kGangMembers; ++slot) {
      if (Proceed(gang, slot)) return world;
    }
  }
  bool waits = false;
  for (ModelProcess& process : world.processes) {
    for (std::size_t g = 0; g < world.gangs.size(); ++g) {
      const RelocationAction action =
          process.moves[g].Next(FactsOf(world, g), rules.config, MomentOf(world));
      if (action.kind == RelocationAction::Kind::kCall) {
        process.under_way[g] = action.call;
        return world;
      }
      waits = waits || action.kind == RelocationAction::Kind::kWait;
    }
  }
  if (!waits) return std::nullopt;
  world.now += 5;
  return world;
}

std::string KeyOf(const ModelWorld& world) {
  std::string key;
  const auto put = [&key](std::int64_t value) {
    key += std::to_string(value);
    key += ' ';
  };
  const auto put_call = [&](const ApiCall& call) {
    put(static_cast<int>(call.kind));
    key += call.name + call.uid + call.resource_version + call.text + (call.value ? "+" : "-");
    if (!call.record.empty()) {
      const MoveRecord record = ReadMoves(call.record)->current;
      put(static_cast<int>(record.step) * 10 + static_cast<int>(record.outcome));
      put(record.number);
      key += record.by;
    }
  };
  for (const ModelGang& gang : world.gangs) {
    const MoveRecord record = RecordOf(gang);
    for (const bool flag :
         {gang.exists, gang.finished, gang.suspended, gang.active, gang.command_waits,
          gang.restarting, gang.unwanted, gang.evicted_new, gang.edited, !record.stuck.empty()}) {
      key += flag ? '1' : '0';
    }
    put(gang.revision);
    put(gang.version);
    put(gang.workload_uid);
    put(gang.workload_revision);
    put(gang.size);
    put(gang.allowed);
    put(gang.stops);
    put(gang.evicted_old);
    key += gang.marker;
    for (const ModelPod& pod : gang.pods) {
      put(pod.generation * 100 + static_cast<int>(pod.phase) * 10 + pod.asked * 2 + pod.done);
    }
    put(record.number * 100 + static_cast<int>(record.step) * 10 +
        static_cast<int>(record.outcome));
    key += record.by + record.object;
    const auto age = (MomentOf(world).wall - record.since) / Seconds(1);
    put(record.number == 0 ? 0 : std::min<std::int64_t>(age, 30));
  }
  for (const ModelProcess& process : world.processes) {
    key += process.name;
    for (std::size_t g = 0; g < world.gangs.size(); ++g) {
      const Relocation::Memory& memory = process.moves[g].memory();
      key += memory.intent ? 'i' : '-';
      key += memory.lever.sent ? 's' : '-';
      put(memory.lever.turn % 6);
      put(std::min(memory.failures, 7U));
      key += memory.used_version;
      const auto wait = memory.retry_at ? (*memory.retry_at - MomentOf(world).steady) / Seconds(1)
                                        : std::int64_t{0};
      put(std::max<std::int64_t>(wait, 0));
      if (process.under_way[g]) {
        put_call(*process.under_way[g]);
      } else {
        key += '.';
      }
    }
  }
  for (const OrphanCall& orphan : world.orphans) {
    put(static_cast<std::int64_t>(orphan.gang));
    put_call(orphan.call);
  }
  put(world.budgets.faults * 1000 + world.budgets.takeovers * 100 + world.budgets.crashes * 10 +
      world.budgets.edits);
  return key;
}

std::string Violation(const ModelWorld& world) {
  std::uint32_t disturbed = 0;
  for (const ModelGang& gang : world.gangs) {
    const auto moves = ReadMoves(gang.record);
    if (!moves) return "a record that cannot be read: " + moves.error().message;
    const MoveRecord& record = moves->current;
    if (record.number > 1) return "a second move for one trigger";
    if (gang.stops > 1) return "stopped twice for one trigger";
    if (gang.evicted_new) return "a member was evicted that had moved already";
    if (gang.stops + gang.evicted_old > 0 && record.number == 0) return "moved without a record";
    if (record.open() && record.disturbed()) ++disturbed;
    if (record.open() || record.number == 0 || !gang.exists) continue;
    const bool touched = gang.stops > 0 || gang.evicted_old > 0;
    if (touched && !record.disturbed()) return "disturbed, and the record says otherwise";
    if (gang.finished || gang.edited) continue;
    if (gang.suspended || !gang.active) return "stopped and left";
    const auto old = std::ranges::count_if(
        gang.pods, [](const ModelPod& pod) { return pod.generation == 0 && Alive(pod); });
    if (gang.evicted_old > 0 && old > 0) return "part of the gang moved and left";
    const bool through =
        record.outcome == MoveOutcome::kDone || record.outcome == MoveOutcome::kSamePlace;
    if (through && old > 0) return "called done, though a member did not move";
  }
  return disturbed > 1 ? "more moves at once than the limit" : "";
}

std::string Unfinished(const ModelWorld& world) {
  for (const ModelGang& gang : world.gangs) {
    if (!gang.exists) continue;
    const MoveRecord record = RecordOf(gang);
    if (record.open()) return "a trigger that was recorded was forgotten";
    if (gang.finished) continue;
    if ((gang.suspended || !gang.active) && !gang.edited) return "stopped and left";
    if (gang.suspended || !gang.active) continue;
    const auto running = std::ranges::count_if(
        gang.pods, [](const ModelPod& pod) { return pod.phase == PodPhase::kRunning; });
    if (running != gang.size) return "the gang is not whole";
    const auto old = std::ranges::count_if(
        gang.pods, [](const ModelPod& pod) { return pod.generation == 0 && Alive(pod); });
    if (old != 0 && gang.evicted_old > 0) return "part of the gang moved and left";
  }
  return "";
}

}  // namespace fairlead::extender
