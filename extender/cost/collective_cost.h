// Predicted communication time of a gang on a placement: the hierarchical alpha-beta model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "extender/cost/communication_profile.h"
#include "extender/cost/line_matrix.h"

namespace fairlead::extender {

// A line, as indices into the matrix; both the same for a site's inside.
struct LineIndex {
  std::size_t a = 0;
  std::size_t b = 0;
  bool operator==(const LineIndex&) const = default;
};

// The prediction and the numbers behind it, in seconds a step.
struct CostBreakdown {
  double seconds = 0;            // latency + bandwidth
  double latency_seconds = 0;    // the alpha terms
  double bandwidth_seconds = 0;  // the beta terms
  double exposed_seconds = 0;    // what 0.65 of the compute time cannot hide
  double uncertainty_ratio = 0;  // relative, of `seconds`
  std::uint32_t sites_used = 0;
  std::uint32_t members = 0;
  std::vector<std::size_t> order;     // sites in use, as the ring, chain or trees go through them
  std::vector<LineIndex> lines;       // inter-site lines in use, in that order
  std::optional<LineIndex> dominant;  // the inter-site line with the largest share
  LineBasis weakest_basis = LineBasis::kMeasured;  // of the inter-site lines in use
};

// `members_per_site[i]` members at matrix site i; zero where none. Fewer than two members cost 0.
// Formulas (S bytes, p members, k sites in use; Thakur, Rabenseifner and Gropp 2005):
//   allreduce    2 (p-1)/p x (sum of alpha over the ring's p edges + S / B_min)
//   hierarchical 2 (r-1)/r x (r alpha_in + S / B_in) in the site of r members that takes longest,
//                then 2 (k-1)/k x (sum of alpha over the ring of sites + S / B_min) between sites
//   tree         2 x (alpha_in log2 r of the deepest site + sum of alpha from the deepest site to
//   the
//                root, the deeper tree) + 2 S / B_min; Sanders, Speck and Traff 2009
//   pipeline     2 x sum of alpha over the chain's p-1 edges + S / B_min
//   localsgd     hierarchical / sync_every
// A tree pair over the sites' chain order is NCCL's (src/graph/trees.cc): the second one mirrors or
// shifts the first, so that no site is inside both.
// The ring or chain of sites is the one of least alpha + (S/k)/B: exact to 10 sites, beyond that
// nearest neighbour improved by 2-opt. It costs more than all the rest; `known_order` is the order
// of an earlier breakdown with the same profile, lines and sites in use, or KnownOrders', and null
// where none is known or OrderDependsOnMembers.
CostBreakdown PredictCost(const CommunicationProfile& profile, const LineMatrix& lines,
                          const std::vector<std::uint32_t>& members_per_site,
                          const std::vector<std::size_t>* known_order = nullptr);

// Whether the order of sites depends on how many members each of them has: as many edges move in
// lock-step as the emptiest site has members.
bool OrderDependsOnMembers(CommPattern pattern);

}  // namespace fairlead::extender
