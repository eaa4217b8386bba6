#include "common/link/link_state.h"

#include <cstddef>

namespace fairlead {
namespace {

constexpr std::array<std::string_view, 5> kStateNames{"Unknown", "Healthy", "Suspect", "Degraded",
                                                      "Down"};
constexpr std::array<std::string_view, 14> kReasonNames{
    "none",         "no_data",      "rtt_step",  "rtt_drift", "fluctuation",
    "loss_forward", "loss_reverse", "loss_both", "no_reply",  "peer_restart",
    "reroute",      "host_noise",   "hold_down", "learning"};
constexpr std::array<std::string_view, 6> kRungNames{"rdma_ud_hw", "rdma_ud_sw", "udp_hw",
                                                     "udp_sw",     "tcp",        "promql"};

template <class Enum, std::size_t N>
std::optional<Enum> Find(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view LinkStateName(LinkState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}
std::string_view LinkReasonName(LinkReason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}
std::string_view TransportRungName(TransportRung rung) {
  return kRungNames[static_cast<std::size_t>(rung)];
}

std::optional<LinkState> ParseLinkState(std::string_view name) {
  return Find<LinkState>(kStateNames, name);
}
std::optional<LinkReason> ParseLinkReason(std::string_view name) {
  return Find<LinkReason>(kReasonNames, name);
}
std::optional<TransportRung> ParseTransportRung(std::string_view name) {
  return Find<TransportRung>(kRungNames, name);
}

}  // namespace fairlead
