// The requests of Volcano's extender plugin, decoded.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "extender/decision/job_need.h"
#include "extender/decision/offered_node.h"
#include "extender/gang/pod_facts.h"
#include "extender/http/decode_fault.h"

namespace fairlead::extender {

// Views point into the body or into the reader that decoded it.
struct VolcanoRequest {
  PodFacts pod;  // of `task`
  // Of `nodes`, or the one of `node`: each name once, in the order of the request, without empty
  // ones. Peers are tasks of the same job that hold their place, where `task` comes before them.
  std::vector<OfferedNode> nodes;
  JobNeed job;  // of `job`
};

// Reads the bodies of the hooks prioritize, predicate and jobEnqueueable, one at a time. These are
// Volcano's internal structs, whose fields change from release to release: a field is found by its
// name, what is not known is skipped, and nothing is required. Of a Pod that is not there the
// task's own fields tell what they can. Lenient like ExtenderArgsReader. Not thread-safe.
class VolcanoRequestReader {
 public:
  VolcanoRequestReader();
  ~VolcanoRequestReader();

  // `site_label` is the node label that names the site. What is returned is valid until the next
  // call, and as long as the body, which needs kBodyPadding readable bytes behind it.
  tl::expected<const VolcanoRequest*, DecodeFault> Read(std::string_view body,
                                                        std::string_view site_label);
  std::size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
