#include "extender/decision/question.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/units/human.h"
#include "extender/cluster/quantity.h"
#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

// Few sites: a linear search beats hashing.
std::uint32_t PlaceOf(Question& question, std::string_view site) {
  if (const auto index = question.IndexOf(site)) return *index;
  question.sites.push_back(site);
  question.offered.push_back(0);
  return static_cast<std::uint32_t>(question.sites.size() - 1);
}

void FindSites(Question& question) {
  const ClusterView& cluster = *question.known.cluster;
  question.site_of.reserve(question.nodes.size());
  question.node_of.reserve(question.nodes.size());
  question.node_sites.reserve(question.nodes.size());
  for (const OfferedNode& node : question.nodes) {
    const auto place = cluster.Find(node.name);
    const std::string_view site =
        place ? std::string_view(cluster.nodes()[*place].site) : node.site;
    question.node_of.push_back(place.value_or(Question::kNone));
    question.node_sites.push_back(site);
    if (site.empty()) {
      question.site_of.push_back(Question::kNone);
      ++question.record.nodes_without_site;
    } else {
      question.site_of.push_back(PlaceOf(question, site));
      ++question.offered[question.site_of.back()];
    }
  }
}

// Why nothing can be said of the pod's gang; empty where it can.
std::string WhyNoOpinion(const Question& question) {
  const Knowledge& known = question.known;
  if (!known.leads) return "another replica leads, so there is no opinion here";
  if (known.setup->cluster_stale_after) {
    const auto age = known.cluster->Age(known.now);
    if (!age) return "the cluster's nodes and pods are not known yet, so there is no opinion";
    if (*age > *known.setup->cluster_stale_after) {
      return "the API server was last heard of " + HumanAge(*age) +
             " ago, so there is no opinion until it is back";
    }
  }
  const std::string fault = known.cluster->MembershipFaultOf(question.pod, question.gang->key);
  return fault.empty() ? fault : "the pod " + fault + ", so it is taken to be in no gang";
}

// What the scheduler says it has placed, in this round or before, may be newer than what the
// cluster shows.
void FindMembers(Question& question) {
  std::set<std::string_view> counted{question.pod.uid};
  for (std::size_t i = 0; i < question.nodes.size(); ++i) {
    for (const std::string_view peer : question.nodes[i].peers) {
      if (!counted.insert(peer).second || question.node_sites[i].empty()) continue;
      question.bound.push_back({.uid = std::string(peer),
                                .site = std::string(question.node_sites[i]),
                                .node = std::string(question.nodes[i].name),
                                .rank = std::nullopt});
    }
  }
  const GangView* const seen = question.known.cluster->FindGang(question.gang->key);
  if (seen == nullptr) return;
  for (const BoundMember& member : seen->bound) {
    if (counted.insert(member.uid).second && !member.site.empty()) question.bound.push_back(member);
  }
  if (!seen->needs) return;
  question.needs = *seen->needs;
  question.needs_known = true;
}

// Of an owner that the watch does not follow it is known to who carries out its moves.
RecordedMoves RecordOf(std::string_view owner_uid, const MovesReport* moves) {
  if (moves == nullptr || owner_uid.empty()) return {};
  const auto found = moves->records.find(std::string(owner_uid));
  return found == moves->records.end() ? RecordedMoves() : found->second;
}

// The first pod of a gang that is made anew may be asked about before the watch has shown any of
// them; where their owner controls them itself, the pod names it.
RecordedMoves RecordOf(const GangView* seen, const PodFacts& pod, const MovesReport* moves) {
  if (seen != nullptr && seen->owner.followed) return seen->owner.moves;
  if (seen != nullptr && !seen->owner.object.uid.empty()) {
    return moves == nullptr ? seen->owner.moves : RecordOf(seen->owner.object.uid, moves);
  }
  const auto owner = std::ranges::find(pod.owners, true, &OwnerFacts::controller);
  return owner == pod.owners.end() ? RecordedMoves() : RecordOf(owner->uid, moves);
}

// A record that cannot be read binds nothing.
void FindDestination(Question& question) {
  const Knowledge& known = question.known;
  const GangView* const seen = known.cluster->FindGang(question.gang->key);
  const RecordedMoves record = RecordOf(seen, question.pod, known.moves.get());
  const auto& moves = record.history();
  if (!moves || moves->current.number == 0) return;
  question.destination = DestinationOf(*moves, known.setup->moves, known.wall_now);
  if (!question.destination.binds) return;
  // A gang of which nothing else tells the size is as large as what was moved.
  if (!question.gang_size) {
    std::uint32_t size = 0;
    for (const auto& [site, members] : question.destination.to) size += members;
    question.gang_size = size;
    question.record.gang_size = size;
  }
  question.record.notes.push_back("move " + std::to_string(question.destination.move) +
                                  " of its gang is under way, to " +
                                  DescribePlacement(question.destination.to));
}

void AddFault(Question& question, std::string_view reason, std::string sentence) {
  question.record.notes.push_back(sentence);
  question.faults.push_back({.reason = reason, .sentence = std::move(sentence)});
}

// A size that is none is told, where nothing else tells one.
void TellSizeFault(Question& question) {
  const std::string fault = question.known.cluster->SizeFaultOf(*question.gang);
  if (fault.empty()) return;
  AddFault(question, "GangSizeIgnored",
           "the size of gang " + question.gang->key.Text() + " is not known: " + fault +
               ", and a gang has 1 to " + std::to_string(kMostGangMembers) +
               " members; until it is mended the gang is not planned as a whole");
}

// Where the cluster has not shown the pod yet, what its own request says.
PodNeeds NeedsOf(const PodFacts& pod) {
  PodNeeds needs;
  for (const auto& [resource, count] : pod.requests) {
    const auto most = static_cast<std::uint64_t>(kMostAmount);
    needs.requests.extended[resource] = static_cast<std::int64_t>(std::min(count, most));
  }
  return needs;
}

}  // namespace

std::optional<std::uint32_t> Question::IndexOf(std::string_view site) const {
  const auto found = std::ranges::find(sites, site);
  if (found == sites.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - sites.begin());
}

Question Ask(std::string_view verb, const PodFacts& pod, std::optional<Gang> gang,
             std::span<const OfferedNode> nodes, Knowledge known) {
  Question question{.known = std::move(known),
                    .pod = pod,
                    .nodes = nodes,
                    .gang = std::move(gang),
                    .gang_size = {},
                    .bound = {},
                    .destination = {},
                    .wishes = ReadWishes(pod),
                    .needs = NeedsOf(pod),
                    .needs_known = false,
                    .sites = {},
                    .site_of = {},
                    .node_of = {},
                    .offered = {},
                    .node_sites = {},
                    .faults = {},
                    .record = {}};
  DecisionRecord& record = question.record;
  record.at = question.known.wall_now;
  record.verb = verb;
  record.pod = pod.namespace_name + "/" + pod.name;
  record.uid = pod.uid;
  record.offered_nodes = static_cast<std::uint32_t>(nodes.size());
  for (const std::string& error : question.wishes.errors) {
    AddFault(question, "AnnotationIgnored", error);
  }
  FindSites(question);
  if (!question.gang) return question;
  record.gang = question.gang->key.Text();
  if (std::string why = WhyNoOpinion(question); !why.empty()) {
    record.notes.push_back(std::move(why));
    question.gang.reset();
    return question;
  }
  // Standalone no pod is ever shown, so the request is all that there will be.
  question.needs_known = !question.known.setup->cluster_stale_after.has_value();
  question.gang_size = question.known.cluster->SizeOf(*question.gang);
  record.gang_size = question.gang_size;
  FindMembers(question);
  FindDestination(question);
  if (!question.gang_size) TellSizeFault(question);
  const std::string& unreadable = question.pod.unreadable_request.empty()
                                      ? question.needs.unreadable
                                      : question.pod.unreadable_request;
  if (!unreadable.empty()) {
    AddFault(question, "RequestUnreadable",
             "the request " + unreadable +
                 " is no quantity, so it is not known where such pods fit and nothing is said; "
                 "write it as Kubernetes does: 2, 500m, 16Gi");
    question.gang.reset();
  }
  return question;
}

}  // namespace fairlead::extender
