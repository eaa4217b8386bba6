#include "extender/replay_file/snapshot_codec.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "common/base/quote.h"
#include "extender/replay_file/assumed.h"
#include "extender/replay_file/json_fields.h"
#include "extender/replay_file/link_between.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

template <class T, class Parse>
T Word(const JsonFields& fields, const char* name, Parse parse) {
  const std::string text = fields.Needed(name, fields.Text(name));
  const auto value = parse(text);
  if (!value) fields.Complain(name, "is " + Quoted(text) + ", no word that is known");
  return value.value_or(T{});
}

// Counts are never negative and have no halves; what is told otherwise is refused. Ports count more
// packets than 32 bits hold.
template <class T>
T Count(const JsonFields& fields, const char* name) {
  const double number = fields.Number(name).value_or(0);
  const double most = std::is_same_v<T, std::uint64_t> ? 1e15 : 4e9;
  if (number >= 0 && number <= most && std::floor(number) == number) return static_cast<T>(number);
  fields.Complain(name, "is " + json(number).dump() + ", no whole number from 0 to " +
                            json(static_cast<std::uint64_t>(most)).dump());
  return T{};
}

std::optional<LossInterval> Loss(const JsonFields& fields) {
  const auto ratio = fields.Number("loss_ratio");
  if (!ratio) return std::nullopt;
  LossInterval loss{.ratio = *ratio, .lower = *ratio, .upper = *ratio};
  loss.lower = fields.Number("loss_lower").value_or(*ratio);
  loss.upper = fields.Number("loss_upper").value_or(*ratio);
  loss.lost = Count<std::uint64_t>(fields, "lost");
  loss.sent = Count<std::uint64_t>(fields, "sent");
  return loss;
}

LinkPoint Now(const JsonFields& link, WallTime at) {
  LinkPoint point;
  point.at = at;
  point.state = Word<LinkState>(link, "state", ParseLinkState);
  point.reason = Word<LinkReason>(link, "reason", ParseLinkReason);
  point.state_age = link.Span("state_age_seconds");
  point.samples = Count<std::uint64_t>(link, "samples");
  point.quorum = Count<std::uint32_t>(link, "quorum");
  point.agreeing = Count<std::uint32_t>(link, "agreeing");
  point.age = link.Span("age_seconds");
  const JsonFields rtt = link.Object("rtt_seconds");
  point.rtt_min = rtt.Span("min");
  point.rtt_p50 = rtt.Span("p50");
  point.rtt_p99 = rtt.Span("p99");
  const JsonFields forward = link.Object("forward");
  const JsonFields reverse = link.Object("reverse");
  point.jitter_forward = forward.Span("jitter_seconds");
  point.jitter_reverse = reverse.Span("jitter_seconds");
  point.loss_forward = Loss(forward).value_or(LossInterval{});
  point.loss_reverse = Loss(reverse).value_or(LossInterval{});
  point.rate_bytes_per_second = link.Number("rate_bytes_per_second");
  point.rate_at_least = link.Flag("rate_at_least");
  point.available_bytes_per_second = link.Number("available_bytes_per_second");
  point.available_at_least = link.Flag("available_at_least");
  const JsonFields ports = link.Object("port_loss");
  if (ports.Flag("counts")) point.port_loss = Loss(ports);
  point.by_prometheus = link.Text("rung") == TransportRungName(TransportRung::kPromql);
  return point;
}

// What a history does not tell is assumed, as of Prometheus.
LinkPoint Then(const JsonFields& step, WallTime at) {
  LinkPoint point = Assumed(Word<LinkState>(step, "state", ParseLinkState));
  point.at = at;
  point.rtt_p50 = step.Span("rtt_p50_seconds");
  if (const auto ratio = step.Number("loss_forward_ratio")) point.loss_forward = LossOf(*ratio);
  if (const auto ratio = step.Number("loss_reverse_ratio")) point.loss_reverse = LossOf(*ratio);
  return point;
}

class Snapshot {
 public:
  Snapshot(const json& document, LinkPointsBuilder& points)
      : document_(document, "", fault_), points_(points) {}

  Status Add() {
    if (document_.Number("version") != 1.0) {
      return Refuse("its version is not 1; this program does not know another");
    }
    const auto at = MomentOf(document_.Needed("generated_at_unix_seconds",
                                              document_.Number("generated_at_unix_seconds")));
    const json* links = document_.Array("links");
    if (links == nullptr) document_.Complain("links", "is missing");
    if (!fault_.empty()) return Refuse(fault_);
    if (!at) return Refuse("generated_at_unix_seconds: " + at.error().message);
    bool of_history = false;
    for (const json& link : *links) of_history = of_history || link.contains("history");
    for (std::size_t i = 0; i < links->size(); ++i) {
      if (of_history && !(*links)[i].contains("history")) continue;
      const JsonFields link((*links)[i], "links[" + std::to_string(i) + "].", fault_);
      const std::string from = link.Needed("from", link.Text("from"));
      const std::string to = link.Needed("to", link.Text("to"));
      if (!fault_.empty()) return Refuse(fault_);
      const auto key = LinkBetween(from, to);
      if (!key) return Refuse("links[" + std::to_string(i) + "]: " + key.error().message);
      Status added = of_history ? AddHistory(link, *key, *at) : AddNow(link, *key, *at);
      if (!added) return added;
    }
    return {};
  }

 private:
  static Status Refuse(std::string what) {
    return Fail(ErrorCode::kInvalidArgument, std::move(what));
  }

  Status AddPoint(const LinkKey& key, const LinkPoint& point) {
    return fault_.empty() ? points_.Add(key, point) : Refuse(fault_);
  }

  Status AddNow(const JsonFields& link, const LinkKey& key, WallTime at) {
    const LinkPoint point = Now(link, at);
    return AddPoint(key, point);
  }

  Status AddHistory(const JsonFields& link, const LinkKey& key, WallTime at) {
    const json* history = link.Array("history");
    if (history == nullptr) return fault_.empty() ? Status() : Refuse(fault_);
    const auto newest = points_.Newest(key);
    for (const json& element : *history) {
      const JsonFields step(element, "history[] of " + LinkText(key) + ": ", fault_);
      const Nanoseconds age = step.Needed("age_seconds", step.Span("age_seconds"));
      const LinkPoint point = Then(step, std::chrono::floor<Milliseconds>(at - age));
      if (!fault_.empty()) return Refuse(fault_);
      // Histories of two answers overlap; what they tell of one step may differ by the answers'
      // clock, so a step counts as told when less than half of the usual one has passed.
      if (newest && point.at < *newest + kHistoryStep / 2) continue;
      if (Status added = AddPoint(key, point); !added) return added;
    }
    return {};
  }

  static constexpr Nanoseconds kHistoryStep = Seconds(5);

  std::string fault_;
  const JsonFields document_;
  LinkPointsBuilder& points_;
};

}  // namespace

Status AddSnapshot(const json& document, LinkPointsBuilder& points) {
  return Snapshot(document, points).Add();
}

}  // namespace fairlead::extender
