#include "extender/decision/decider.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "extender/gang/pod_wishes.h"
#include "extender/placement/line_occupancy.h"
#include "extender/placement/site_filter.h"
#include "extender/placement/site_score.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kHcaResource = "rdma/hca";
constexpr Nanoseconds kOccupancyAge = Seconds(1);

std::uint32_t HcasOf(const PodFacts& pod) {
  const auto request = pod.requests.find(kHcaResource);
  if (request == pod.requests.end()) return 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(request->second, UINT32_MAX));
}

}  // namespace

// One question while it is answered.
struct Decider::Case {
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const LinkSnapshot> links;
  MonotonicTime now{};
  const PodFacts& pod;
  std::span<const OfferedNode> nodes;
  std::optional<Gang> gang;
  PlacementRequest request;
  std::vector<std::string_view> sites;  // distinct, of the offered nodes
  std::vector<std::uint32_t> site_of;   // parallel to nodes: index into sites, or kNoSite
  std::vector<std::uint32_t> node_of;   // parallel to nodes: index in the inventory, or kUnknown
  std::vector<std::uint32_t> offered;   // parallel to sites
  DecisionRecord record;

  static constexpr std::uint32_t kNoSite = UINT32_MAX;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  void FindSites() {
    const Inventory& inventory = setup->inventory;
    site_of.reserve(nodes.size());
    node_of.reserve(nodes.size());
    for (const OfferedNode& node : nodes) {
      const auto known = inventory.Find(node.name);
      node_of.push_back(known.value_or(kUnknown));
      const std::string_view site =
          known ? std::string_view(inventory.sites()[inventory.nodes()[*known].site]) : node.site;
      site_of.push_back(site.empty() ? kNoSite : IndexOf(site));
      if (site.empty()) {
        ++record.nodes_without_site;
      } else {
        ++offered[site_of.back()];
      }
    }
  }

  // Few sites: a linear search beats hashing.
  std::uint32_t IndexOf(std::string_view site) {
    const auto found = std::find(sites.begin(), sites.end(), site);
    if (found != sites.end()) return static_cast<std::uint32_t>(found - sites.begin());
    sites.push_back(site);
    offered.push_back(0);
    return static_cast<std::uint32_t>(sites.size() - 1);
  }
};

Decider::Decider(const Snapshot<Setup>& setup, const Snapshot<LinkSnapshot>& links,
                 const Clock& clock, DecisionLog& log)
    : setup_(setup), links_(links), clock_(clock), log_(log) {}

Decider::Case Decider::Open(std::string_view verb, const PodFacts& pod,
                            std::span<const OfferedNode> nodes) {
  Case question{.setup = setup_.Get(),
                .links = links_.Get(),
                .now = clock_.Now(),
                .pod = pod,
                .nodes = nodes,
                .gang = RecogniseGang(pod),
                .request = {},
                .sites = {},
                .site_of = {},
                .node_of = {},
                .offered = {},
                .record = {}};
  assumed_.set_ttl(question.setup->gang_ttl);
  assumed_.Expire(question.now);
  reservations_.Expire(question.setup->gang_ttl, question.now);
  question.FindSites();

  PodWishes wishes = ReadWishes(pod);
  PlacementRequest& request = question.request;
  request.profile = wishes.profile;
  request.limits = wishes.limits;
  request.candidate_sites.assign(question.sites.begin(), question.sites.end());
  if (question.gang) {
    request.has_gang = true;
    std::uint32_t placed = 0;
    std::set<std::string, std::less<>> counted;
    // What the scheduler says it has placed, in this round or before, is surer than what is
    // assumed.
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (question.site_of[i] == Case::kNoSite) continue;
      for (const std::string_view peer : nodes[i].peers) {
        if (peer == pod.uid || !counted.emplace(peer).second) continue;
        ++request.members[std::string(question.sites[question.site_of[i]])];
        ++placed;
      }
    }
    for (const AssumedPod& member : assumed_.Members(question.gang->key, pod.uid, question.now)) {
      const std::string_view site = question.setup->inventory.SiteOf(member.node);
      if (site.empty() || counted.contains(member.uid)) continue;
      ++request.members[std::string(site)];
      ++placed;
    }
    const std::uint32_t size = question.gang->size.value_or(0);
    request.remaining = size > placed ? size - placed : 1;
    request.free_members = FreeMembers(question);
    request.occupancy = OthersOccupancy(question);
    question.record.gang = question.gang->key.Text();
    question.record.gang_size = question.gang->size;
  }
  DecisionRecord& record = question.record;
  record.at = clock_.WallNow();
  record.verb = verb;
  record.pod = pod.namespace_name + "/" + pod.name;
  record.uid = pod.uid;
  record.members = request.members;
  record.offered_nodes = static_cast<std::uint32_t>(nodes.size());
  record.notes = std::move(wishes.errors);
  return question;
}

SiteCounts Decider::FreeMembers(const Case& question) const {
  const std::uint32_t each = HcasOf(question.pod);
  if (each == 0) return {};  // what bounds such pods is not known here
  const Inventory& inventory = question.setup->inventory;
  std::vector<std::uint32_t> fit(inventory.sites().size());
  for (const InventoryNode& node : inventory.nodes()) fit[node.site] += node.hcas / each;
  for (const auto& [name, taken] : reservations_.Taken(question.pod.uid)) {
    const auto found = inventory.Find(name);
    if (!found) continue;
    const InventoryNode& node = inventory.nodes()[*found];
    fit[node.site] -= node.hcas / each - (node.hcas - std::min(node.hcas, taken)) / each;
  }
  SiteCounts free;
  for (std::size_t i = 0; i < fit.size(); ++i) free.emplace(inventory.sites()[i], fit[i]);
  return free;
}

LineOccupancy Decider::OthersOccupancy(const Case& question) {
  if (question.now - spanning_at_ >= kOccupancyAge) {
    spanning_at_ = question.now;
    spanning_.clear();
    std::map<GangKey, SiteCounts> gangs;
    for (const AssumedPod& pod : assumed_.All(question.now)) {
      const std::string_view site = question.setup->inventory.SiteOf(pod.node);
      if (!site.empty()) ++gangs[pod.gang][std::string(site)];
    }
    for (auto& [key, sites] : gangs) {
      if (sites.size() > 1) spanning_.emplace_back(key, std::move(sites));
    }
  }
  std::vector<SiteCounts> others;
  for (const auto& [key, sites] : spanning_) {
    if (key != question.gang->key) others.push_back(sites);
  }
  return CountCrossings(others);
}

void Decider::Assume(Case& question, std::string_view node) {
  if (!question.gang || node.empty()) return;
  assumed_.Assume(question.pod.uid, question.gang->key, node, question.now);
  reservations_.Reserve(question.pod.uid, node, HcasOf(question.pod), question.now);
  question.record.assumed_node = node;
}

// The scheduler chooses among equals by its own rules. We believe in a node with room, and among
// those in the one of highest hash with the pod, so that members spread and a repeated question
// has the same answer.
std::string_view Decider::BestNode(const Case& question, const std::vector<double>& scores) const {
  const std::uint32_t each = HcasOf(question.pod);
  const Inventory& inventory = question.setup->inventory;
  const auto taken = reservations_.Taken(question.pod.uid);
  const std::size_t seed = std::hash<std::string>{}(question.pod.uid);
  std::optional<std::tuple<double, bool, std::size_t>> best_rank;
  std::string_view best;
  for (std::size_t i = 0; i < question.nodes.size(); ++i) {
    if (question.site_of[i] == Case::kNoSite) continue;
    if (best_rank && scores[i] < std::get<0>(*best_rank)) continue;
    const std::string_view name = question.nodes[i].name;
    const std::uint32_t node = question.node_of[i];
    const auto reserved = taken.find(name);
    const std::uint64_t needed =
        std::uint64_t{each} + (reserved == taken.end() ? 0 : reserved->second);
    const IdleCapacity* const idle = question.nodes[i].idle;
    const bool room = idle != nullptr
                          ? idle->Of(kHcaResource) >= each
                          : node != Case::kUnknown && inventory.nodes()[node].hcas >= needed;
    const std::size_t own = node == Case::kUnknown ? 0 : inventory.nodes()[node].hash;
    const std::size_t hash = (own ^ seed) * 0x9e3779b97f4a7c15U;  // Fibonacci hashing
    const std::tuple rank{scores[i], room, hash};
    if (best_rank && rank <= *best_rank) continue;
    best_rank = rank;
    best = name;
  }
  return best;
}

std::vector<double> Decider::Prioritize(const PodFacts& pod, std::span<const OfferedNode> nodes,
                                        ScoreScale scale) {
  const auto scaled = [&scale](double points) {
    return scale.whole ? std::round(points * scale.factor) : points * scale.factor;
  };
  std::unique_lock lock(mutex_);
  Case question = Open("prioritize", pod, nodes);
  std::vector<SiteScore> scored =
      ScoreSites(question.request, *question.links, question.setup->lines);
  std::vector<double> by_site(question.sites.size(), scaled(kNeutralScore));
  for (SiteScore& site : scored) {
    const auto at = std::find(question.sites.begin(), question.sites.end(), site.site);
    if (at == question.sites.end()) continue;
    const auto index = static_cast<std::size_t>(at - question.sites.begin());
    by_site[index] = scaled(site.score);
    question.record.sites.push_back({.site = site.site,
                                     .offered_nodes = question.offered[index],
                                     .score = site.rounded,
                                     .refused = false,
                                     .seconds = site.seconds,
                                     .placement = std::move(site.placement),
                                     .sentence = std::move(site.explanation)});
  }
  std::vector<double> scores;
  scores.reserve(nodes.size());
  for (const std::uint32_t site : question.site_of) {
    scores.push_back(site == Case::kNoSite ? scaled(kNeutralScore) : by_site[site]);
  }
  Assume(question, BestNode(question, scores));
  lock.unlock();
  log_.Add(std::move(question.record));
  return scores;
}

FilterDecision Decider::Filter(const PodFacts& pod, std::span<const OfferedNode> nodes,
                               FilterAsk ask) {
  std::unique_lock lock(mutex_);
  Case question = Open("filter", pod, nodes);
  const std::vector<SiteRefusal> refusals = FilterSites(question.request, *question.links);
  const bool fail_open = WholeClusterDown(question);
  std::vector<std::uint32_t> by_site(question.sites.size());
  FilterDecision decision;
  bool spared = false;
  for (const SiteRefusal& refusal : refusals) {
    const auto at = std::find(question.sites.begin(), question.sites.end(), refusal.site);
    if (at == question.sites.end()) continue;
    const auto index = static_cast<std::size_t>(at - question.sites.begin());
    const bool let_through = fail_open && refusal.cause == RefusalCause::kLineDown;
    spared = spared || let_through;
    question.record.sites.push_back({.site = refusal.site,
                                     .offered_nodes = question.offered[index],
                                     .score = std::nullopt,
                                     .refused = !let_through,
                                     .seconds = std::nullopt,
                                     .placement = {},
                                     .sentence = refusal.reason});
    if (let_through) continue;
    decision.sentences.push_back("fairlead: site " + refusal.site + ": " + refusal.reason);
    by_site[index] = static_cast<std::uint32_t>(decision.sentences.size());
  }
  if (spared) {
    question.record.notes.push_back(
        "no site with room would be left in the cluster, so lines that are Down refuse nothing");
  }
  std::string_view only;
  std::size_t fitting = 0;
  decision.why_not.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t site = question.site_of[i];
    decision.why_not.push_back(site == Case::kNoSite ? 0 : by_site[site]);
    if (decision.why_not.back() != 0) continue;
    only = nodes[i].name;
    ++fitting;
  }
  // The scheduler skips prioritize when a single node is left.
  if (fitting == 1 && ask == FilterAsk::kAllNodes) Assume(question, only);
  lock.unlock();
  if (ask == FilterAsk::kEachNode && fitting == nodes.size()) return decision;
  log_.Add(std::move(question.record));
  return decision;
}

// Judged by the inventory, never by what one request happens to offer.
bool Decider::WholeClusterDown(const Case& question) const {
  PlacementRequest everywhere = question.request;
  everywhere.candidate_sites.clear();
  for (const std::string& site : question.setup->inventory.sites()) {
    const auto free = everywhere.free_members.find(site);
    const bool room = free == everywhere.free_members.end() || free->second > 0;
    if (room) everywhere.candidate_sites.push_back(site);
  }
  if (everywhere.candidate_sites.empty()) return false;
  return FilterSites(everywhere, *question.links).size() == everywhere.candidate_sites.size();
}

}  // namespace fairlead::extender
