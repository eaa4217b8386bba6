// Where the rest of a gang goes best.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "extender/cost/collective_cost.h"
#include "extender/cost/line_matrix.h"

namespace fairlead::extender {

// All vectors are indexed like the matrix.
struct CompletionRequest {
  CommunicationProfile profile;
  std::vector<std::uint32_t> members;       // placed already
  std::vector<std::uint32_t> free_members;  // further members that fit
  std::uint32_t remaining = 1;              // at least 1
};

struct Completion {
  CostBreakdown cost;
  std::vector<std::uint32_t> members;  // of the whole gang
};

// For each site with room: the cheapest placement of the gang with one of the remaining members
// there. Nothing for a site without room. When the gang does not fit as a whole, as many members as
// fit are placed.
std::vector<std::optional<Completion>> BestCompletions(const CompletionRequest& request,
                                                       const LineMatrix& lines);

}  // namespace fairlead::extender
