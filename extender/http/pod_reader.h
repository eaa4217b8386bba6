// A Pod in JSON becomes PodFacts.
#pragma once

#include <string_view>

#include "extender/gang/pod_facts.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// Reads what PodFacts holds and skips the rest. `limit` is the length of the document. On an
// error `where` names the field. Requests are those of extended resources: per resource the larger
// of the containers' sum and of any one init container; a limit counts where no request is given.
error_code ReadPod(od::value& pod, std::size_t limit, PodFacts& facts, std::string_view& where);

}  // namespace fairlead::extender::json
