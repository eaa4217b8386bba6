#include "linkprobe/record_file/comparison_json.h"

#include <nlohmann/json.hpp>

namespace fairlead::linkprobe {
namespace {

using json = nlohmann::ordered_json;

const char* UnitOf(LineValue value) {
  switch (value) {
    case LineValue::kRttP50:
    case LineValue::kRttP99:
    case LineValue::kJitterForward:
    case LineValue::kJitterReverse:
      return "seconds";
    case LineValue::kLossForward:
    case LineValue::kLossReverse:
      return "ratio";
    case LineValue::kBandwidth:
      return "bits_per_second";
  }
  return "";
}

json Side(const ValueComparison& compared, const ValueSide& side) {
  json shown{{"windows", side.windows.size()}, {"windows_in_block", side.estimate.block}};
  shown["estimate"] = side.windows.empty() ? json(nullptr) : json(side.estimate.value);
  shown["standard_error"] = side.windows.empty() ? json(nullptr) : json(side.estimate.error);
  if (compared.value == LineValue::kLossForward || compared.value == LineValue::kLossReverse) {
    shown["lost"] = side.lost;
    shown["sent"] = side.sent;
  }
  return shown;
}

json Value(const ValueComparison& compared) {
  const bool both = !compared.before.windows.empty() && !compared.after.windows.empty();
  json shown{{"value", LineValueName(compared.value)}, {"unit", UnitOf(compared.value)}};
  if (!compared.source.empty()) shown["source"] = compared.source;
  shown["before"] = Side(compared, compared.before);
  shown["after"] = Side(compared, compared.after);
  shown["difference"] = both ? json(compared.difference) : json(nullptr);
  shown["lower"] = compared.interval ? json(compared.interval->lower) : json(nullptr);
  shown["upper"] = compared.interval ? json(compared.interval->upper) : json(nullptr);
  shown["resolution"] = compared.resolution;
  shown["verdict"] = VerdictWords(compared.verdict);
  shown["reason"] = compared.reason;
  return shown;
}

json Key(const LineKey& key) {
  return {{"line", key.line}, {"path", key.path}, {"transport", TransportRungName(key.rung)}};
}

json File(const NamedRecording& named) {
  const Recording& recording = named.recording;
  const RecordingFacts& facts = recording.facts;
  const PassedOver& passed = recording.passed_over;
  return {
      {"file", named.name},
      {"host", facts.host},
      {"program", facts.program_version},
      {"source", facts.source},
      {"started_unix_seconds", static_cast<double>(facts.started.time_since_epoch().count()) / 1e9},
      {"window_seconds", static_cast<double>(facts.window.count()) / 1e9},
      {"probes_per_second", facts.probes_per_second},
      {"complete", recording.complete},
      {"clock_steps", recording.clock_steps},
      {"passed_over",
       {{"unreadable", passed.unreadable},
        {"cut_off", passed.cut_off},
        {"impossible", passed.impossible},
        {"out_of_order", passed.out_of_order},
        {"odd_length", passed.odd_length}}}};
}

}  // namespace

std::string ComparisonJson(const Comparison& comparison, const NamedRecording& before,
                           const NamedRecording& after) {
  json lines = json::array();
  for (const LineComparison& line : comparison.lines) {
    json shown = Key(line.key);
    shown["values"] = json::array();
    for (const ValueComparison& value : line.values) shown["values"].push_back(Value(value));
    lines.push_back(std::move(shown));
  }
  json alone = json::array();
  for (const NotCompared& one : comparison.not_compared) {
    json shown = Key(one.key);
    shown["reason"] = one.reason;
    alone.push_back(std::move(shown));
  }
  const json whole{{"format", "fairlead-comparison"},
                   {"version", 1},
                   {"before", File(before)},
                   {"after", File(after)},
                   {"confidence", comparison.confidence},
                   {"value_confidence", comparison.value_confidence},
                   {"lines", std::move(lines)},
                   {"not_compared", std::move(alone)},
                   {"conclusion", Conclusion(comparison)}};
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace fairlead::linkprobe
