#include "linkprobe/cli/bandwidth_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "linkprobe/advice/advice_text.h"
#include "linkprobe/cli/advise.h"

namespace fairlead::linkprobe {
namespace {

using nlohmann::json;

std::string Megabytes(double bytes) {
  char text[48];
  std::snprintf(text, sizeof text, "%.4g MB", bytes / 1e6);
  return text;
}

json OrNull(const std::optional<Nanoseconds>& duration) {
  return duration ? json(static_cast<double>(duration->count()) * 1e-9) : json(nullptr);
}

// What the advice goes by: the declared rate where there is one, else what was measured.
std::optional<LineFacts> FactsFor(const BandwidthReport& report) {
  const auto measured = report.MeasuredBitsPerSecond();
  if (!report.idle_rtt || (!measured && !report.declared_bits_per_second)) return std::nullopt;
  LineFacts facts{.rtt = *report.idle_rtt, .path_mtu_bytes = report.found.path_mtu_bytes};
  facts.rate_bits_per_second =
      report.declared_bits_per_second.value_or(static_cast<std::uint64_t>(measured.value_or(0)));
  return facts;
}

std::string DeclaredText(const BandwidthReport& report) {
  const auto measured = report.MeasuredBitsPerSecond();
  if (!report.declared_bits_per_second) return "declared      nothing; say --rate to compare\n";
  const auto declared = static_cast<double>(*report.declared_bits_per_second);
  std::string text = "declared      " + HumanRate(declared);
  if (measured) {
    const double share = *measured / declared;
    text += "; measured " + HumanPercent(share) + " of it";
    if (share > 1.25) text += ": the declared rate is too low";
    if (share < 0.5 && report.found.IsCapacity()) {
      text += ": the declared rate is too high, or others hold the line";
    }
  }
  return text + "\n";
}

std::string SaturationText(const BandwidthReport& report) {
  const SaturationResult& result = *report.found.saturation;
  std::string text;
  if (result.delivery) {
    const Delivery& delivery = *result.delivery;
    text += "delivered     " + HumanRate(delivery.bytes_per_second * 8) + " of payload, " +
            HumanRate(delivery.bytes_per_second * 8 * report.found.frame_bytes_per_payload) +
            " on the wire; " + std::to_string(delivery.parts) + " parts of " +
            HumanRate(delivery.lowest * 8) + " to " + HumanRate(delivery.highest * 8) + " in " +
            HumanDuration(delivery.length) + " with " +
            Megabytes(static_cast<double>(delivery.in_flight_bytes)) + " in flight" +
            (delivery.held ? "" : "; on the way up, not held") + "\n";
  }
  text +=
      "ended by      " + std::string(SaturationEndName(result.end)) + ": " + result.evidence + "\n";
  if (result.idle_rtt) text += "round trip    idle " + HumanDuration(*result.idle_rtt);
  if (result.loaded_rtt) text += ", loaded " + HumanDuration(*result.loaded_rtt);
  if (result.idle_rtt) text += "\n";
  return text;
}

std::string TrainText(const TrainResult& train) {
  const TrainEstimate& estimate = train.estimate;
  return "capacity      " + std::string(train.sender_bound ? "at least " : "") +
         HumanRate(estimate.bytes_per_second * 8) + " on the wire; half of " +
         std::to_string(estimate.trains) + " trains between " +
         HumanRate(estimate.lower_quartile * 8) + " and " + HumanRate(estimate.upper_quartile * 8) +
         (train.sender_bound ? "; this host sends no faster" : "") + "\n";
}

json SaturationJson(const BandwidthReport& report) {
  const SaturationResult& result = *report.found.saturation;
  json out{{"end", SaturationEndName(result.end)},
           {"evidence", result.evidence},
           {"loaded_rtt_seconds", OrNull(result.loaded_rtt)},
           {"delivery", nullptr}};
  if (result.delivery) {
    const Delivery& delivery = *result.delivery;
    out["delivery"] = {{"payload_bytes_per_second", delivery.bytes_per_second},
                       {"lowest_bytes_per_second", delivery.lowest},
                       {"highest_bytes_per_second", delivery.highest},
                       {"parts", delivery.parts},
                       {"seconds", static_cast<double>(delivery.length.count()) * 1e-9},
                       {"in_flight_bytes", delivery.in_flight_bytes},
                       {"held", delivery.held}};
  }
  return out;
}

std::string Json(const BandwidthReport& report) {
  const auto measured = report.MeasuredBitsPerSecond();
  json out{{"type", "result"},
           {"peer", report.peer},
           {"line", report.line},
           {"source", report.found.Source()},
           {"line_bits_per_second", measured ? json(*measured) : json(nullptr)},
           {"is_capacity", report.found.IsCapacity()},
           {"idle_rtt_seconds", OrNull(report.idle_rtt)},
           {"spent_bytes", report.spent_bytes},
           {"quota_bytes", report.quota_bytes},
           {"advice", nullptr}};
  if (report.found.saturation) out["saturation"] = SaturationJson(report);
  if (report.found.train) {
    const TrainEstimate& estimate = report.found.train->estimate;
    out["train"] = {{"bytes_per_second", estimate.bytes_per_second},
                    {"lower_quartile", estimate.lower_quartile},
                    {"upper_quartile", estimate.upper_quartile},
                    {"trains", estimate.trains},
                    {"sender_bound", report.found.train->sender_bound}};
  }
  if (const auto facts = FactsFor(report)) {
    if (const auto advice = AdviseWindow(*facts)) {
      out["advice"] = json::parse(AdviceJson(*facts, *advice));
    }
  }
  return out.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::optional<double> BandwidthReport::MeasuredBitsPerSecond() const {
  const auto measured = found.BytesPerSecond();
  return measured ? std::optional(*measured * 8) : std::nullopt;
}

std::string ProgressLine(const RampProgress& progress, const std::string& peer,
                         std::uint64_t spent_bytes, bool as_json) {
  if (as_json) {
    return json{{"type", "progress"},
                {"phase", progress.phase},
                {"in_flight_bytes", progress.in_flight_bytes},
                {"payload_bytes_per_second", progress.bytes_per_second},
                {"rtt_seconds", OrNull(progress.rtt)},
                {"spent_bytes", spent_bytes}}
        .dump();
  }
  char text[160];
  std::snprintf(text, sizeof text, ": %-8s %10s in flight  %12s  rtt %-9s  sent %s", progress.phase,
                Megabytes(static_cast<double>(progress.in_flight_bytes)).c_str(),
                HumanRate(progress.bytes_per_second * 8).c_str(),
                progress.rtt ? HumanDuration(*progress.rtt).c_str() : "-",
                Megabytes(static_cast<double>(spent_bytes)).c_str());
  return peer + text;
}

std::string DescribeBandwidth(const BandwidthReport& report, bool as_json) {
  if (as_json) return Json(report);
  std::string text = "--- " + report.peer + ", line " + report.line + ", by " +
                     std::string(report.found.Source()) + " ---\n";
  if (report.found.saturation) text += SaturationText(report);
  if (report.found.train) text += TrainText(*report.found.train);
  text += DeclaredText(report);
  text += "spent         " + Megabytes(static_cast<double>(report.spent_bytes)) + "; a day has " +
          Megabytes(static_cast<double>(report.quota_bytes)) + " for this line\n";
  const auto facts = FactsFor(report);
  if (!facts) return text;
  if (const auto advice = AdviseWindow(*facts)) text += AdviceText(*facts, *advice);
  return text;
}

}  // namespace fairlead::linkprobe
