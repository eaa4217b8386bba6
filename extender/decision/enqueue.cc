#include "extender/decision/enqueue.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "extender/placement/connected_room.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostTold = 1000;

std::string Hcas(std::uint64_t count) { return std::to_string(count) + " rdma/hca"; }

std::string Named(const std::vector<std::string>& sites) {
  std::string names;
  for (const std::string& site : sites) names += (names.empty() ? "" : ", ") + site;
  return names;
}

struct Judgement {
  EnqueueVote vote = EnqueueVote::kAbstain;
  std::string sentence;
};

Judgement JudgeNeed(const JobNeed& job, const ClusterView& cluster, const LinkSnapshot& links) {
  if (!job.hcas) return {EnqueueVote::kAbstain, "abstains: how many rdma/hca it needs is not told"};
  const std::string needs = "needs " + Hcas(*job.hcas) + " at once";
  if (*job.hcas == 0) return {EnqueueVote::kAbstain, "abstains: it " + needs};
  if (cluster.nodes().empty()) {
    return {EnqueueVote::kAbstain, "abstains: it " + needs + ", and no node is known"};
  }
  std::map<std::string, std::uint64_t> by_site;
  std::uint64_t all = 0;
  std::string_view unread;  // a node that may have more than is known
  for (std::uint32_t i = 0; i < cluster.nodes().size(); ++i) {
    if (!cluster.facts(i).unreadable.empty()) unread = cluster.nodes()[i].name;
    const auto& resources = cluster.facts(i).allocatable.extended;
    const auto hcas = resources.find("rdma/hca");
    const std::string& site = cluster.nodes()[i].site;
    if (hcas == resources.end() || hcas->second <= 0 || site.empty()) continue;
    by_site[site] += static_cast<std::uint64_t>(hcas->second);
    all += static_cast<std::uint64_t>(hcas->second);
  }
  const ConnectedRoom room = LargestConnectedRoom(by_site, links);
  if (room.hcas >= *job.hcas) {
    return {EnqueueVote::kAbstain,
            "abstains: it " + needs + ", and " + Named(room.sites) + " have " + Hcas(room.hcas)};
  }
  if (!unread.empty()) {
    return {EnqueueVote::kAbstain, "abstains: it " + needs + ", and what node " +
                                       std::string(unread) + " has cannot be read"};
  }
  if (room.hcas == all) {
    return {EnqueueVote::kReject,
            "rejects: it " + needs + ", and all nodes together have " + std::to_string(all)};
  }
  return {EnqueueVote::kReject, "rejects: it " + needs +
                                    ", and the most that sites have which no line that is Down "
                                    "cuts off from each other is " +
                                    std::to_string(room.hcas) + ", in " + Named(room.sites)};
}

}  // namespace

EnqueueJudge::EnqueueJudge(const Snapshot<ClusterView>& cluster,
                           const Snapshot<LinkSnapshot>& links, const Clock& clock,
                           DecisionLog& log)
    : cluster_(cluster), links_(links), clock_(clock), log_(log) {}

EnqueueVote EnqueueJudge::Judge(const JobNeed& job) {
  Judgement judgement = JudgeNeed(job, *cluster_.Get(), *links_.Get());
  Record(job, std::move(judgement.sentence));
  return judgement.vote;
}

void EnqueueJudge::Record(const JobNeed& job, std::string sentence) {
  const std::string name = job.namespace_name + "/" + job.name;
  {
    std::lock_guard lock(mutex_);
    if (told_.size() >= kMostTold) told_.clear();
    std::string& before = told_[job.uid + " " + name];
    if (before == sentence) return;
    before = sentence;
  }
  DecisionRecord record;
  record.at = clock_.WallNow();
  record.verb = "jobEnqueueable";
  record.pod = name;
  record.uid = job.uid;
  record.gang = name;
  record.gang_size = job.members;
  record.notes.push_back(std::move(sentence));
  log_.Add(std::move(record));
}

}  // namespace fairlead::extender
