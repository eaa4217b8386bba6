// The protocol of Volcano's extender plugin: a body in, a body out.
#pragma once

#include <functional>
#include <string_view>

#include "common/base/snapshot.h"
#include "extender/decision/decider.h"
#include "extender/decision/enqueue.h"
#include "extender/decision/setup.h"
#include "extender/http/http_answer.h"
#include "extender/http/reader_pool.h"
#include "extender/http/volcano_request.h"

namespace fairlead::extender {

// Answers `prioritize`, `predicate` and `jobEnqueueable`. A body that cannot be read is counted and
// answered as one about which nothing is known, with the reason as a warning: any other status than
// 200 leaves the task without a node, or blocks the job. Thread-safe.
class VolcanoProtocol {
 public:
  // `on_fault` is told why a body could not be read, in one word and in a sentence.
  VolcanoProtocol(Decider& decider, EnqueueJudge& judge, const Snapshot<Setup>& setup,
                  std::function<void(const DecodeFault&)> on_fault);

  // PrioritizeResponse: every offered node once, with 0 to 100 times the setup's Volcano scale.
  HttpAnswer Prioritize(std::string_view body);
  // PredicateResponse: what Filter says of the one node.
  HttpAnswer Predicate(std::string_view body);
  // JobEnqueueableResponse: 0, or -1 for a job that no set of connected sites can hold. Never 1,
  // which would keep Volcano from asking the plugins of the tiers behind this one.
  HttpAnswer JobEnqueueable(std::string_view body);

 private:
  // The answer of write(request, setup, warning).
  template <class Write>
  HttpAnswer Answer(std::string_view body, Write write);

  Decider& decider_;
  EnqueueJudge& judge_;
  const Snapshot<Setup>& setup_;
  const std::function<void(const DecodeFault&)> on_fault_;
  ReaderPool<VolcanoRequestReader> readers_;
};

}  // namespace fairlead::extender
