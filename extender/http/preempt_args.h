// The request that kube-scheduler sends to preemptVerb, decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "extender/http/decode_fault.h"

namespace fairlead::extender {

// Pods that would be evicted from one node. Views point into the body or into the reader.
struct NodeVictims {
  std::string_view node;
  std::vector<std::string_view> pod_uids;  // in the order of the request
  std::int64_t pdb_violations = 0;
};

// Reads ExtenderPreemptionArgs in both forms: NodeNameToMetaVictims, which holds UIDs, and
// NodeNameToVictims, which holds whole Pods. kube-scheduler sends one of them; of both, a node in
// the first is taken from there. Lenient like ExtenderArgsReader. Not thread-safe.
class PreemptArgsReader {
 public:
  PreemptArgsReader();
  ~PreemptArgsReader();

  // What is returned is valid until the next call, and as long as the body, which needs
  // kBodyPadding readable bytes behind it.
  tl::expected<const std::vector<NodeVictims>*, DecodeFault> Read(std::string_view body);
  std::size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
