#include "extender/replay_file/range_codec.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "common/base/quote.h"
#include "common/units/number.h"
#include "common/units/time_text.h"
#include "extender/replay_file/assumed.h"
#include "extender/replay_file/json_fields.h"
#include "extender/replay_file/link_between.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

constexpr std::string_view kFamily = "fairlead_extender_link_";

tl::unexpected<Error> Refuse(std::string what) {
  return Fail(ErrorCode::kInvalidArgument, std::move(what));
}

std::string Of(const std::map<std::string, std::string>& labels, const char* name) {
  const auto found = labels.find(name);
  return found == labels.end() ? std::string() : found->second;
}

Status Twice() {
  return Refuse("is told twice, as by two replicas; ask for " + std::string(kRangeQuery));
}

Status PutOnce(std::optional<double>& slot, double value) {
  if (slot) return Twice();
  slot = value;
  return {};
}

std::string SeriesText(const std::map<std::string, std::string>& labels) {
  std::string text =
      Of(labels, "__name__") + " of " + Of(labels, "src_site") + ">" + Of(labels, "dst_site");
  for (const char* label : {"state", "direction", "source"}) {
    if (const std::string value = Of(labels, label); !value.empty()) text += " " + value;
  }
  return Quoted(text, 160);
}

std::optional<std::size_t> SourceOf(const std::string& name) {
  for (const RateSource source :
       {RateSource::kDeclared, RateSource::kTrain, RateSource::kSaturation}) {
    if (RateSourceName(source) == name) return static_cast<std::size_t>(source);
  }
  return std::nullopt;
}

}  // namespace

Status RangeReader::Put(const Series& labels, double value, Moment& moment) {
  const std::string name = Of(labels, "__name__").substr(kFamily.size());
  if (name == "state") {
    const auto state = ParseLinkState(Of(labels, "state"));
    if (!state) return Refuse("has no state that is known");
    if (value != 0 && value != 1) return Refuse("is neither 0 nor 1");
    const std::uint32_t bit = 1U << static_cast<std::uint32_t>(*state);
    if ((moment.states_told & bit) != 0) return Twice();
    moment.states_told |= bit;
    // Of two replicas that differ the one that sees it worse.
    if (value == 1) moment.state = std::max(moment.state.value_or(*state), *state);
    return {};
  }
  if (name == "rtt_p50_seconds") return PutOnce(moment.rtt_p50, value);
  if (name == "age_seconds") return PutOnce(moment.age, value);
  if (name == "available_bytes_per_second") return PutOnce(moment.available, value);
  if (name == "loss_ratio") {
    const std::string direction = Of(labels, "direction");
    const bool forward = direction == "forward";
    if (!forward && direction != "reverse") return Refuse("is of neither direction");
    return PutOnce(forward ? moment.loss_forward : moment.loss_reverse, value);
  }
  if (name == "rate_bytes_per_second") {
    const auto source = SourceOf(Of(labels, "source"));
    return source ? PutOnce(moment.rates[*source], value) : Refuse("has no source that is known");
  }
  return {};  // by others nothing is decided
}

Status RangeReader::AddSeries(const json& element, std::size_t line) {
  const json* metric =
      element.is_object() && element.contains("metric") ? &element["metric"] : nullptr;
  const json* values =
      element.is_object() && element.contains("values") ? &element["values"] : nullptr;
  if (metric == nullptr || !metric->is_object() || values == nullptr || !values->is_array()) {
    return Refuse("data.result holds something else than series of values");
  }
  Series labels;
  for (const auto& [name, value] : metric->items()) {
    if (!value.is_string()) return Refuse("label " + Quoted(name) + " is no text");
    labels.emplace(name, value.get<std::string>());
  }
  const std::string series = SeriesText(labels);
  if (!Of(labels, "__name__").starts_with(kFamily)) {
    return Refuse(series + " is no series of a link; ask for " + std::string(kRangeQuery));
  }
  const auto key = LinkBetween(Of(labels, "src_site"), Of(labels, "dst_site"));
  if (!key) {
    return Refuse(series + ": labels src_site and dst_site: " + key.error().message + "; ask for " +
                  std::string(kRangeQuery));
  }
  std::optional<WallTime> before;
  for (const json& sample : *values) {
    const bool pair =
        sample.is_array() && sample.size() == 2 && sample[0].is_number() && sample[1].is_string();
    if (!pair) return Refuse(series + " has a value that is no pair of time and text");
    const auto at = MomentOf(sample[0].get<double>());
    if (!at) return Refuse(series + ": " + at.error().message);
    if (before && *at <= *before) {
      return Refuse(series + " at " + FormatTime(*at) +
                    (*at == *before ? ": this moment was told before"
                                    : ": times do not rise; sort its values by time"));
    }
    before = *at;
    const std::string text = sample[1].get<std::string>();
    if (text == "NaN") continue;  // nothing was known
    const auto value = ParseNumber(text);
    if (!value) return Refuse(series + " at " + FormatTime(*at) + ": " + value.error().message);
    Moment& moment = moments_[*key][*at];
    if (moment.line == 0) moment.line = line;
    if (Status put = Put(labels, *value, moment); !put) {
      return Refuse(series + " at " + FormatTime(*at) + " " + put.error().message);
    }
  }
  return {};
}

Status RangeReader::Add(const json& document, std::size_t line) {
  std::string fault;
  const JsonFields reply(document, "", fault);
  if (reply.Text("status") == "error") {
    return Refuse("Prometheus says " + Quoted(reply.Text("error").value_or("error"), 300) +
                  "; mend the query");
  }
  const JsonFields data = reply.Object("data");
  const std::string type = data.Text("resultType").value_or("");
  if (type != "matrix") {
    return Refuse("its result is " + Quoted(type) +
                  ", not a matrix; ask /api/v1/query_range, not /api/v1/query");
  }
  const json* result = data.Array("result");
  if (!fault.empty()) return Refuse(fault);
  if (result == nullptr) return Refuse("data.result is missing");
  for (const json& element : *result) {
    if (Status added = AddSeries(element, line); !added) return added;
  }
  return {};
}

Result<LinkPoint> RangeReader::PointOf(WallTime at, const Moment& moment) {
  if (!moment.state) {
    return Refuse("at " + FormatTime(at) +
                  " no state is told by fairlead_extender_link_state; ask for " +
                  std::string(kRangeQuery));
  }
  LinkPoint point = Assumed(*moment.state);
  point.at = at;
  for (const auto& [from, to] :
       {std::pair(&moment.rtt_p50, &point.rtt_p50), std::pair(&moment.age, &point.age)}) {
    if (!*from) continue;
    const auto span = SpanOf(**from);
    if (!span) return Refuse("at " + FormatTime(at) + ": " + span.error().message);
    *to = *span;
  }
  if (moment.loss_forward) point.loss_forward = LossOf(*moment.loss_forward);
  if (moment.loss_reverse) point.loss_reverse = LossOf(*moment.loss_reverse);
  point.available_bytes_per_second = moment.available;
  for (const auto& rate : moment.rates) {
    if (rate) point.rate_bytes_per_second = rate;  // the later source counts
  }
  return point;
}

Status RangeReader::Give(LinkPointsBuilder& points, std::size_t& line) const {
  for (const auto& [key, moments] : moments_) {
    for (const auto& [at, moment] : moments) {
      line = moment.line;
      const auto point = PointOf(at, moment);
      if (!point) return Refuse(LinkText(key) + " " + point.error().message);
      if (Status added = points.Add(key, *point); !added) return added;
    }
  }
  return {};
}

}  // namespace fairlead::extender
