// Volcano's hooks about which measured links say nothing.
#pragma once

#include <array>
#include <string_view>

namespace fairlead::extender {

struct VolcanoHook {
  std::string_view name;    // the verb, and the last part of the path
  std::string_view answer;  // that leaves the decision to Volcano's other plugins
  std::string_view cost;    // of having it called
};

// Each is answered without a look at its body. A status of 0 abstains; `victims` and `overused`
// would otherwise veto; jobReady is asked of all plugins, so that only true leaves it to the
// others.
inline constexpr std::array<VolcanoHook, 9> kSilentHooks{{
    {"onSessionOpen", "{}",
     "the whole cluster in one body, every pod about five times, each second"},
    {"onSessionClose", "{}", "a call at the end of each session"},
    {"preemptable", R"({"status":0,"victims":[]})",
     "every candidate victim with its Pod, each time"},
    {"reclaimable", R"({"status":0,"victims":[]})",
     "every candidate victim with its Pod, each time"},
    {"queueOverused", R"({"overused":false})", "a call for each queue in each session"},
    {"jobEnqueued", "{}", "each job with all its Pods"},
    {"jobReady", R"({"status":true})", "each job with all its Pods, for each of its tasks"},
    {"allocateFunc", R"({"errorMessage":""})", "each placed task with its Pod"},
    {"deallocateFunc", R"({"errorMessage":""})", "each withdrawn task with its Pod"},
}};

}  // namespace fairlead::extender
