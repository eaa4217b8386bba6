// The words in which a link's condition is told, shared by the probe that judges and the extender
// that acts.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace fairlead {

// Ordered by severity from kHealthy on; kUnknown is "no evidence", which is neutral.
enum class LinkState { kUnknown, kHealthy, kSuspect, kDegraded, kDown };

// Why a link has its state. "Forward" is from the prober's site to the peer's, "reverse" is back.
enum class LinkReason {
  kNone,
  kNoData,       // no probe is sent or answered
  kRttStep,      // p50 above the MAD band in m of n windows
  kRttDrift,     // slow rise against the frozen baseline
  kFluctuation,  // delay variation grew, the median did not
  kLossForward,  // lower bound of the forward loss interval above the threshold
  kLossReverse,  // the same for the way back
  kLossBoth,     // both directions
  kNoReply,      // every probe unanswered
  kPeerRestart,  // the peer came back with a new epoch
  kReroute,      // path changed: a new floor with unchanged variation, or a new hop count
  kHostNoise,    // prober or responder delay explains it; the line is not judged
  kHoldDown,     // recovered, but waiting out the dwell time or the flap penalty
  kLearning,     // answers come in; not enough yet to judge by
};

// How a value was measured; a smaller rung is better evidence.
// kPromql is no probe's: something else measured it and a Prometheus told it.
enum class TransportRung { kRdmaUdHw, kRdmaUdSw, kUdpHw, kUdpSw, kTcp, kPromql };

inline constexpr std::array kAllLinkStates{LinkState::kUnknown, LinkState::kHealthy,
                                           LinkState::kSuspect, LinkState::kDegraded,
                                           LinkState::kDown};

// Stable words for metrics, JSON and people: "Degraded", "loss_forward", "rdma_ud_sw".
std::string_view LinkStateName(LinkState state);
std::string_view LinkReasonName(LinkReason reason);
std::string_view TransportRungName(TransportRung rung);

// The inverse of the above; nothing for an unknown word.
std::optional<LinkState> ParseLinkState(std::string_view name);
std::optional<LinkReason> ParseLinkReason(std::string_view name);
std::optional<TransportRung> ParseTransportRung(std::string_view name);

}  // namespace fairlead
