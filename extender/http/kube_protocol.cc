#include "extender/http/kube_protocol.h"

#include <utility>

#include "extender/http/kube_answer.h"

namespace fairlead::extender {

KubeProtocol::KubeProtocol(Decider& decider, const Snapshot<Setup>& setup,
                           std::function<void(std::string_view)> on_fault)
    : decider_(decider), setup_(setup), on_fault_(std::move(on_fault)) {}

HttpAnswer KubeProtocol::Filter(std::string_view body) {
  return Answer(body, ExtenderArgsReader::Echo::kYes,
                [this](const ExtenderArgs& args, const Setup&) {
                  return WriteFilterResult(args, decider_.Filter(args.pod, args.nodes));
                });
}

HttpAnswer KubeProtocol::Prioritize(std::string_view body) {
  return Answer(
      body, ExtenderArgsReader::Echo::kNo, [this](const ExtenderArgs& args, const Setup& setup) {
        const ScoreScale scale{.factor = static_cast<double>(setup.fine_scale), .whole = true};
        return WriteHostPriorityList(args, decider_.Prioritize(args.pod, args.nodes, scale));
      });
}

HttpAnswer KubeProtocol::Preempt(std::string_view body) {
  auto reader = preempt_readers_.Take();
  HttpAnswer answer;
  if (const auto victims = reader->Read(body)) {
    answer.body = WritePreemptionResult(**victims);
  } else {
    answer = Refuse(victims.error());
  }
  preempt_readers_.Return(std::move(reader));
  return answer;
}

template <class Write>
HttpAnswer KubeProtocol::Answer(std::string_view body, ExtenderArgsReader::Echo echo, Write write) {
  auto reader = readers_.Take();
  const auto setup = setup_.Get();
  HttpAnswer answer;
  if (const auto args = reader->Read(body, setup->site_label, echo)) {
    answer.body = write(**args, *setup);
  } else {
    answer = Refuse(args.error());
  }
  readers_.Return(std::move(reader));
  return answer;
}

HttpAnswer KubeProtocol::Refuse(const DecodeFault& fault) const {
  on_fault_(fault.reason);
  return ErrorAnswer(400, fault.message);
}

}  // namespace fairlead::extender
