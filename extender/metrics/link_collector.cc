#include "extender/metrics/link_collector.h"

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "common/link/link_state.h"

namespace fairlead::extender {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using Labels = std::vector<ClientMetric::Label>;

MetricFamily GaugeFamily(std::string name, std::string help) {
  MetricFamily family;
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = prometheus::MetricType::Gauge;
  return family;
}

Labels SiteLabels(const LinkView& link) {
  return {{"src_site", link.key.from_site}, {"dst_site", link.key.to_site}};
}

void Add(MetricFamily& family, Labels labels, double value) {
  ClientMetric metric;
  metric.label = std::move(labels);
  metric.gauge.value = value;
  family.metric.push_back(std::move(metric));
}

void AddBandwidth(const LinkView& link, MetricFamily& rate, MetricFamily& used,
                  MetricFamily& available, MetricFamily& doubt) {
  if (link.rate) {
    Labels labels = SiteLabels(link);
    labels.push_back({"source", std::string(RateSourceName(link.rate->source))});
    Add(rate, std::move(labels), link.rate->bytes_per_second);
  }
  if (link.used) Add(used, SiteLabels(link), link.used->bytes_per_second);
  if (const auto& left = link.available_bytes_per_second) Add(available, SiteLabels(link), *left);
  const bool wrong = link.declared_doubt != DeclaredRateDoubt::kNone &&
                     link.declared_doubt != DeclaredRateDoubt::kAbsent;
  if (!wrong) return;
  Labels labels = SiteLabels(link);
  labels.push_back({"doubt", std::string(DeclaredRateDoubtName(link.declared_doubt))});
  Add(doubt, std::move(labels), 1);
}

void AddPortLoss(const LinkView& link, MetricFamily& family) {
  if (!link.port_loss) return;
  const LossInterval& loss = link.port_loss->interval;
  for (const auto& [bound, value] :
       {std::pair("lower", loss.lower), std::pair("upper", loss.upper)}) {
    Labels labels = SiteLabels(link);
    labels.push_back({"counts", link.port_loss->counts ? "yes" : "no"});
    labels.push_back({"bound", bound});
    Add(family, std::move(labels), value);
  }
}

std::optional<double> Seconds(const std::optional<Nanoseconds>& value) {
  if (!value) return std::nullopt;
  return std::chrono::duration<double>(*value).count();
}

}  // namespace

std::vector<MetricFamily> LinkCollector::Collect() const {
  const auto snapshot = links_.Get();
  MetricFamily state = GaugeFamily("fairlead_extender_link_state",
                                   "1 for the state a link is in, 0 for the others.");
  MetricFamily p50 = GaugeFamily("fairlead_extender_link_rtt_p50_seconds",
                                 "Median round-trip time of a link over its reporting window.");
  MetricFamily loss = GaugeFamily("fairlead_extender_link_loss_ratio",
                                  "Lost packets by those sent, by direction, over the window.");
  MetricFamily age = GaugeFamily("fairlead_extender_link_age_seconds",
                                 "Age of the newest answered probe of a link.");
  MetricFamily probers =
      GaugeFamily("fairlead_extender_link_probers", "Nodes with a fresh verdict on a link.");
  MetricFamily rate =
      GaugeFamily("fairlead_extender_link_rate_bytes_per_second",
                  "What a link carries, by what its source says: saturation, train or declared.");
  MetricFamily used =
      GaugeFamily("fairlead_extender_link_used_bytes_per_second",
                  "What a link carries now at most, by the port counters of its ends.");
  MetricFamily available = GaugeFamily("fairlead_extender_link_available_bytes_per_second",
                                       "What a link has left, at least where it is not measured.");
  MetricFamily port_loss =
      GaugeFamily("fairlead_extender_link_port_loss_ratio",
                  "95 % bounds of loss by the transport counters of the ports at both ends of a "
                  "link; counts: whether it can only be of this line.");
  MetricFamily doubt = GaugeFamily("fairlead_extender_link_declared_doubt",
                                   "1 where the declared capacity of a link can't be right.");
  for (const LinkView& link : snapshot->links) {
    AddPortLoss(link, port_loss);
    AddBandwidth(link, rate, used, available, doubt);
    for (const LinkState each : kAllLinkStates) {
      Labels labels = SiteLabels(link);
      labels.push_back({"state", std::string(LinkStateName(each))});
      Add(state, std::move(labels), link.state == each ? 1 : 0);
    }
    if (const auto value = Seconds(link.rtt_p50)) Add(p50, SiteLabels(link), *value);
    if (const auto value = Seconds(link.age)) Add(age, SiteLabels(link), *value);
    Add(probers, SiteLabels(link), link.probers);
    const std::pair<const char*, const LossInterval*> ways[] = {{"forward", &link.forward.loss},
                                                                {"reverse", &link.reverse.loss}};
    for (const auto& [direction, interval] : ways) {
      if (interval->sent == 0) continue;
      Labels labels = SiteLabels(link);
      labels.push_back({"direction", direction});
      Add(loss, std::move(labels), interval->ratio);
    }
  }
  const auto status = status_.Get();
  MetricFamily connected =
      GaugeFamily("fairlead_extender_probes_connected", "Probes with a live stream, by site.");
  for (const auto& [site, count] : status->connected) Add(connected, {{"site", site}}, count);
  MetricFamily revision =
      GaugeFamily("fairlead_extender_plan_revision", "Revision of the newest probe plan.");
  if (status->plan_revision != 0) {
    Add(revision, {}, static_cast<double>(status->plan_revision));
  }
  return {std::move(state),   std::move(p50),       std::move(loss),     std::move(age),
          std::move(probers), std::move(connected), std::move(revision), std::move(rate),
          std::move(used),    std::move(available), std::move(doubt),    std::move(port_loss)};
}

}  // namespace fairlead::extender
