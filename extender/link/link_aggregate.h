// Many paths between two sites become one view.
#pragma once

#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/link/link_view.h"
#include "extender/link/path_report.h"

namespace fairlead::extender {

// A fresh path with who reported it. Pointers outlive the call they are passed to.
struct FreshPath {
  const std::string* node = nullptr;
  const PathReport* report = nullptr;
  Nanoseconds age{};         // since it was received
  bool of_bad_node = false;  // prober or peer is a bad node: listed, but not counted
};

// Fills values, rung, counts, age and contributors of `view` from `paths`, as LinkView documents.
void AggregateValues(const std::vector<FreshPath>& paths, LinkView& view);

// Fills state, reason, evidence, agreeing and probers from `paths` and view.quorum.
//
// A node's verdict is the lower median over its peers of the worst of its paths to a peer, so one
// bad peer of several does not condemn the line. The link has the worst state that at least
// `quorum` nodes see or exceed. A bad state seen by fewer is kSuspect, with what that node says.
// Verdicts of every rung count: each is judged against its own baseline. Unknown is no verdict.
void JudgeByQuorum(const std::vector<FreshPath>& paths, LinkView& view);

}  // namespace fairlead::extender
