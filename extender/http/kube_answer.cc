#include "extender/http/kube_answer.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "extender/http/json_text.h"

namespace fairlead::extender {
namespace {

// Calls write(i) for each node for which wanted(i), with commas between.
template <class Wanted, class Write>
void AppendList(std::string& out, std::size_t count, Wanted wanted, Write write) {
  bool first = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!wanted(i)) continue;
    if (!first) out += ',';
    first = false;
    write(i);
  }
}

void AppendNode(std::string& out, const OfferedNode& node) {
  if (!node.raw.empty()) {
    out += node.raw;
    return;
  }
  out += "{\"metadata\":{\"name\":";
  AppendJsonString(out, node.name);
  out += "}}";
}

std::size_t AnswerSize(const ExtenderArgs& args) {
  std::size_t size = 256;
  for (const OfferedNode& node : args.nodes) size += node.name.size() + node.raw.size() + 32;
  return size;
}

}  // namespace

std::string WriteHostPriorityList(const ExtenderArgs& args, const std::vector<double>& scores) {
  std::string out;
  out.reserve(AnswerSize(args));
  out += '[';
  for (std::size_t i = 0; i < args.nodes.size(); ++i) {
    if (i != 0) out += ',';
    out += "{\"Host\":";
    AppendJsonString(out, args.nodes[i].name);
    out += ",\"Score\":";
    AppendJsonInteger(out, static_cast<std::int64_t>(scores[i]));
    out += '}';
  }
  out += ']';
  return out;
}

std::string WriteFilterResult(const ExtenderArgs& args, const FilterDecision& decision) {
  const std::vector<OfferedNode>& nodes = args.nodes;
  const auto fits = [&](std::size_t i) { return decision.why_not[i] == 0; };
  std::string out;
  out.reserve(AnswerSize(args));
  out += "{\"Nodes\":";
  if (args.has_nodes) {
    out += "{\"metadata\":";
    out += args.nodes_metadata.empty() ? std::string_view("{}") : args.nodes_metadata;
    out += ",\"items\":[";
    AppendList(out, nodes.size(), fits, [&](std::size_t i) { AppendNode(out, nodes[i]); });
    out += "]}";
  } else {
    out += "null";
  }
  out += ",\"NodeNames\":";
  if (args.has_node_names || !args.has_nodes) {
    out += '[';
    AppendList(out, nodes.size(), fits,
               [&](std::size_t i) { AppendJsonString(out, nodes[i].name); });
    out += ']';
  } else {
    out += "null";
  }
  const auto refusal = [&](std::size_t i) -> const NodeRefusal& {
    return decision.refusals[decision.why_not[i] - 1];
  };
  const auto append_refused = [&](bool final) {
    AppendList(
        out, nodes.size(), [&](std::size_t i) { return !fits(i) && refusal(i).final == final; },
        [&](std::size_t i) {
          AppendJsonString(out, nodes[i].name);
          out += ':';
          AppendJsonAscii(out, refusal(i).sentence);
        });
  };
  out += ",\"FailedNodes\":{";
  append_refused(false);
  out += "},\"FailedAndUnresolvableNodes\":{";
  append_refused(true);
  out += "},\"Error\":\"\"}";
  return out;
}

std::string WritePreemptionResult(const std::vector<NodeVictims>& nodes) {
  std::string out = "{\"NodeNameToMetaVictims\":{";
  const auto all = [](std::size_t) { return true; };
  AppendList(out, nodes.size(), all, [&](std::size_t i) {
    AppendJsonString(out, nodes[i].node);
    out += ":{\"Pods\":[";
    const std::vector<std::string_view>& uids = nodes[i].pod_uids;
    AppendList(out, uids.size(), all, [&](std::size_t pod) {
      out += "{\"UID\":";
      AppendJsonString(out, uids[pod]);
      out += '}';
    });
    out += "],\"NumPDBViolations\":";
    AppendJsonInteger(out, nodes[i].pdb_violations);
    out += '}';
  });
  out += "}}";
  return out;
}

}  // namespace fairlead::extender
