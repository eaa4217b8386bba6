// Selectors in JSON: of nodes and of labels.
#pragma once

#include <cstddef>
#include <vector>

#include "common/json/json_cursor.h"
#include "extender/gang/pod_facts.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender::json {

// matchExpressions or matchFields. An expression whose operator is not known holds for nothing.
fairlead::json::error_code ReadExpressions(fairlead::json::od::value& list, std::size_t limit,
                                           std::vector<SelectorExpression>& expressions);

// Whether a LabelSelector selects these labels; an empty one selects all, null none.
fairlead::json::error_code ReadSelects(fairlead::json::od::value& selector, std::size_t limit,
                                       const StringMap& labels, bool& selects);

}  // namespace fairlead::extender::json
