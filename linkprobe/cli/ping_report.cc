#include "linkprobe/cli/ping_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace fairlead::linkprobe {
namespace {

using nlohmann::json;

std::string Milliseconds3(Nanoseconds duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(duration.count()) * 1e-6);
  return text;
}

std::string OrDash(const std::optional<Nanoseconds>& duration) {
  return duration ? Milliseconds3(*duration) : "-";
}

json OrNull(const std::optional<Nanoseconds>& duration) {
  return duration ? json(static_cast<double>(duration->count()) * 1e-9) : json(nullptr);
}

template <class Integer>
json OrNullCount(const std::optional<Integer>& count) {
  return count ? json(static_cast<std::uint64_t>(*count)) : json(nullptr);
}

json Direction(const DirectionMeasurement& measured, std::uint64_t lost) {
  return {{"lost", lost},
          {"loss_lower", measured.loss.lower},
          {"loss_upper", measured.loss.upper},
          {"jitter_seconds", OrNull(measured.jitter)},
          {"delay_variation_seconds", OrNull(measured.pdv)},
          {"hops", OrNullCount(measured.hops)}};
}

std::string JsonLine(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string PingReplyLine(const PingReply& reply, const std::string& peer, bool as_json) {
  if (as_json) {
    return JsonLine({{"type", "reply"},
                     {"peer", peer},
                     {"path", reply.path},
                     {"sequence", reply.sequence},
                     {"rtt_seconds", static_cast<double>(reply.rtt.count()) * 1e-9},
                     {"remote_seconds", static_cast<double>(reply.remote.count()) * 1e-9},
                     {"forward_hops", OrNullCount(reply.forward_hops)},
                     {"reverse_hops", OrNullCount(reply.reverse_hops)},
                     {"duplicate", reply.duplicate},
                     {"late", reply.late}});
  }
  std::string line = "reply from " + peer + ": path=" + std::to_string(reply.path) +
                     " seq=" + std::to_string(reply.sequence) + " rtt=" + Milliseconds3(reply.rtt) +
                     " ms";
  if (reply.forward_hops) line += " hops=" + std::to_string(*reply.forward_hops);
  if (reply.reverse_hops) line += "/" + std::to_string(*reply.reverse_hops);
  line += " remote=" + Milliseconds3(reply.remote) + " ms";
  if (reply.duplicate) line += " (duplicate)";
  if (reply.late) line += " (late)";
  return line;
}

std::string PingSummary(const PathStatus& path, const std::string& peer, bool as_json) {
  const LinkMeasurement& measured = path.measurement;
  const PathTotals& totals = path.totals;
  const std::uint64_t lost = totals.lost_forward + totals.lost_reverse + totals.lost_unknown;
  if (as_json) {
    return JsonLine({{"type", "summary"},
                     {"peer", peer},
                     {"path", path.path},
                     {"transport", TransportRungName(measured.rung)},
                     {"sent", totals.sent},
                     {"answered", totals.answered},
                     {"lost", lost},
                     {"late", totals.late},
                     {"lost_unknown", totals.lost_unknown},
                     {"rtt_min_seconds", OrNull(measured.rtt_min)},
                     {"rtt_p50_seconds", OrNull(measured.rtt_p50)},
                     {"rtt_p99_seconds", OrNull(measured.rtt_p99)},
                     {"prober_delay_seconds", OrNull(measured.prober_delay_p50)},
                     {"responder_delay_seconds", OrNull(measured.responder_delay_p50)},
                     {"forward", Direction(measured.forward, totals.lost_forward)},
                     {"reverse", Direction(measured.reverse, totals.lost_reverse)}}) +
           "\n";
  }
  char percent[32];
  const std::uint64_t settled = totals.answered + lost;
  std::snprintf(
      percent, sizeof percent, "%.2f",
      settled == 0 ? 0.0 : 100.0 * static_cast<double>(lost) / static_cast<double>(settled));
  std::string text = "\n--- " + peer + ", path " + std::to_string(path.path) + ", " +
                     std::string(TransportRungName(measured.rung)) + " ---\n" +
                     std::to_string(totals.sent) + " probes sent, " +
                     std::to_string(totals.answered) + " answered, " + std::to_string(lost) +
                     " lost (" + percent + " %: " + std::to_string(totals.lost_forward) +
                     " forward, " + std::to_string(totals.lost_reverse) + " reverse, " +
                     std::to_string(totals.lost_unknown) + " unknown)";
  if (totals.late > 0) text += ", " + std::to_string(totals.late) + " late";
  if (totals.sent > settled) text += ", " + std::to_string(totals.sent - settled) + " under way";
  text += "\nrtt min/p50/p99 = " + OrDash(measured.rtt_min) + "/" + OrDash(measured.rtt_p50) + "/" +
          OrDash(measured.rtt_p99) + " ms";
  text += "\njitter forward/reverse = " + OrDash(measured.forward.jitter) + "/" +
          OrDash(measured.reverse.jitter) + " ms";
  text += "\nhost share (not in rtt) here/there = " + OrDash(measured.prober_delay_p50) + "/" +
          OrDash(measured.responder_delay_p50) + " ms\n";
  return text;
}

}  // namespace fairlead::linkprobe
