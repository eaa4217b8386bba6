#include <string>

#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/idle_hcas.h"

namespace fairlead::deviceplugin {
namespace {

bool IsIdle(const HcaFacts& facts) {
  return facts.holders && !facts.holders->empty() && facts.queue_pairs && *facts.queue_pairs == 0;
}

std::string Names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

IdleHcas FindIdle(const NodeFacts& facts) {
  IdleHcas idle;
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    if (IsIdle(facts.hcas[i])) idle[facts.inventory.hcas[i].name] = *facts.hcas[i].holders;
  }
  return idle;
}

void MarkIdleBefore(const IdleHcas& before, NodeFacts& facts) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const auto found = before.find(facts.inventory.hcas[i].name);
    facts.hcas[i].idle_before =
        found != before.end() && IsIdle(facts.hcas[i]) && found->second == *facts.hcas[i].holders;
  }
}

void CheckTcpFallback(const NodeFacts& facts, Findings& out) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const HcaFacts& own = facts.hcas[i];
    const std::string& name = facts.inventory.hcas[i].name;
    if (!own.holders) {
      out.NotKnown(name, "who holds it: " + own.holders.why_not());
      continue;
    }
    if (own.holders->empty()) continue;
    if (!own.queue_pairs) {
      out.NotKnown(name, own.queue_pairs.why_not());
      continue;
    }
    if (!IsIdle(own)) {
      out.Fine();
      continue;
    }
    out.Add({.severity = own.idle_before ? CheckStatus::kWarning : CheckStatus::kNote,
             .subject = name,
             .what = own.idle_before
                         ? "A container has held the HCA for minutes and does not use it."
                         : "A container holds the HCA and does not use it now.",
             .evidence = "Held by " + Names(*own.holders) +
                         "; queue pairs of programs other than linkprobe: 0.",
             .why = "A job that has begun to communicate has queue pairs: it has fallen back to "
                    "TCP, or waits, or needs no HCA.",
             .remedy = "`NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET` in the job says why NET/IB is "
                       "not taken: no rdma-core in the image, NCCL_IB_DISABLE, memlock, the GID."});
  }
}

}  // namespace fairlead::deviceplugin
