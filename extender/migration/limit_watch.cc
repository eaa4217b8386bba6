#include "extender/migration/limit_watch.h"

#include <algorithm>
#include <array>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::extender {
namespace {

struct Comparison {
  LimitKind kind = LimitKind::kRtt;
  bool known = false;
  bool broken = false;
  std::string text;
};

std::string Text(std::string value, LimitKind kind, const std::string& limit) {
  return std::move(value) + ", " + std::string(LimitKindName(kind)) + " " + limit;
}

// Of each limit that is set.
std::vector<Comparison> Compare(const LineThresholds& limits, const LineValues& values) {
  std::vector<Comparison> all;
  const auto add = [&](LimitKind kind, bool known, bool broken, std::string text) {
    all.push_back({kind, known, broken, std::move(text)});
  };
  if (limits.max_rtt) {
    const Nanoseconds value = values.rtt_p50.value_or(Nanoseconds(0));
    add(LimitKind::kRtt, values.rtt_p50.has_value(), value > *limits.max_rtt,
        Text("p50 " + HumanDuration(value), LimitKind::kRtt, HumanDuration(*limits.max_rtt)));
  }
  if (limits.max_jitter) {
    const Nanoseconds value = values.jitter.value_or(Nanoseconds(0));
    add(LimitKind::kJitter, values.jitter.has_value(), value > *limits.max_jitter,
        Text("jitter " + HumanDuration(value), LimitKind::kJitter,
             HumanDuration(*limits.max_jitter)));
  }
  if (limits.max_loss) {
    const double value = values.loss_lower.value_or(0);
    add(LimitKind::kLoss, values.loss_lower.has_value(), value > *limits.max_loss,
        Text("loss at least " + HumanPercent(value), LimitKind::kLoss,
             HumanPercent(*limits.max_loss)));
  }
  if (limits.min_bandwidth_bits_per_second) {
    const double value = values.bits_per_second.value_or(0);
    const auto limit = static_cast<double>(*limits.min_bandwidth_bits_per_second);
    add(LimitKind::kBandwidth, values.bits_per_second.has_value(), value < limit,
        Text(HumanRate(value), LimitKind::kBandwidth, HumanRate(limit)));
  }
  return all;
}

}  // namespace

std::string_view LimitKindName(LimitKind kind) {
  switch (kind) {
    case LimitKind::kRtt:
      return "maxRtt";
    case LimitKind::kJitter:
      return "maxJitter";
    case LimitKind::kLoss:
      return "maxLoss";
    case LimitKind::kBandwidth:
      return "minBandwidth";
  }
  return "";
}

LineThresholds ThresholdsOf(const SitePair& line, const LineThresholds& of_gang,
                            const MigrationConfig& config) {
  LineThresholds limits = of_gang;
  const auto fill = [&limits](const LineThresholds& from) {
    if (!limits.max_rtt) limits.max_rtt = from.max_rtt;
    if (!limits.max_jitter) limits.max_jitter = from.max_jitter;
    if (!limits.max_loss) limits.max_loss = from.max_loss;
    if (!limits.min_bandwidth_bits_per_second) {
      limits.min_bandwidth_bits_per_second = from.min_bandwidth_bits_per_second;
    }
  };
  for (const LineOverride& entry : config.lines) {
    if (entry.line == line) fill(entry.thresholds);
  }
  fill(config.policy);
  return limits;
}

std::vector<LimitBreach> LimitWatch::Observe(std::string_view who, const SitePair& line,
                                             const LineThresholds& limits, const LineValues& values,
                                             MonotonicTime now) {
  std::vector<LimitBreach> breaches;
  std::set<LimitKind> limited;
  for (Comparison& comparison : Compare(limits, values)) {
    limited.insert(comparison.kind);
    const Key key{std::string(who), {line, comparison.kind}};
    if (!comparison.known) {
      if (const auto found = broken_.find(key); found != broken_.end()) {
        found->second.observed = now;
      }
      continue;
    }
    if (!comparison.broken) {
      broken_.erase(key);
      continue;
    }
    Since& since = broken_.try_emplace(key, Since{now, now}).first->second;
    since.observed = now;
    breaches.push_back({.line = line,
                        .kind = comparison.kind,
                        .broken_for = std::max(now - since.broken, Nanoseconds(0)),
                        .text = std::move(comparison.text)});
  }
  for (const LimitKind kind :
       {LimitKind::kRtt, LimitKind::kJitter, LimitKind::kLoss, LimitKind::kBandwidth}) {
    if (!limited.contains(kind)) broken_.erase({std::string(who), {line, kind}});
  }
  return breaches;
}

void LimitWatch::Expire(MonotonicTime since) {
  std::erase_if(broken_, [&](const auto& entry) { return entry.second.observed < since; });
}

}  // namespace fairlead::extender
