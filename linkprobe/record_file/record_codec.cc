#include "linkprobe/record_file/record_codec.h"

#include <nlohmann/json.hpp>

#include "common/base/quote.h"
#include "linkprobe/record_file/json_fields.h"

namespace fairlead::linkprobe {
namespace {

using json = nlohmann::ordered_json;

constexpr char kFormat[] = "fairlead-record";

double InSeconds(Nanoseconds duration) { return static_cast<double>(duration.count()) / 1e9; }

json OrNull(const std::optional<Nanoseconds>& duration) {
  return duration ? json(InSeconds(*duration)) : json(nullptr);
}

json Direction(const WindowDirection& direction) {
  return {{"sent", direction.sent},
          {"lost", direction.lost},
          {"jitter_seconds", OrNull(direction.jitter)},
          {"delay_variation_seconds", OrNull(direction.delay_variation)}};
}

std::string OneLine(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

WindowDirection ReadDirection(const json& from) {
  const Fields fields(from);
  return {.sent = fields.Count("sent"),
          .lost = fields.Count("lost"),
          .jitter = fields.DurationIfAny("jitter_seconds"),
          .delay_variation = fields.DurationIfAny("delay_variation_seconds")};
}

LineWindow ReadWindow(const Fields& fields) {
  LineWindow window;
  window.line = fields.Text("line");
  window.path = fields.SmallCount("path");
  const std::string rung = fields.Text("transport");
  const auto known = ParseTransportRung(rung);
  if (!known) throw Misread{"transport " + Quoted(rung) + " is not known"};
  window.rung = *known;
  window.begin = fields.Duration("begin_seconds");
  window.end = fields.Duration("end_seconds");
  window.wall_end = fields.Wall("end_unix_seconds");
  window.samples = fields.Count("samples");
  window.rtt_min = fields.DurationIfAny("rtt_min_seconds");
  window.rtt_p50 = fields.DurationIfAny("rtt_p50_seconds");
  window.rtt_p99 = fields.DurationIfAny("rtt_p99_seconds");
  window.forward = ReadDirection(fields.Need("forward"));
  window.reverse = ReadDirection(fields.Need("reverse"));
  window.lost_unknown = fields.Count("lost_unknown");
  window.host_delay = fields.DurationIfAny("host_delay_seconds");
  if (const json* bandwidth = fields.Find("bandwidth")) {
    const Fields inner(*bandwidth);
    window.bandwidth = WindowBandwidth{.bits_per_second = inner.Number("bits_per_second"),
                                       .source = inner.Text("source")};
  }
  window.tested = fields.Flag("tested");
  return window;
}

RecordingFacts ReadHeader(const Fields& fields) {
  RecordingFacts facts;
  facts.host = fields.Text("host");
  facts.program_version = fields.Text("program");
  facts.source = fields.Text("source");
  facts.started = fields.Wall("started_unix_seconds");
  facts.window = fields.Duration("window_seconds");
  facts.planned = fields.Duration("planned_seconds");
  facts.probes_per_second = fields.Number("probes_per_second");
  facts.paths = fields.SmallCount("paths");
  facts.traffic_class = fields.SmallCount("traffic_class");
  if (facts.window <= Nanoseconds::zero()) throw Misread{"window_seconds is not above 0"};
  return facts;
}

Result<RecordLine> Decode(const Fields& fields) {
  const std::string type = fields.Text("type");
  if (type == "window") return ReadWindow(fields);
  if (type == "end") return RecordEnd{.reason = fields.Text("reason")};
  if (type != "header") return OtherRecordLine{};
  if (const std::string format = fields.Text("format"); format != kFormat) {
    throw Misread{"format is " + Quoted(format) + ", not " + kFormat};
  }
  const std::uint64_t version = fields.Count("version");
  if (version != kRecordVersion) {
    return Fail(ErrorCode::kUnsupported, "version " + std::to_string(version) +
                                             " of the format; this program reads version " +
                                             std::to_string(kRecordVersion));
  }
  return ReadHeader(fields);
}

}  // namespace

std::string EncodeHeader(const RecordingFacts& facts) {
  return OneLine({{"type", "header"},
                  {"format", kFormat},
                  {"version", kRecordVersion},
                  {"program", facts.program_version},
                  {"host", facts.host},
                  {"source", facts.source},
                  {"started_unix_seconds", InSeconds(facts.started.time_since_epoch())},
                  {"window_seconds", InSeconds(facts.window)},
                  {"planned_seconds", InSeconds(facts.planned)},
                  {"probes_per_second", facts.probes_per_second},
                  {"paths", facts.paths},
                  {"traffic_class", facts.traffic_class}});
}

std::string EncodeWindow(const LineWindow& window) {
  json bandwidth;
  if (window.bandwidth) {
    bandwidth = {{"bits_per_second", window.bandwidth->bits_per_second},
                 {"source", window.bandwidth->source}};
  }
  return OneLine({{"type", "window"},
                  {"line", window.line},
                  {"path", window.path},
                  {"transport", TransportRungName(window.rung)},
                  {"begin_seconds", InSeconds(window.begin)},
                  {"end_seconds", InSeconds(window.end)},
                  {"end_unix_seconds", InSeconds(window.wall_end.time_since_epoch())},
                  {"samples", window.samples},
                  {"rtt_min_seconds", OrNull(window.rtt_min)},
                  {"rtt_p50_seconds", OrNull(window.rtt_p50)},
                  {"rtt_p99_seconds", OrNull(window.rtt_p99)},
                  {"forward", Direction(window.forward)},
                  {"reverse", Direction(window.reverse)},
                  {"lost_unknown", window.lost_unknown},
                  {"host_delay_seconds", OrNull(window.host_delay)},
                  {"bandwidth", bandwidth},
                  {"tested", window.tested}});
}

std::string EncodeEnd(const RecordEnd& end) {
  return OneLine({{"type", "end"}, {"reason", end.reason}});
}

Result<RecordLine> DecodeRecordLine(std::string_view text) {
  const json parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return Fail(ErrorCode::kInvalidArgument, "is no JSON");
  try {
    return Decode(Fields(parsed));
  } catch (const Misread& misread) {
    return Fail(ErrorCode::kInvalidArgument, misread.what);
  }
}

}  // namespace fairlead::linkprobe
