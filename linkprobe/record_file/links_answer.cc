#include "linkprobe/record_file/links_answer.h"

#include <nlohmann/json.hpp>
#include <string>

#include "common/base/quote.h"
#include "linkprobe/record_file/json_fields.h"

namespace fairlead::linkprobe {
namespace {

using json = nlohmann::ordered_json;

WindowDirection ReadDirection(const json& from) {
  const Fields fields(from);
  return {.sent = fields.Count("sent"),
          .lost = fields.Count("lost"),
          .jitter = fields.DurationIfAny("jitter_seconds"),
          .delay_variation = fields.DurationIfAny("pdv_seconds")};
}

ToldTest ReadTest(const json& from) {
  const Fields fields(from);
  return {.source = fields.Text("source"),
          .bytes_per_second = fields.Number("bytes_per_second"),
          .age = fields.Duration("age_seconds"),
          .at_least = fields.Flag("at_least")};
}

ToldLink ReadLink(const json& from) {
  const Fields fields(from);
  ToldLink link;
  link.from = fields.Text("from");
  link.to = fields.Text("to");
  if (fields.Find("rung") != nullptr) {
    const std::string rung = fields.Text("rung");
    link.rung = ParseTransportRung(rung);
    if (!link.rung) throw Misread{"rung " + Quoted(rung) + " is not known"};
  }
  link.samples = fields.Count("samples");
  link.age = fields.DurationIfAny("age_seconds");
  const Fields rtt(fields.Need("rtt_seconds"));
  link.rtt_min = rtt.DurationIfAny("min");
  link.rtt_p50 = rtt.DurationIfAny("p50");
  link.rtt_p99 = rtt.DurationIfAny("p99");
  link.forward = ReadDirection(fields.Need("forward"));
  link.reverse = ReadDirection(fields.Need("reverse"));
  link.lost_unknown = fields.Count("lost_direction_unknown");
  link.tested = fields.Find("before_test_seconds") != nullptr;
  if (const json* tests = fields.Find("tests")) {
    if (!tests->is_array()) throw Misread{"tests is no array"};
    for (const json& test : *tests) link.tests.push_back(ReadTest(test));
  }
  return link;
}

}  // namespace

Result<std::vector<ToldLink>> ReadLinksAnswer(std::string_view body) {
  const json parsed = json::parse(body, nullptr, false);
  std::string where;
  try {
    if (parsed.is_discarded()) throw Misread{"is no JSON; is it an extender's httpListen?"};
    const Fields fields(parsed);
    if (const std::uint64_t version = fields.Count("version"); version != 1) {
      throw Misread{"version " + std::to_string(version) + " is not the 1 that is known here"};
    }
    const json& links = fields.Need("links");
    if (!links.is_array()) throw Misread{"links is no array"};
    std::vector<ToldLink> told;
    for (const json& link : links) {
      where = "links[" + std::to_string(told.size()) + "]: ";
      told.push_back(ReadLink(link));
    }
    return told;
  } catch (const Misread& misread) {
    return Fail(ErrorCode::kInvalidArgument, where + misread.what);
  }
}

}  // namespace fairlead::linkprobe
