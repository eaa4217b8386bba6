// What a node has left and what a member of a gang needs, as far as it decides what fits.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "extender/gang_plan/label_set.h"

namespace fairlead::extender {

// Quantities of what Kubernetes counts. What a map does not name is none.
struct Amounts {
  std::int64_t milli_cpu = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t ephemeral_storage_bytes = 0;
  // rdma/hca, nvidia.com/gpu, hugepages-2Mi, ...: whole units or bytes.
  std::map<std::string, std::int64_t, std::less<>> extended;

  auto operator<=>(const Amounts&) const = default;
};

enum class TaintEffect { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;

  auto operator<=>(const Taint&) const = default;
};

enum class TolerationOperator { kEqual, kExists, kLess, kGreater };

struct Toleration {
  std::string key;  // empty with kExists: every key
  TolerationOperator op = TolerationOperator::kEqual;
  std::string value;
  std::optional<TaintEffect> effect;  // absent: every effect

  auto operator<=>(const Toleration&) const = default;
};

enum class SelectorOperator { kIn, kNotIn, kExists, kDoesNotExist, kGreater, kLess };

struct SelectorExpression {
  std::string key;
  SelectorOperator op = SelectorOperator::kIn;
  std::vector<std::string> values;

  auto operator<=>(const SelectorExpression&) const = default;
};

// All of both lists must hold; with neither it holds for no node.
struct SelectorTerm {
  std::vector<SelectorExpression> labels;  // matchExpressions
  std::vector<SelectorExpression> fields;  // matchFields; metadata.name is the only one there is

  auto operator<=>(const SelectorTerm&) const = default;
};

struct NodeCapacity {
  std::string name;
  std::string site;       // empty: not known; holds nothing then
  Amounts free;           // allocatable without what pods on it request; may be negative
  std::int64_t pods = 0;  // places left
  // False where what the node has, or what a pod on it requests, cannot be read: nobody knows then
  // what is free, and it holds nothing.
  bool room_known = true;
  std::vector<Taint> taints;
  LabelSet labels;
  bool ready = true;        // holds nothing while it is not
  bool schedulable = true;  // false: spec.unschedulable
  bool has_member = false;  // of the gang in question; matters with one_per_host

  bool operator==(const NodeCapacity&) const = default;
};

struct PodNeeds {
  Amounts requests;
  // The first request that cannot be read: "cpu "much"". It is none of `requests`, so that nothing
  // can be said of where such a pod fits, and it fits nowhere. Empty: all of them could.
  std::string unreadable;
  std::vector<Toleration> tolerations;
  std::map<std::string, std::string, std::less<>> node_selector;
  // Required node affinity: one of the terms must hold. Absent: none is required.
  std::optional<std::vector<SelectorTerm>> node_affinity;
  bool one_per_host = false;  // required anti-affinity by hostname to the gang's own pods

  auto operator<=>(const PodNeeds&) const = default;
};

}  // namespace fairlead::extender
