#include "extender/promql/line_readings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

constexpr double kLongestRttSeconds = 3600;
// Rates over a window can come out a little above what the line carries.
constexpr double kMostUtilisation = 1.1;

std::string Text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::optional<std::string> LabelOf(const VectorSample& sample, const std::string& name) {
  const auto found = sample.labels.find(name);
  if (found == sample.labels.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

// What is wrong with the number; empty where nothing is.
std::string Implausible(PrometheusValue value, double number) {
  switch (value) {
    case PrometheusValue::kRtt:
      if (number > 0 && number <= kLongestRttSeconds) return {};
      return "an RTT of " + Text(number) + " s; the query must give seconds";
    case PrometheusValue::kLoss:
      if (number >= 0 && number <= 1) return {};
      return "a loss of " + Text(number) + "; the query must give a share of 1, not percent";
    case PrometheusValue::kUtilisation:
      if (number >= 0 && number <= kMostUtilisation) return {};
      return "a utilisation of " + Text(number) + "; the query must give a share of 1, not percent";
  }
  return {};
}

class Reader {
 public:
  Reader(const PrometheusQuery& query, const std::set<std::string>& sites, MonotonicTime asked_at)
      : query_(query), sites_(sites), asked_at_(asked_at) {}

  void Take(const VectorSample& sample) {
    const auto key = KeyOf(sample);
    if (!key) return;
    if (!std::isfinite(sample.number)) {
      Pass(passed_over_.no_number, Where(*key) + " is " + Text(sample.number));
      return;
    }
    if (const std::string wrong = Implausible(query_.value, sample.number); !wrong.empty()) {
      Pass(passed_over_.implausible, Where(*key) + " has " + wrong);
      return;
    }
    const auto [entry, fresh] = readings_.try_emplace(*key, ExternalReading{.key = *key,
                                                                            .value = query_.value,
                                                                            .number = sample.number,
                                                                            .query = query_.name,
                                                                            .at = asked_at_});
    if (fresh) return;
    // Of all three values the larger one is the worse.
    entry->second.number = std::max(entry->second.number, sample.number);
    Pass(passed_over_.repeated,
         Where(*key) + " has more than one series; aggregate in the query, as with max by");
  }

  LineReadings Finish() {
    LineReadings lines{.readings = {}, .passed_over = std::move(passed_over_)};
    for (auto& [key, reading] : readings_) lines.readings.push_back(std::move(reading));
    return lines;
  }

 private:
  std::optional<LinkKey> KeyOf(const VectorSample& sample) {
    if (query_.from_label.empty()) return LinkKey{query_.from_site, query_.to_site};
    const auto from = LabelOf(sample, query_.from_label);
    const auto to = LabelOf(sample, query_.to_label);
    if (!from || !to) {
      Pass(passed_over_.no_label,
           "a series has no label " + (from ? query_.to_label : query_.from_label));
      return std::nullopt;
    }
    if (!sites_.contains(*from) || !sites_.contains(*to)) {
      Pass(passed_over_.unknown_site, Quoted(sites_.contains(*from) ? *to : *from) + " is no site");
      return std::nullopt;
    }
    if (*from == *to) {
      Pass(passed_over_.unknown_site, "both ends of a series are " + Quoted(*from));
      return std::nullopt;
    }
    return LinkKey{*from, *to};
  }

  void Pass(std::uint64_t& count, std::string example) {
    ++count;
    if (passed_over_.example.empty()) passed_over_.example = std::move(example);
  }

  static std::string Where(const LinkKey& key) { return key.from_site + " to " + key.to_site; }

  const PrometheusQuery& query_;
  const std::set<std::string>& sites_;
  const MonotonicTime asked_at_;
  SamplesPassedOver passed_over_;
  std::map<LinkKey, ExternalReading> readings_;
};

}  // namespace

LineReadings ReadLines(const PrometheusQuery& query, const InstantVector& vector,
                       const std::set<std::string>& sites, MonotonicTime asked_at) {
  Reader reader(query, sites, asked_at);
  for (const VectorSample& sample : vector.samples) reader.Take(sample);
  return reader.Finish();
}

}  // namespace fairlead::extender
