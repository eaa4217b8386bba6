#include "extender/cluster/gang_facts.h"

#include <utility>

namespace fairlead::extender {
namespace {

GangFacts::Change ChangeOf(const BatchJob& job) {
  GangFacts::Change change{.gangs = {job.Key()}, .namespace_name = {}};
  if (job.jobset) change.gangs.push_back(*job.jobset);
  return change;
}

}  // namespace

GangFacts::Change GangFacts::Upsert(PodGroup group) {
  const GangKey key = group.Key();
  PodGroup& known = groups_[key];
  if (known == group) return {};
  known = std::move(group);
  return {.gangs = {key}, .namespace_name = {}};
}

GangFacts::Change GangFacts::RemoveGroup(const GangKey& key) {
  if (groups_.erase(key) == 0) return {};
  return {.gangs = {key}, .namespace_name = {}};
}

std::vector<GangKey> GangFacts::Groups(PodGroupKind kind) const {
  std::vector<GangKey> keys;
  for (const auto& [key, group] : groups_) {
    if (group.kind == kind) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> GangFacts::Jobs() const {
  std::vector<std::string> uids;
  for (const auto& [uid, job] : jobs_) uids.push_back(uid);
  return uids;
}

GangFacts::Change GangFacts::Upsert(BatchJob job) {
  if (job.finished) return RemoveJob(job.uid);
  const auto found = jobs_.find(job.uid);
  if (found != jobs_.end() && found->second == job) return {};
  // As an owner it matters to gangs of other kinds, too.
  const bool owner_is_new = found == jobs_.end() || found->second.controller != job.controller ||
                            found->second.name != job.name || found->second.moves != job.moves;
  // The gangs it named before look different, too.
  Change change = RemoveJob(job.uid);
  for (GangKey& gang : ChangeOf(job).gangs) change.gangs.push_back(std::move(gang));
  if (owner_is_new) {
    change.namespace_name = job.namespace_name;
  } else {
    change.namespace_name.reset();
  }
  if (job.jobset) jobsets_[*job.jobset].insert(job.uid);
  std::string uid = job.uid;
  jobs_.emplace(std::move(uid), std::move(job));
  return change;
}

GangFacts::Change GangFacts::RemoveJob(std::string_view uid) {
  const auto found = jobs_.find(uid);
  if (found == jobs_.end()) return {};
  const BatchJob& job = found->second;
  Change change = ChangeOf(job);
  change.namespace_name = job.namespace_name;
  if (job.jobset) {
    const auto jobset = jobsets_.find(*job.jobset);
    jobset->second.erase(job.uid);
    if (jobset->second.empty()) jobsets_.erase(jobset);
  }
  jobs_.erase(found);
  return change;
}

const PodGroup* GangFacts::GroupOf(const GangKey& gang) const {
  const auto found = groups_.find({gang.kind, gang.namespace_name, gang.id, {}});
  return found == groups_.end() ? nullptr : &found->second;
}

const BatchJob* GangFacts::Job(std::string_view uid) const {
  const auto found = jobs_.find(uid);
  return found == jobs_.end() ? nullptr : &found->second;
}

std::vector<const BatchJob*> GangFacts::JobsOf(const GangKey& gang) const {
  std::vector<const BatchJob*> jobs;
  if (gang.kind == "job") {
    const BatchJob* const job = Job(gang.id);
    if (job != nullptr && job->namespace_name == gang.namespace_name) jobs.push_back(job);
  } else if (const auto found = jobsets_.find(gang); found != jobsets_.end()) {
    for (const std::string& uid : found->second) jobs.push_back(Job(uid));
  }
  return jobs;
}

GangOwners GangFacts::OwnersOf(const GangKey& gang, const OwnerFacts& controller) const {
  GangOwners owners;
  if (const PodGroup* const group = GroupOf(gang)) owners.pod_group = group->controller;
  if (const BatchJob* const job = Job(controller.uid);
      job != nullptr && job->namespace_name == gang.namespace_name) {
    owners.job_known = true;
    owners.job = job->controller;
  }
  return owners;
}

bool GangFacts::Tells(const GangKey& gang) const {
  return groups_.contains(gang) || !JobsOf(gang).empty();
}

}  // namespace fairlead::extender
