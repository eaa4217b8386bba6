#include "extender/http/volcano_answer.h"

#include <cstddef>

#include "extender/http/json_text.h"

namespace fairlead::extender {
namespace {

// UnschedulableAndUnresolvable: evicting others does not mend a line.
constexpr int kUnresolvable = 3;

void Close(std::string& out, std::string_view warning) {
  if (!warning.empty()) {
    out += ",\"warning\":";
    AppendJsonAscii(out, warning);
  }
  out += '}';
}

int StatusOf(EnqueueVote vote) {
  switch (vote) {
    case EnqueueVote::kAbstain:
      return 0;
    case EnqueueVote::kReject:
      return -1;
  }
  return 0;
}

}  // namespace

std::string WriteNodeScores(const std::vector<OfferedNode>& nodes,
                            const std::vector<double>& scores, std::string_view warning) {
  std::string out;
  std::size_t size = 64 + warning.size();
  for (const OfferedNode& node : nodes) size += node.name.size() + 24;
  out.reserve(size);
  out += "{\"nodeScore\":{";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i != 0) out += ',';
    AppendJsonString(out, nodes[i].name);
    out += ':';
    AppendJsonNumber(out, scores[i]);
  }
  out += "},\"errorMessage\":\"\"";
  Close(out, warning);
  return out;
}

std::string WritePredicate(std::string_view refusal, std::string_view warning) {
  std::string out = "{\"status\":";
  AppendJsonAscii(out, refusal);
  out += ",\"code\":";
  AppendJsonInteger(out, refusal.empty() ? 0 : kUnresolvable);
  Close(out, warning);
  return out;
}

std::string WriteEnqueueVote(EnqueueVote vote, std::string_view warning) {
  std::string out = "{\"status\":";
  AppendJsonInteger(out, StatusOf(vote));
  Close(out, warning);
  return out;
}

}  // namespace fairlead::extender
