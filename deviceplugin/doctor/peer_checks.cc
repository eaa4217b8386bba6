#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "deviceplugin/doctor/check_functions.h"

namespace fairlead::deviceplugin {
namespace {

// What a difference in one trait means.
struct Meaning {
  std::string_view trait;
  CheckStatus severity;
  std::string_view what;
  std::string_view why;
  std::string_view remedy;
};

constexpr std::string_view kMarked =
    "Switches and routers of the line queue RDMA by the class that they see: with another one its "
    "packets get neither the priority nor the PFC that the class stands for, and where the lower "
    "two bits are gone no congestion is ever told to the sender.";
constexpr std::string_view kKeepMarks =
    "Have every switch, router and the line's provider trust DSCP and leave it and the ECN bits as "
    "they are; `fairlead-linkprobe ping --traffic-class N` from several nodes finds the stretch.";

constexpr Meaning kMeanings[] = {
    {"roce_version", CheckStatus::kFault, "The ends speak different versions of RoCE.",
     "RoCE v1 is a protocol of Ethernet, v2 of UDP: neither takes the other's packets, so no "
     "connection comes about.",
     "Give both ends an address that makes a RoCE v2 GID; the check `gids` on both nodes says what "
     "each has."},
    {"gid_family", CheckStatus::kFault, "The ends have GIDs of different families.",
     "Packets travel in the family of the sender's GID, and none leads to an address of another "
     "one; NCCL_IB_ADDR_FAMILY, too, is one for all.",
     "Give both interfaces an address of the same family, or choose it by `gidAllow`, which both "
     "nodes must have alike."},
    {"path_mtu", CheckStatus::kWarning, "The ends have different path MTUs.",
     "NCCL takes the smaller for both, so the larger is of no use; a program that does not ask the "
     "peer loses every packet that is longer.",
     "Set the same MTU on both interfaces; the check `roce_mtu` on the node with the smaller one "
     "says how."},
    {"traffic_class", CheckStatus::kNote, "The ends send probes with different traffic classes.",
     "The two directions are queued apart, so what is measured is not what a job gets that marks "
     "both alike.",
     "Set `linkprobe.trafficClass` to the pool's class in the configuration of both nodes."},
    {"traffic_class_forward", CheckStatus::kWarning,
     "Packets from here arrive with another traffic class.", kMarked, kKeepMarks},
    {"traffic_class_reverse", CheckStatus::kWarning,
     "Packets of a peer arrive here with another traffic class.", kMarked, kKeepMarks},
};

const Meaning* MeaningOf(std::string_view trait) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.trait == trait) return &meaning;
  }
  return nullptr;
}

// Peers that differ alike are one matter.
using Matter = std::tuple<std::string, std::string, std::string>;  // trait, here, there

std::string EvidenceOf(const Matter& matter, const std::string& peers) {
  const auto& [trait, here, there] = matter;
  if (trait == "traffic_class_forward") {
    return "Sent as " + here + ", arrives as " + there + " at " + peers + ".";
  }
  if (trait == "traffic_class_reverse") {
    return "Sent as " + there + " by " + peers + ", arrives as " + here + ".";
  }
  return "Here " + here + ", " + there + " at " + peers + ".";
}

}  // namespace

void CheckPeerEnds(const NodeFacts& facts, Findings& out) {
  if (facts.inventory.hcas.empty()) return;
  const auto& differences = facts.peer_differences;
  if (!differences) {
    out.NotKnown("", "what peers have: " + differences.why_not());
    return;
  }
  std::map<Matter, std::string> peers_of;
  for (const PeerDifference& difference : *differences) {
    std::string& peers = peers_of[{difference.trait, difference.here, difference.there}];
    peers += (peers.empty() ? "" : ", ") + difference.peer + " (" + difference.site + ")";
  }
  for (const auto& [matter, peers] : peers_of) {
    const Meaning* const meaning = MeaningOf(std::get<0>(matter));
    if (meaning == nullptr) continue;  // of a newer linkprobe
    out.Add({.severity = meaning->severity,
             .subject = "",
             .what = std::string(meaning->what),
             .evidence = EvidenceOf(matter, peers),
             .why = std::string(meaning->why),
             .remedy = std::string(meaning->remedy)});
  }
  if (peers_of.empty()) out.Fine();
}

}  // namespace fairlead::deviceplugin
