#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

#include "extender/link/link_aggregate.h"

namespace fairlead::extender {
namespace {

// What one probing node says about the link, by the path it says it of.
struct NodeVerdict {
  std::string_view node;
  const PathReport* path = nullptr;
  LinkState state() const { return path->state; }
};

// Where no node judges the line, the report that says what keeps them, or null: samples that come
// in say more than none.
const PathReport* WhatIsMissing(const std::vector<FreshPath>& paths) {
  const FreshPath* told = nullptr;
  const auto rank = [](const FreshPath& fresh) {
    return std::tuple(fresh.report->reason == LinkReason::kNoData, *fresh.node,
                      fresh.report->peer_node, fresh.report->path);
  };
  for (const FreshPath& fresh : paths) {
    if (fresh.of_bad_node) continue;
    if (told == nullptr || rank(fresh) < rank(*told)) told = &fresh;
  }
  return told == nullptr ? nullptr : told->report;
}

std::vector<NodeVerdict> VerdictsByNode(const std::vector<FreshPath>& paths) {
  std::map<std::string_view, std::map<std::string_view, const PathReport*>> worst;
  for (const FreshPath& fresh : paths) {
    if (fresh.of_bad_node || fresh.report->state == LinkState::kUnknown) continue;
    const PathReport*& kept = worst[*fresh.node][fresh.report->peer_node];
    if (kept == nullptr || fresh.report->state > kept->state) kept = fresh.report;
  }
  std::vector<NodeVerdict> verdicts;
  for (const auto& [node, by_peer] : worst) {
    std::vector<const PathReport*> peers;
    for (const auto& [peer, path] : by_peer) peers.push_back(path);
    std::ranges::stable_sort(peers, {}, &PathReport::state);
    verdicts.push_back({node, peers[(peers.size() - 1) / 2]});
  }
  return verdicts;
}

// The worst state that at least `needed` nodes see or exceed.
LinkState AgreedState(const std::vector<NodeVerdict>& verdicts, std::size_t needed) {
  std::vector<LinkState> states;
  for (const NodeVerdict& verdict : verdicts) states.push_back(verdict.state());
  std::ranges::sort(states, std::ranges::greater{});
  const LinkState worst = states.front();
  const LinkState agreed = states[std::min(needed, states.size()) - 1];
  const bool enough = states.size() >= needed;
  if (enough && agreed >= LinkState::kSuspect) return agreed;
  // Too few for a sentence, but not nothing.
  return worst >= LinkState::kSuspect ? LinkState::kSuspect : LinkState::kHealthy;
}

// The speaker of the reason most nodes give; of equals the first by name.
const PathReport& Speaker(const std::vector<NodeVerdict>& verdicts, LinkState at_least) {
  std::map<LinkReason, std::size_t> votes;
  for (const NodeVerdict& verdict : verdicts) {
    if (verdict.state() >= at_least) ++votes[verdict.path->reason];
  }
  const NodeVerdict* chosen = nullptr;
  for (const NodeVerdict& verdict : verdicts) {
    if (verdict.state() < at_least) continue;
    if (chosen == nullptr || votes[verdict.path->reason] > votes[chosen->path->reason]) {
      chosen = &verdict;
    }
  }
  return *chosen->path;
}

}  // namespace

void JudgeByQuorum(const std::vector<FreshPath>& paths, LinkView& view) {
  const std::vector<NodeVerdict> verdicts = VerdictsByNode(paths);
  view.probers = static_cast<std::uint32_t>(verdicts.size());
  view.agreeing = 0;
  view.state = LinkState::kUnknown;
  view.reason = LinkReason::kNoData;
  view.evidence.clear();
  if (verdicts.empty()) {
    if (const PathReport* told = WhatIsMissing(paths)) {
      view.reason = told->reason;
      view.evidence = told->evidence;
    }
    return;
  }
  view.state = AgreedState(verdicts, std::max<std::size_t>(view.quorum, 1));
  const PathReport& speaker = Speaker(verdicts, view.state);
  view.reason = speaker.reason;
  view.evidence = speaker.evidence;
  for (const NodeVerdict& verdict : verdicts) {
    if (verdict.state() >= view.state) ++view.agreeing;
  }
  if (speaker.state > view.state) {
    view.evidence += (view.evidence.empty() ? "" : "; ") + std::string("seen ") +
                     std::string(LinkStateName(speaker.state)) + " by fewer than the " +
                     std::to_string(view.quorum) + " probing nodes needed";
  } else if (verdicts.size() > 1) {
    view.evidence += (view.evidence.empty() ? "" : "; ") + std::to_string(view.agreeing) + " of " +
                     std::to_string(view.probers) + " probing nodes agree";
  }
}

}  // namespace fairlead::extender
