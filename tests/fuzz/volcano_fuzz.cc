// Any bytes as a request of Volcano's, or as kube-scheduler's about preemption: never a crash or a
// hang, a refusal says why, and what is answered is JSON again and names only what was asked.
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/http_body.h"
#include "extender/http/kube_answer.h"
#include "extender/http/preempt_args.h"
#include "extender/http/volcano_answer.h"
#include "extender/http/volcano_request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace fairlead::extender;

void Require(bool condition) {
  if (!condition) std::abort();
}

void MustParse(const std::string& text) {
  simdjson::dom::parser parser;
  Require(parser.parse(text).error() == simdjson::SUCCESS);
}

void Volcano(std::string_view body) {
  VolcanoRequestReader reader;
  const auto request = reader.Read(body, "site");
  if (!request) {
    Require(!request.error().reason.empty() && !request.error().message.empty());
    MustParse(WriteNodeScores({}, {}, request.error().message));
    MustParse(WritePredicate({}, request.error().message));
    MustParse(WriteEnqueueVote(EnqueueVote::kReject, request.error().message));
    return;
  }
  std::set<std::string_view> names;
  for (const OfferedNode& node : (*request)->nodes) {
    Require(!node.name.empty() && names.insert(node.name).second);
    for (const std::string_view peer : node.peers) Require(!peer.empty());
    if (node.idle != nullptr) Require(node.idle->Of("rdma/hca") == node.idle->Of("rdma/hca"));
  }
  MustParse(WriteNodeScores((*request)->nodes, std::vector<double>(names.size(), 12.5), {}));
}

void Preempt(std::string_view body) {
  PreemptArgsReader reader;
  const auto victims = reader.Read(body);
  if (victims) {
    MustParse(WritePreemptionResult(**victims));
  } else {
    Require(!victims.error().reason.empty() && !victims.error().message.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A buffer of exactly this size, so that a read behind the padding is seen.
  std::vector<char> padded(size + fairlead::kBodyPadding);
  for (std::size_t i = 0; i < size; ++i) padded[i] = static_cast<char>(data[i]);
  const std::string_view body(padded.data(), size);
  Volcano(body);
  Preempt(body);
  return 0;
}
