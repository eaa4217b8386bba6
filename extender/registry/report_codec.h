// Reports from the wire become plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extender/cluster/node_names.h"
#include "extender/lease/lease.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/path_report.h"
#include "extender/registry/probe_identity.h"

namespace fairlead::v1 {
class Hello;
class ReportBatch;
}  // namespace fairlead::v1

namespace fairlead::extender {

// What could be read of a batch; what could not is told in `refused`, one by one.
struct DecodedBatch {
  PathReportBatch batch;
  std::vector<Refusal> refused;
  LeaseReport leases{};
};

ProbeIdentity DecodeHello(const v1::Hello& hello);

// `probe` is the proven sender: a report says nothing about other nodes' paths. The peer's site is
// the inventory's, whatever the probe says. Left out are paths to a peer that is not known, with a
// state, reason or rung that is not known, with loss bounds that are no ratios, or with a round
// trip below the fibre floor, and losses of ports that are impossible, told twice, or beyond 64 of
// a node. Loss ratios are computed anew from the counts.
DecodedBatch DecodeBatch(const v1::ReportBatch& wire, const ProbeIdentity& probe,
                         const NodeNames& inventory, const LineCatalogue& lines,
                         MonotonicTime received_at);

}  // namespace fairlead::extender
