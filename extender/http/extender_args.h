// The request that kube-scheduler sends to both verbs, decoded.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "extender/decision/offered_node.h"
#include "extender/gang/pod_facts.h"
#include "extender/http/decode_fault.h"

namespace fairlead::extender {

// Views point into the body or into the reader that decoded it.
struct ExtenderArgs {
  bool has_pod = false;
  PodFacts pod;
  bool has_node_names = false;      // the names form was used: NodeNames was not null
  bool has_nodes = false;           // the full form was used: Nodes was not null
  std::string_view nodes_metadata;  // ListMeta of the NodeList as it came; may be empty
  // Each name once, in the order of the request, without empty ones. kube-scheduler sends one form,
  // chosen by its nodeCacheCapable. With both given: the nodes of NodeNames, completed from Nodes,
  // and behind them those that only Nodes has.
  std::vector<OfferedNode> nodes;
};

// Reads bodies, one at a time; keep it to save memory allocations. Needs kBodyPadding readable
// bytes behind the body. Not thread-safe.
//
// Lenient as Go's encoding/json: keys in any case, unknown keys ignored, null for absent, of a
// repeated key the last value. Stricter in that invalid UTF-8 and bytes behind the value are
// refused. Values under unknown keys are skipped without being checked, to any depth and without
// recursion, but for what is to be echoed.
class ExtenderArgsReader {
 public:
  ExtenderArgsReader();
  ~ExtenderArgsReader();

  // Whether the answer repeats nodes and nodes_metadata as they came, which then must be valid JSON
  // in all their parts (JsonCheck).
  enum class Echo { kNo, kYes };

  // `site_label` is the node label that names the site. What is returned is valid until the next
  // call, and as long as the body.
  tl::expected<const ExtenderArgs*, DecodeFault> Read(std::string_view body,
                                                      std::string_view site_label,
                                                      Echo echo = Echo::kNo);

  // Bytes that the reader holds on to; a very large body makes it worth discarding.
  std::size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
