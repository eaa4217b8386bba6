#include "extender/cluster/gang_book.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "extender/cluster/gang_view.h"

namespace fairlead::extender {
namespace {

// As many pods as a Job runs at the same time; nothing where it runs none.
std::uint64_t AtOnce(const BatchJob& job) {
  const std::uint32_t parallelism = job.parallelism.value_or(1);
  return std::min(parallelism, job.completions.value_or(parallelism));
}

// What PodGroup or Jobs tell.
void TakeFacts(const GangFacts& facts, GangView& view) {
  const std::vector<const BatchJob*> jobs = facts.JobsOf(view.key);
  std::uint64_t size = 0;
  for (const BatchJob* const job : jobs) {
    size += AtOnce(*job);
    view.suspended |= job->suspended;
    view.succeeded += job->succeeded.value_or(0);
    if (view.key.kind != "job") continue;
    view.of_known_job = true;
    view.controller = job->controller;
  }
  if (size > 0) view.size_source = SizeSource::kJob;
  std::string told = jobs.size() > 1 ? "its Jobs run " : "its Job runs ";
  if (const PodGroup* const group = facts.GroupOf(view.key)) {
    view.controller = group->controller;
    if (group->min_members.value_or(0) > 0) {
      size = *group->min_members;
      view.size_source = SizeSource::kPodGroup;
      told = "its PodGroup asks for ";
    }
  }
  if (size > kMostGangMembers) {
    view.size_source = SizeSource::kNone;
    view.size_fault = told + std::to_string(size) + " pods at once";
  } else if (size > 0) {
    view.size = static_cast<std::uint32_t>(size);
  }
}

// A Job as an owner refers to it.
GangOwner OwnerOf(const BatchJob& job) {
  return {.object = {.kind = "Job",
                     .name = job.name,
                     .uid = job.uid,
                     .controller = true,
                     .api_version = "batch/v1"},
          .moves = job.moves,
          .followed = true};
}

// A member's controller has one of its own where it is a Job that something else made.
GangOwner OwnerOf(const GangFacts& facts, const GangKey& key, const OwnerFacts& controller) {
  const BatchJob* const job = facts.Job(controller.uid);
  if (job == nullptr || job->namespace_name != key.namespace_name) return {controller, {}, false};
  return job->controller.uid.empty() ? OwnerOf(*job) : GangOwner{job->controller, {}, false};
}

// Of a gang without members, as while its Jobs are suspended: what its Jobs have in common.
GangOwner OwnerOfJobs(const GangFacts& facts, const GangKey& key) {
  GangOwner owner;
  bool first = true;
  for (const BatchJob* const job : facts.JobsOf(key)) {
    GangOwner of_job =
        job->controller.uid.empty() ? OwnerOf(*job) : GangOwner{job->controller, {}, false};
    if (!std::exchange(first, false) && of_job != owner) return {};
    owner = std::move(of_job);
  }
  return owner;
}

// What its members have in common.
class Gathered {
 public:
  Gathered(const GangFacts& facts, GangView& view) : facts_(facts), view_(view) {}

  void Take(const Member& member) {
    if (!view_.wishes) {
      view_.wishes = member.wishes;
    } else if (member.wishes && member.wishes != view_.wishes && member.wishes != last_) {
      view_.wishes = std::make_shared<const MoveWishes>(Joined(*view_.wishes, *member.wishes));
    }
    last_ = member.wishes;
    if (!controller_) {
      view_.owner = OwnerOf(facts_, view_.key, *member.controller);
    } else if (controller_ != member.controller &&
               OwnerOf(facts_, view_.key, *member.controller) != view_.owner) {
      one_owner_ = false;
    }
    controller_ = member.controller;
    if (member.node.empty() || !member.ready) return;
    ++view_.ready;
    if (!member.ready_since) {
      told_since_ = false;
    } else if (!view_.running_since || *view_.running_since < *member.ready_since) {
      view_.running_since = member.ready_since;
    }
  }
  void End() {
    if (!controller_) view_.owner = OwnerOfJobs(facts_, view_.key);
    if (!one_owner_) view_.owner = {};
    const bool all = view_.ready == view_.bound.size() && view_.pending == 0;
    if (!all || !told_since_) view_.running_since.reset();
  }

 private:
  const GangFacts& facts_;
  GangView& view_;
  std::shared_ptr<const MoveWishes> last_;
  std::shared_ptr<const OwnerFacts> controller_;
  bool one_owner_ = true;
  bool told_since_ = true;
};

}  // namespace

void GangBook::Add(const Member& member) {
  Entry& entry = entries_[*member.gang];
  entry.members.emplace(member.uid, &member);
  entry.view = nullptr;
  dirty_ = true;
}

void GangBook::Remove(const Member& member) {
  const auto found = entries_.find(*member.gang);
  found->second.members.erase(member.uid);
  NoteGang(*member.gang);
}

// An entry stays as long as it has members or something tells of it.
void GangBook::NoteGang(const GangKey& key) {
  const auto found = entries_.find(key);
  const bool tells = facts_.Tells(key);
  dirty_ = true;
  if (found == entries_.end()) {
    if (tells) entries_.try_emplace(key);
  } else if (found->second.members.empty() && !tells) {
    entries_.erase(found);
  } else {
    found->second.view = nullptr;
  }
}

void GangBook::Note(const GangFacts::Change& change) {
  for (const GangKey& gang : change.gangs) {
    NoteGang(gang);
    auto entry = entries_.lower_bound({gang.kind, gang.namespace_name, gang.id, {}});
    for (; entry != entries_.end(); ++entry) {
      const GangKey& key = entry->first;
      const bool same = key.kind == gang.kind && key.namespace_name == gang.namespace_name;
      if (!same || key.id != gang.id) break;
      entry->second.view = nullptr;
    }
  }
  if (change.namespace_name) judge_anew_.insert(*change.namespace_name);
}

void GangBook::SitesChanged() {
  for (auto& [key, entry] : entries_) entry.view = nullptr;
  dirty_ |= !entries_.empty();
}

// Claims of a Job's pods are judged by the Job's owner.
void GangBook::JudgeNamespaces() {
  if (judge_anew_.empty()) return;
  for (auto& [key, entry] : entries_) {
    if (key.kind != "job" && judge_anew_.contains(key.namespace_name)) entry.view = nullptr;
  }
  judge_anew_.clear();
}

GangView GangBook::ViewOf(const GangKey& key, const Entry& entry, const SiteOf& site_of) const {
  GangView view;
  view.key = key;
  TakeFacts(facts_, view);
  std::uint32_t said = 0;
  const Member* bound = nullptr;
  const Member* pending = nullptr;
  Gathered gathered(facts_, view);
  for (const auto& [uid, member] : entry.members) {
    const std::string fault =
        MembershipFault(key, *member->controller, facts_.OwnersOf(key, *member->controller));
    if (!fault.empty()) {
      if (view.strangers++ == 0) view.stranger = member->name + " " + fault;
      continue;
    }
    if (member->terminating) {
      ++view.terminating;
      continue;
    }
    said = std::max(said, member->size.value_or(0));
    gathered.Take(*member);
    const Member*& seen = member->node.empty() ? pending : bound;
    if (seen == nullptr || !seen->needs->unreadable.empty()) seen = member;
    if (member->node.empty()) {
      ++view.pending;
    } else {
      view.bound.push_back({.uid = member->uid,
                            .site = std::string(site_of(member->node)),
                            .node = member->node,
                            .rank = member->rank});
    }
  }
  gathered.End();
  const bool unreadable = pending != nullptr && !pending->needs->unreadable.empty();
  if (pending == nullptr || (unreadable && bound != nullptr)) pending = bound;
  if (pending != nullptr) view.needs = pending->needs;
  if (!view.size && said > 0) {
    view.size = said;
    view.size_source = SizeSource::kPod;
  }
  if (view.size) {
    const auto seen = static_cast<std::uint32_t>(view.bound.size()) + view.pending;
    view.size = std::max(*view.size, seen);
  }
  return view;
}

void GangBook::Publish(ClusterView::Parts& parts, const SiteOf& site_of) {
  if (!std::exchange(dirty_, false)) return;
  JudgeNamespaces();
  ClusterView::Gangs gangs;
  gangs.reserve(entries_.size());
  for (auto& [key, entry] : entries_) {
    if (!entry.view) entry.view = std::make_shared<const GangView>(ViewOf(key, entry, site_of));
    gangs.push_back(entry.view);
  }
  parts.gangs = std::make_shared<const ClusterView::Gangs>(std::move(gangs));
}

}  // namespace fairlead::extender
