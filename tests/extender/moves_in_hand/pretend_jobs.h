// Jobs of two pods as the API server, their controller and the watch would have them, and rounds
// that decide about them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "extender/moves_in_hand/moves_in_hand.h"
#include "tests/extender/migration_round/cluster_of_gangs.h"

namespace fairlead::extender {

struct PretendJob {
  std::string record;
  std::uint32_t revision = 1;
  bool suspended = false;
  bool exists = true;
  bool finished = false;
  std::vector<PodState> pods;
  std::vector<ApiCall> done;  // calls that changed it
};

class PretendJobs {
 public:
  explicit PretendJobs(const std::vector<std::string>& names) {
    std::size_t number = 1;
    for (const std::string& name : names) {
      PretendJob& job = jobs[name];
      for (const std::string site : {"hk", "sg"}) {
        job.pods.push_back({.name = name + site, .uid = name + site, .site = site, .ready = true});
      }
      cluster_.AddJob(name, {"hk" + std::to_string(number), "sg" + std::to_string(number)});
      ++number;
    }
  }

  static GangKey Key(const std::string& name) { return {"job", "ml", "uid-" + name, {}}; }
  PretendJob& Of(const GangKey& gang) { return jobs.at(gang.id.substr(4)); }

  // What the watch shows from now on.
  void Show(const std::string& name) {
    const PretendJob& job = jobs.at(name);
    BatchJob shown;
    shown.namespace_name = "ml";
    shown.name = name;
    shown.uid = "uid-" + name;
    shown.parallelism = 2;
    shown.suspended = job.suspended;
    shown.moves = RecordedMoves(job.record);
    cluster_.state.Upsert(std::move(shown));
  }
  std::shared_ptr<const ClusterView> View() {
    return std::make_shared<const ClusterView>(cluster_.state.Publish({}));
  }

  MoveFacts Facts(const GangKey& gang) {
    const PretendJob& job = Of(gang);
    MoveFacts facts;
    facts.owner = {.exists = job.exists,
                   .resource_version = std::to_string(job.revision),
                   .record = job.record,
                   .deleting = false,
                   .finished = job.finished,
                   .suspended = job.suspended};
    facts.pods = job.pods;
    facts.size = 2;
    return facts;
  }

  CallOutcome Do(const GangKey& gang, const ApiCall& call) {
    PretendJob& job = Of(gang);
    if (call.kind == CallKind::kWriteRecord || call.kind == CallKind::kSetSuspend) {
      if (call.resource_version != std::to_string(job.revision)) {
        return {.result = CallResult::kConflict};
      }
      job.record = call.record;
      if (call.kind == CallKind::kSetSuspend) job.suspended = call.value;
      ++job.revision;
    }
    for (PodState& pod : job.pods) {
      if (pod.uid != call.uid) continue;
      if (call.kind == CallKind::kAskCheckpoint) pod.asked_checkpoint = call.text;
      if (call.kind == CallKind::kEvictPod) pod.terminating = true;
    }
    job.done.push_back(call);
    return {};
  }

  // The controller and the scheduler: what is suspended ends, what is not runs in tyo.
  void Control() {
    for (auto& [name, job] : jobs) {
      if (job.suspended) {
        job.pods.clear();
      } else if (job.pods.empty()) {
        for (const std::string index : {"0", "1"}) {
          job.pods.push_back(
              {.name = name + index, .uid = name + "new" + index, .site = "tyo", .ready = true});
        }
      }
    }
  }

  MoveRecord Record(const std::string& name) {
    return ReadMoves(jobs.at(name).record).value().current;
  }

  std::map<std::string, PretendJob> jobs;

 private:
  ClusterOfGangs cluster_;
};

// A round that decides so about each gang.
inline MigrationReport RoundAbout(std::uint64_t number, MonotonicTime at,
                                  const std::vector<std::pair<GangKey, MigrationReason>>& gangs) {
  MigrationReport report;
  report.decided = true;
  report.at = at;
  report.leading = true;
  report.cluster_fresh = true;
  report.rounds = number;
  for (const auto& [key, reason] : gangs) {
    GangReport gang;
    gang.gang.key = key;
    gang.gang.members = {{"hk", 1}, {"sg", 1}};
    gang.verdict.gang = key;
    gang.verdict.reason = reason;
    gang.verdict.sentence = "because";
    gang.verdict.to = Place{.members = {{"tyo", 2}}, .step_seconds = 1, .lines = {}};
    gang.verdict.leaves = {{"hk", "sg"}};
    report.gangs.push_back(std::move(gang));
  }
  return report;
}

}  // namespace fairlead::extender
