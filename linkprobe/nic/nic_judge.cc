#include "linkprobe/nic/nic_judge.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/units/human.h"
#include "linkprobe/detect/evidence.h"
#include "linkprobe/nic/peer_evidence.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kFewestPeers = 2;
constexpr std::size_t kFewestExplanations = 2;
// A snapshot older than this comes from an engine that hangs.
constexpr Nanoseconds kSnapshotLife = Seconds(10);
// A probe that arrived within this time shows that the NIC receives.
constexpr Nanoseconds kReached = Seconds(10);

using Peers = std::vector<const PeerEvidence*>;

template <class Predicate>
Peers Those(const std::vector<PeerEvidence>& all, Predicate predicate) {
  Peers chosen;
  for (const PeerEvidence& peer : all) {
    if (predicate(peer)) chosen.push_back(&peer);
  }
  return chosen;
}

std::size_t InSite(const Peers& peers) {
  return static_cast<std::size_t>(
      std::count_if(peers.begin(), peers.end(), [](const auto* peer) { return peer->in_site; }));
}

bool AreMost(const Peers& failing, std::size_t all) {
  return failing.size() >= kFewestPeers && 4 * failing.size() >= 3 * all;
}

// What would have to be broken at the same time if the NIC were not.
std::size_t OtherExplanations(const Peers& failing) {
  std::set<std::string_view> sites;
  for (const PeerEvidence* peer : failing) {
    if (!peer->in_site) sites.insert(peer->site);
  }
  return InSite(failing) + sites.size();
}

const AnsweredSessionStatus* ReachedFromOutside(const EngineSnapshot& engine, const Peers& failing,
                                                MonotonicTime now) {
  for (const AnsweredSessionStatus& answered : engine.answered) {
    const bool fails = std::any_of(failing.begin(), failing.end(), [&](const auto* peer) {
      return peer->node == answered.peer_node;
    });
    if (!fails && answered.last_probe && now - *answered.last_probe <= kReached) return &answered;
  }
  return nullptr;
}

std::string Share(const Peers& failing, std::size_t all) {
  return std::to_string(failing.size()) + " of " + Counted(all, "peer", "peers") + " (" +
         std::to_string(InSite(failing)) + " in this site)";
}

std::string SilentText(const Peers& failing, std::size_t all) {
  const auto youngest =
      std::min_element(failing.begin(), failing.end(),
                       [](const auto* a, const auto* b) { return a->standing < b->standing; });
  return Share(failing, all) + " have answered no probe for " + InSeconds((*youngest)->standing) +
         " or longer, though each agreed to a session within " + InSeconds(kPeerIsThere);
}

std::string LossyText(const Peers& failing, std::size_t all) {
  const auto least =
      *std::min_element(failing.begin(), failing.end(),
                        [](const auto* a, const auto* b) { return a->loss.lower < b->loss.lower; });
  return Share(failing, all) + " lose probes, the least " + least->node + ": " +
         LossText(least->loss, least->direction);
}

bool All(const Peers& peers, PeerSign sign) {
  return std::all_of(peers.begin(), peers.end(), [&](const auto* p) { return p->sign == sign; });
}

std::string BadText(const Peers& failing, std::size_t all) {
  if (All(failing, PeerSign::kSilent)) return SilentText(failing, all);
  if (All(failing, PeerSign::kLossy)) return LossyText(failing, all);
  return Share(failing, all) + " fail, or recover and do not count as well yet";
}

// The peers that speak against the NIC. While it is not bad they must agree, for a NIC fails in one
// way; afterwards none of them has to be as bad as at first.
Peers Failing(const std::vector<PeerEvidence>& peers, bool was_bad) {
  if (was_bad) {
    return Those(peers, [](const PeerEvidence& peer) {
      return peer.sign == PeerSign::kSilent || peer.sign == PeerSign::kLossy ||
             peer.sign == PeerSign::kHeld;
    });
  }
  const auto of = [&](PeerSign sign) {
    return Those(peers, [sign](const PeerEvidence& peer) {
      return peer.sign == sign && peer.standing >= kFailingFor;
    });
  };
  Peers silent = of(PeerSign::kSilent);
  Peers lossy = of(PeerSign::kLossy);
  return silent.size() >= lossy.size() ? silent : lossy;
}

// Why the NIC is not bad; empty if it is.
std::string Doubt(const NicFacts& facts, const std::vector<PeerEvidence>& peers,
                  const Peers& failing, MonotonicTime now) {
  const std::string of_peers = Counted(peers.size(), "peer", "peers");
  const auto well = std::count_if(peers.begin(), peers.end(), [](const PeerEvidence& peer) {
    return peer.sign == PeerSign::kWell;
  });
  if (well > 0) return "well towards " + std::to_string(well) + " of " + of_peers;
  if (failing.empty()) return "of " + of_peers + " none speaks for or against it";
  const std::string unsure = "unsure: " + Share(failing, peers.size()) +
                             (All(failing, PeerSign::kSilent) ? " are silent" : " lose probes");
  if (!AreMost(failing, peers.size()) || InSite(failing) == 0 ||
      OtherExplanations(failing) < kFewestExplanations) {
    return unsure + "; that may be peers or lines";
  }
  const std::optional<Nanoseconds> late = facts.engine.lateness_p90;
  if (late && *late > facts.host_noise) {
    return unsure + ", but this host wakes " + DelayText(*late) + " late (limit " +
           DelayText(facts.host_noise) + ")";
  }
  if (!All(failing, PeerSign::kSilent)) return "";
  const auto* reached = ReachedFromOutside(facts.engine, failing, now);
  return reached == nullptr ? "" : unsure + ", but probes of " + reached->peer_node + " arrive";
}

}  // namespace

std::optional<NicOpinion> JudgeNic(const NicFacts& facts, const NicOpinion* before,
                                   MonotonicTime now) {
  const EngineSnapshot& engine = facts.engine;
  if (!engine.transport_up || !engine.nic || now - engine.at > kSnapshotLife) return std::nullopt;
  const bool was_bad = before != nullptr && before->bad && before->nic == *engine.nic;
  const std::vector<PeerEvidence> peers = GatherEvidence(engine, facts.site, now);
  const Peers failing = Failing(peers, was_bad);
  std::string doubt = Doubt(facts, peers, failing, now);
  const bool bad = doubt.empty();
  return NicOpinion{.nic = *engine.nic,
                    .bad = bad,
                    .sentence = bad ? BadText(failing, peers.size()) : std::move(doubt),
                    .at = engine.at,
                    .peers = static_cast<std::uint32_t>(peers.size()),
                    .failing = static_cast<std::uint32_t>(failing.size()),
                    .failing_in_site = static_cast<std::uint32_t>(InSite(failing))};
}

std::vector<NicOpinion> JudgeNics(std::span<const std::shared_ptr<const EngineSnapshot>> engines,
                                  std::string_view site, Nanoseconds host_noise,
                                  std::span<const NicOpinion> before, MonotonicTime now) {
  std::vector<NicOpinion> opinions;
  for (const auto& engine : engines) {
    const auto last = std::find_if(before.begin(), before.end(), [&](const NicOpinion& opinion) {
      return opinion.nic == engine->nic;
    });
    auto opinion = JudgeNic({.engine = *engine, .site = site, .host_noise = host_noise},
                            last == before.end() ? nullptr : &*last, now);
    if (opinion) opinions.push_back(*std::move(opinion));
  }
  return opinions;
}

}  // namespace fairlead::linkprobe
