#include "extender/http/volcano_protocol.h"

#include <span>
#include <string>
#include <utility>

#include "extender/http/volcano_answer.h"

namespace fairlead::extender {
namespace {

// Volcano's own plugins give 0 to 100 where kube-scheduler takes 0 to 10 points.
constexpr double kPerPoint = 10;

}  // namespace

VolcanoProtocol::VolcanoProtocol(Decider& decider, EnqueueJudge& judge,
                                 const Snapshot<Setup>& setup,
                                 std::function<void(const DecodeFault&)> on_fault)
    : decider_(decider), judge_(judge), setup_(setup), on_fault_(std::move(on_fault)) {}

HttpAnswer VolcanoProtocol::Prioritize(std::string_view body) {
  return Answer(
      body, [this](const VolcanoRequest* request, const Setup& setup, std::string_view warning) {
        if (request == nullptr) return WriteNodeScores({}, {}, warning);
        const ScoreScale scale{.factor = kPerPoint * setup.volcano_scale, .whole = false};
        return WriteNodeScores(request->nodes,
                               decider_.Prioritize(request->pod, request->nodes, scale), warning);
      });
}

HttpAnswer VolcanoProtocol::Predicate(std::string_view body) {
  return Answer(
      body, [this](const VolcanoRequest* request, const Setup&, std::string_view warning) {
        if (request == nullptr || request->nodes.empty()) return WritePredicate({}, warning);
        const FilterDecision decision =
            decider_.Filter(request->pod, std::span(request->nodes).first(1), FilterAsk::kEachNode);
        const std::uint32_t why_not = decision.why_not[0];
        return WritePredicate(
            why_not == 0 ? std::string_view() : decision.refusals[why_not - 1].sentence, warning);
      });
}

HttpAnswer VolcanoProtocol::JobEnqueueable(std::string_view body) {
  return Answer(body,
                [this](const VolcanoRequest* request, const Setup&, std::string_view warning) {
                  const EnqueueVote vote =
                      request == nullptr ? EnqueueVote::kAbstain : judge_.Judge(request->job);
                  return WriteEnqueueVote(vote, warning);
                });
}

template <class Write>
HttpAnswer VolcanoProtocol::Answer(std::string_view body, Write write) {
  auto reader = readers_.Take();
  const auto setup = setup_.Get();
  HttpAnswer answer;
  if (const auto request = reader->Read(body, setup->site_label)) {
    answer.body = write(*request, *setup, {});
  } else {
    on_fault_(request.error());
    answer.body = write(nullptr, *setup, request.error().message);
  }
  readers_.Return(std::move(reader));
  return answer;
}

}  // namespace fairlead::extender
