#include "extender/web/links_json.h"

#include <chrono>
#include <cstddef>
#include <set>
#include <string_view>

#include "common/link/link_state.h"
#include "extender/web/bandwidth_json.h"
#include "extender/web/json_writer.h"

namespace fairlead::extender {
namespace {

void WriteDirection(JsonWriter& json, std::string_view key, const DirectionMeasurement& way) {
  json.Key(key).Open('{');
  json.Key("sent").Integer(way.loss.sent);
  json.Key("lost").Integer(way.loss.lost);
  const bool known = way.loss.known();
  const auto ratio = [&](double value) {
    return known ? std::optional<double>(value) : std::nullopt;
  };
  json.Key("loss_ratio").Number(ratio(way.loss.ratio));
  json.Key("loss_lower").Number(ratio(way.loss.lower));
  json.Key("loss_upper").Number(ratio(way.loss.upper));
  json.Key("late").Integer(way.late);
  json.Key("duplicate").Integer(way.duplicate);
  json.Key("reordered").Integer(way.reordered);
  json.Key("longest_burst").Integer(way.longest_burst);
  json.Key("ecn_marked").Integer(way.ecn_marked);
  json.Key("jitter_seconds").Seconds(way.jitter);
  json.Key("pdv_seconds").Seconds(way.pdv);
  json.Key("hops");
  way.hops ? json.Integer(*way.hops) : json.Null();
  json.Close('}');
}

void WriteContributors(JsonWriter& json, const LinkView& link) {
  json.Key("contributors").Open('[');
  for (const LinkContributor& each : link.contributors) {
    json.Open('{');
    json.Key("node").Text(each.node);
    json.Key("peer_node").Text(each.peer_node);
    json.Key("path").Integer(each.path);
    json.Key("rung").Text(TransportRungName(each.rung));
    json.Key("state").Text(LinkStateName(each.state));
    json.Key("reason").Text(LinkReasonName(each.reason));
    json.Key("age_seconds").Seconds(each.age);
    json.Key("measures").Bool(each.measures);
    json.Key("judges").Bool(each.judges);
    json.Close('}');
  }
  json.Close(']');
}

void WriteInterval(JsonWriter& json, const LossInterval& loss) {
  json.Key("sent").Integer(loss.sent);
  json.Key("lost").Integer(loss.lost);
  json.Key("loss_ratio").Number(loss.ratio);
  json.Key("loss_lower").Number(loss.lower);
  json.Key("loss_upper").Number(loss.upper);
}

void WritePortLoss(JsonWriter& json, const LinkView& link) {
  json.Key("port_loss");
  if (link.port_loss) {
    json.Open('{');
    WriteInterval(json, link.port_loss->interval);
    json.Key("ports").Integer(link.port_loss->ports);
    json.Key("age_seconds").Seconds(link.port_loss->age);
    json.Key("counts").Bool(link.port_loss->counts);
    json.Close('}');
  } else {
    json.Null();
  }
  json.Key("lossy_ports").Open('[');
  for (const auto& [node, loss] : link.lossy_ports) {
    json.Open('{');
    json.Key("node").Text(node);
    json.Key("device").Text(loss.device);
    json.Key("port").Integer(loss.port);
    json.Key("direction").Text(loss.receive ? "receive" : "transmit");
    WriteInterval(json, loss.interval);
    json.Key("source").Text(loss.transport ? "transport" : "probes");
    json.Key("disagree").Bool(loss.disagree);
    json.Key("age_seconds").Seconds(loss.age);
    json.Close('}');
  }
  json.Close(']');
}

void WriteExternal(JsonWriter& json, const LinkView& link) {
  json.Key("external").Open('[');
  for (const LinkExternal& each : link.external) {
    json.Open('{');
    json.Key("value").Text(PrometheusValueName(each.value));
    json.Key("number").Number(each.number);
    json.Key("query").Text(each.query);
    json.Key("age_seconds").Seconds(each.age);
    json.Key("used").Bool(each.used);
    json.Close('}');
  }
  json.Close(']');
}

void WriteHistory(JsonWriter& json, const LinkHistory& history, MonotonicTime now) {
  json.Key("history").Open('[');
  for (const LinkHistoryPoint& point : *history) {
    json.Open('{');
    json.Key("age_seconds").Seconds(now - point.at);
    json.Key("rtt_p50_seconds").Seconds(point.rtt_p50);
    json.Key("loss_forward_ratio").Number(point.loss_forward);
    json.Key("loss_reverse_ratio").Number(point.loss_reverse);
    json.Key("state").Text(LinkStateName(point.state));
    json.Close('}');
  }
  json.Close(']');
}

void WriteLink(JsonWriter& json, const LinkView& link, const LeaseStatus& leases) {
  json.Key("from").Text(link.key.from_site);
  json.Key("to").Text(link.key.to_site);
  json.Key("state").Text(LinkStateName(link.state));
  json.Key("reason").Text(LinkReasonName(link.reason));
  json.Key("evidence").Text(link.evidence);
  json.Key("state_age_seconds").Seconds(link.state_age);
  json.Key("quorum").Integer(link.quorum);
  json.Key("agreeing").Integer(link.agreeing);
  json.Key("probers").Integer(link.probers);
  json.Key("rung");
  link.rung ? json.Text(TransportRungName(*link.rung)) : json.Null();
  json.Key("samples").Integer(link.samples);
  json.Key("age_seconds").Seconds(link.age);
  json.Key("rtt_seconds").Open('{');
  json.Key("min").Seconds(link.rtt_min);
  json.Key("p50").Seconds(link.rtt_p50);
  json.Key("p99").Seconds(link.rtt_p99);
  json.Close('}');
  json.Key("before_test_seconds").Seconds(link.before_test);
  WriteDirection(json, "forward", link.forward);
  WriteDirection(json, "reverse", link.reverse);
  json.Key("lost_direction_unknown").Integer(link.lost_direction_unknown);
  json.Key("below_floor").Integer(link.below_floor);
  json.Key("floor_rtt_seconds").Seconds(link.floor_rtt);
  json.Key("path_stretch").Number(link.path_stretch);
  WriteBandwidth(json, link, leases);
  WriteContributors(json, link);
  WritePortLoss(json, link);
  WriteExternal(json, link);
}

void WriteSummary(JsonWriter& json, const LinkSnapshot& links, const RegistryStatus& status) {
  std::set<std::string_view> sites;
  for (const LinkView& link : links.links) {
    sites.insert(link.key.from_site);
    sites.insert(link.key.to_site);
  }
  json.Key("sites").Open('[');
  for (const std::string_view site : sites) json.Text(site);
  json.Close(']');
  // Site names come from the configuration, which admits no character that needs an escape.
  json.Key("probes").Open('{');
  for (const auto& [site, count] : status.connected) json.Key(site).Integer(count);
  json.Close('}');
  json.Key("plan_revision").Integer(status.plan_revision);
  json.Key("bad_nodes").Open('[');
  for (const BadNode& bad : links.bad_nodes) {
    json.Open('{');
    json.Key("node").Text(bad.node);
    json.Key("site").Text(bad.site);
    json.Key("evidence").Text(bad.evidence);
    json.Close('}');
  }
  json.Close(']');
}

}  // namespace

std::string WriteLinksJson(const LinkSnapshot& links, const RegistryStatus& status,
                           const std::optional<LinkKey>& history_of, MonotonicTime now,
                           WallTime wall_now) {
  std::string out;
  out.reserve(4096 + links.links.size() * 2048);
  JsonWriter json(out);
  json.Open('{');
  json.Key("version").Integer(1);
  json.Key("generated_at_unix_seconds").Seconds(wall_now.time_since_epoch());
  WriteSummary(json, links, status);
  json.Key("links").Open('[');
  for (std::size_t i = 0; i < links.links.size(); ++i) {
    json.Open('{');
    WriteLink(json, links.links[i], status.leases);
    if (history_of == links.links[i].key && i < links.histories.size()) {
      WriteHistory(json, links.histories[i], now);
    }
    json.Close('}');
  }
  json.Close(']').Close('}');
  out += '\n';
  return out;
}

}  // namespace fairlead::extender
