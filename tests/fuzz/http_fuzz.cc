// Any bytes as a scheduler's request: never a crash or a hang, a refusal says why, and what is
// answered is JSON again.
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/http_body.h"
#include "extender/http/extender_args.h"
#include "extender/http/http_answer.h"
#include "extender/http/kube_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace fairlead::extender;

void MustParse(const std::string& text) {
  simdjson::dom::parser parser;
  if (parser.parse(text).error() != simdjson::SUCCESS) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A buffer of exactly this size, so that a read behind the padding is seen.
  std::vector<char> padded(size + fairlead::kBodyPadding);
  for (std::size_t i = 0; i < size; ++i) padded[i] = static_cast<char>(data[i]);
  ExtenderArgsReader reader;
  const auto args = reader.Read(std::string_view(padded.data(), size), "site");
  if (!args) {
    if (args.error().reason.empty() || args.error().message.empty()) std::abort();
    MustParse(ErrorAnswer(400, args.error().message).body);
    return 0;
  }
  const std::vector<OfferedNode>& nodes = (*args)->nodes;
  MustParse(WriteHostPriorityList(**args, std::vector<double>(nodes.size(), 5)));
  // A Node is echoed as it came, and what is skipped in it is not checked.
  if (!(*args)->has_nodes) {
    FilterDecision decision{.why_not = {}, .refusals = {{"why"}}};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      decision.why_not.push_back(static_cast<std::uint32_t>(i % 2));
    }
    MustParse(WriteFilterResult(**args, decision));
  }
  return 0;
}
