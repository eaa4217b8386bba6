// kube-scheduler's extender protocol, version v1: a body in, a body out.
#pragma once

#include <functional>
#include <string_view>

#include "common/base/snapshot.h"
#include "extender/decision/decider.h"
#include "extender/decision/setup.h"
#include "extender/http/extender_args.h"
#include "extender/http/http_answer.h"
#include "extender/http/preempt_args.h"
#include "extender/http/reader_pool.h"

namespace fairlead::extender {

// Answers `filter`, `prioritize` and `preempt`. A body that cannot be read gets 400 with the reason
// and is counted. Thread-safe.
class KubeProtocol {
 public:
  // `on_fault` is told why a body could not be read, in one word.
  KubeProtocol(Decider& decider, const Snapshot<Setup>& setup,
               std::function<void(std::string_view)> on_fault);

  // ExtenderFilterResult: the nodes that fit, in the form they were offered in, a full Node byte
  // for byte. kube-scheduler reads NodeNames where it is nodeCacheCapable, else Nodes; to a request
  // in both forms each form of the answer has every node that fits, under Nodes with its name alone
  // where the request had no more. The others under FailedAndUnresolvableNodes with the reason,
  // which preemption cannot mend.
  HttpAnswer Filter(std::string_view body);

  // HostPriorityList: every offered node once, with an integer from 0 to 10, times the setup's fine
  // scale.
  HttpAnswer Prioritize(std::string_view body);

  // ExtenderPreemptionResult: every node with all the victims that were offered. A site is not
  // better for what is evicted from it, so nothing is dropped.
  HttpAnswer Preempt(std::string_view body);

 private:
  template <class Write>
  HttpAnswer Answer(std::string_view body, ExtenderArgsReader::Echo echo, Write write);
  HttpAnswer Refuse(const DecodeFault& fault) const;

  Decider& decider_;
  const Snapshot<Setup>& setup_;
  const std::function<void(std::string_view)> on_fault_;
  ReaderPool<ExtenderArgsReader> readers_;
  ReaderPool<PreemptArgsReader> preempt_readers_;
};

}  // namespace fairlead::extender
