#include <algorithm>
#include <string>

#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/port_view.h"
#include "deviceplugin/profile/allocated_port.h"

namespace fairlead::deviceplugin {
namespace {

std::string EntryText(const GidEntry& entry) {
  return "GID " + std::to_string(entry.index) + ": " + HumanGid(entry.gid) + ", " +
         std::string(GidTypeName(entry.type)) + ".";
}

std::string TableText(const HcaPort& port) {
  return std::to_string(port.gids.size()) + " of " + std::to_string(port.gid_table_length) +
         " entries of the GID table are in use, none of them usable.";
}

// A table of which a part could not be read may hold what is missing.
bool TableWasRead(const PortView& view) {
  const auto& problems = view.hca->problems;
  return view.port->gid_table_length > 0 &&
         std::none_of(problems.begin(), problems.end(), [](const std::string& problem) {
           return problem.find("/gid") != std::string::npos;
         });
}

Finding NoGid(const PortView& view) {
  return {.severity = CheckStatus::kFault,
          .subject = view.Subject(),
          .what = "No GID can be used, so nothing can connect over this port.",
          .evidence = TableText(*view.port),
          .why =
              "A RoCE connection has the GID for an address; NCCL takes index 0 without a word "
              "and then fails.",
          .remedy = "`ip addr add ADDRESS/LENGTH dev " + view.Interface() +
                    "` and `ip link set dev " + view.Interface() +
                    " up`; `fairlead-deviceplugin list` says of each GID why it is not used."};
}

Finding OnlyV1(const PortView& view, const GidEntry& best) {
  return {.severity = CheckStatus::kFault,
          .subject = view.Subject(),
          .what = "The best GID is RoCE v1, which no router forwards.",
          .evidence = EntryText(best),
          .why =
              "RoCE v1 is an Ethernet frame without IP: it ends at the first router, so no other "
              "site can be reached.",
          .remedy =
              "Use an HCA or driver with RoCE v2 (the types are in "
              "`/sys/class/infiniband/" +
              view.hca->name + "/ports/" + std::to_string(view.port->number) +
              "/gid_attrs/types/`); on ConnectX-3 load mlx4_core with roce_mode=2."};
}

Finding OnlyLinkLocal(const PortView& view, const GidEntry& best) {
  return {.severity = CheckStatus::kWarning,
          .subject = view.Subject(),
          .what = "The best GID is a link-local address.",
          .evidence = EntryText(best),
          .why = "It does not leave its network segment, so no other site can be reached.",
          .remedy = "`ip addr add ADDRESS/LENGTH dev " + view.Interface() + "`"};
}

}  // namespace

void CheckGids(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : RocePorts(facts)) {
    const GidEntry* const best = BestGid(*view.port);
    const RankedGid* const verdict = BestVerdict(*view.port);
    if ((best == nullptr || verdict == nullptr) && !TableWasRead(view)) {
      out.NotKnown(view.Subject(), "its GID table could not be read");
    } else if (best == nullptr || verdict == nullptr) {
      out.Add(NoGid(view));
    } else if (best->type != GidType::kRoceV2) {
      out.Add(OnlyV1(view, *best));
    } else if (verdict->warning) {
      out.Add(OnlyLinkLocal(view, *best));
    } else {
      out.Fine();
    }
  }
}

}  // namespace fairlead::deviceplugin
