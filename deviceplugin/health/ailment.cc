#include "deviceplugin/health/ailment.h"

#include <algorithm>

namespace fairlead::deviceplugin {
namespace {

// How near a port is to carrying traffic; the nearest one's ailment is the device's.
enum class Step { kLinkDown, kPortDown, kNoGid, kUnreadable, kCarries };

// No port is ever in the state NOP (InfiniBand specification, PortInfo: it is for setting only).
bool StateIsKnown(const HcaPort& port) { return port.state != PortState::kNop; }

// A table has room even where it has no entry.
bool TableIsKnown(const HcaPort& port) { return port.gid_table_length > 0 || !port.gids.empty(); }

bool HasUsableGid(const HcaPort& port) {
  return std::any_of(port.ranked.begin(), port.ranked.end(),
                     [](const RankedGid& gid) { return gid.usable; });
}

// Drivers that have no physical state to tell report none; only a state that says otherwise counts.
bool LinkIsUp(const HcaPort& port) {
  return port.physical_state == PhysicalState::kLinkUp ||
         port.physical_state == PhysicalState::kUnknown;
}

// InfiniBand routes by LID, EFA by an address of its own; only on RoCE does a QP need a GID that an
// IP address stands behind.
bool NeedsGid(RdmaProtocol protocol) { return protocol == RdmaProtocol::kRoce; }

Step StepOf(const HcaPort& port, RdmaProtocol protocol) {
  if (!LinkIsUp(port)) return Step::kLinkDown;
  if (StateIsKnown(port) && port.state != PortState::kActive) return Step::kPortDown;
  if (NeedsGid(protocol) && !HasUsableGid(port)) {
    return TableIsKnown(port) ? Step::kNoGid : Step::kUnreadable;
  }
  return StateIsKnown(port) ? Step::kCarries : Step::kUnreadable;
}

Ailment Describe(const HcaPort& port, Step step) {
  const std::string where = "port " + std::to_string(port.number);
  switch (step) {
    case Step::kLinkDown:
      return {"link_down", where + " has no link: its physical state is " +
                               std::string(PhysicalStateName(port.physical_state))};
    case Step::kPortDown:
      return {"port_down", where + " is " + std::string(PortStateName(port.state))};
    case Step::kNoGid:
      return {"no_gid", where + (StateIsKnown(port) ? " is active but" : " may be active, but") +
                            " none of its " + std::to_string(port.gids.size()) +
                            " GIDs can be used; give its netdev an address"};
    case Step::kUnreadable:
      return {"unreadable",
              "the " + std::string(StateIsKnown(port) ? "GID table" : "state") + " of " + where +
                  " cannot be read",
              false};
    case Step::kCarries:
      break;
  }
  return {};
}

bool AnotherPortCarries(const Hca& hca, std::uint32_t than) {
  return than != 0 && std::any_of(hca.ports.begin(), hca.ports.end(), [&](const HcaPort& port) {
           return port.number != than && StepOf(port, hca.protocol) == Step::kCarries;
         });
}

}  // namespace

std::optional<bool> CarriesTraffic(const HcaPort& port, RdmaProtocol protocol) {
  const Step step = StepOf(port, protocol);
  if (step == Step::kUnreadable) return std::nullopt;
  return step == Step::kCarries;
}

std::optional<Ailment> AilmentOf(const Hca& hca, std::span<const NicVerdict> verdicts,
                                 MonotonicTime now) {
  if (hca.ports.empty()) return Ailment{"no_port", "no port of it could be read"};
  const auto nearest =
      std::max_element(hca.ports.begin(), hca.ports.end(), [&](const HcaPort& a, const HcaPort& b) {
        return StepOf(a, hca.protocol) < StepOf(b, hca.protocol);
      });
  const Step step = StepOf(*nearest, hca.protocol);
  if (step < Step::kUnreadable) return Describe(*nearest, step);
  for (const NicVerdict& verdict : verdicts) {
    if (verdict.device == hca.name && verdict.bad && now - verdict.at <= kNicVerdictLife &&
        !AnotherPortCarries(hca, verdict.port)) {
      return Ailment{"probe_verdict", "linkprobe: " + verdict.sentence};
    }
  }
  if (step == Step::kUnreadable) return Describe(*nearest, step);
  return std::nullopt;
}

}  // namespace fairlead::deviceplugin
