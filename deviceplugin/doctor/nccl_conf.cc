#include "deviceplugin/doctor/nccl_conf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "deviceplugin/doctor/nccl_advice.h"
#include "deviceplugin/doctor/traffic_priority.h"
#include "deviceplugin/doctor/wrapped_text.h"
#include "deviceplugin/profile/allocated_port.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kWidth = 98;  // of a comment, behind "# "
constexpr std::size_t kLongestValue = 1023;

std::string Comment(std::string_view text) {
  std::string out;
  std::string lines = Wrapped("", 0, text, kWidth);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    out += "# " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

// Those of MakeProfile that no line and no advice has a say in.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOfProfile{{
    {"NCCL_IB_HCA",
     "Exactly the ports that this container holds; '=' keeps mlx5_1 from being "
     "mlx5_10 as well."},
    {"NCCL_IB_GID_INDEX",
     "The best GID of each port has this index on the host's network, which "
     "the pod shares."},
    {"NCCL_IB_ADDR_FAMILY", "The family of the GIDs that reach the other sites."},
    {"NCCL_IB_ADDR_RANGE", "The subnet of these GIDs."},
    {"NCCL_IB_ROCE_VERSION_NUM", "RoCE v2 passes routers, v1 does not; each port has this one."},
}};

// As far as they are known when a container starts: nothing is read from the ports.
NodeFacts FactsOf(const NcclConfFacts& from) {
  NodeFacts facts;
  for (const auto& hca : from.job.hcas) {
    facts.inventory.hcas.push_back(*hca);
    HcaFacts& own = facts.hcas.emplace_back();
    for (const HcaPort& port : hca->ports) {
      PortFacts& port_facts = own.ports.emplace_back();
      if (!port.netdevs.empty()) port_facts.netdev = port.netdevs.front();
    }
  }
  facts.inventory.gpus = from.job.gpus;
  facts.lines = from.lines;
  facts.host.default_route = from.default_route;
  facts.outage = from.job.settings.outage;
  PoolConfig pool;
  pool.resource = from.job.settings.resource;
  pool.network = from.job.settings.network;
  pool.priority = from.job.settings.priority;
  facts.pools = {pool};
  return facts;
}

std::string HeadOf(const NcclJob& job) {
  std::vector<const Hca*> hcas;
  for (const auto& hca : job.hcas) hcas.push_back(hca.get());
  std::string ports;
  for (const AllocatedPort& port : PortsOf(hcas, job.settings.select)) {
    ports += (ports.empty() ? "" : ", ") + port.Name();
  }
  return Comment(std::string(kNcclConfBegin.substr(2)) + " " + job.settings.resource + ": " +
                 ports +
                 ". fairlead-deviceplugin writes them anew each time it starts. What the "
                 "container's environment has goes before this file.");
}

std::string MeasuredText(const LineFacts& line) {
  std::string text;
  switch (line.rtt_source) {
    case RttSource::kGiven:
      break;
    case RttSource::kMeasured:
      text = "The RTT is the median that linkprobe measured" +
             (line.rtt_age ? " " + HumanAge(*line.rtt_age) + " ago" : "") + ".";
      break;
    case RttSource::kFloor:
      text =
          "The RTT is not measured here: light in fibre takes as long between the sites, the line "
          "takes longer.";
      break;
  }
  if (line.loss) {
    text += " Its probes lose " + HumanPercent(line.loss->first) + " to " +
            HumanPercent(line.loss->second) + ".";
  }
  if (!line.capacity_bits_per_second) {
    text += " The line's capacity is not declared; the rate is the HCAs' own.";
  }
  return text;
}

std::string WhyNoLine(const Known<SiteLines>& lines) {
  if (!lines) return lines.why_not();
  const bool any_rtt = std::any_of(lines->lines.begin(), lines->lines.end(),
                                   [](const LineFacts& line) { return bool(line.rtt); });
  return any_rtt ? "neither the rate of an HCA nor a line's capacity is known"
                 : "no RTT is known of a line of site " + lines->site;
}

std::string LineComment(const Known<SiteLines>& lines, const std::optional<LineLoad>& load) {
  if (load) {
    std::string text = "Worst line of site " + lines->site + ": " + LineText(*load) + ", with " +
                       BytesText(load->bytes_in_flight) + (load->at_least ? " at least" : "") +
                       " under way to fill it. ";
    for (const LineFacts& line : lines->lines) {
      if (line.peer == load->peer) text += MeasuredText(line);
    }
    return Comment(text);
  }
  return Comment("No facts of a line: " + WhyNoLine(lines) +
                 ". What depends on one is left to NCCL.");
}

// How packets are marked is the pool's to say, as far as it acts on these ports: MakeProfile knows.
bool IsMark(const std::string& variable) {
  return variable == "NCCL_IB_TC" || variable == "NCCL_IB_FIFO_TC" || variable == "NCCL_IB_SL";
}

std::string WhyMark(const NcclJob& job, const std::pair<const std::string, std::string>& variable) {
  if (variable.first == "NCCL_IB_FIFO_TC") return "Of the pool, for the receiver's messages.";
  const auto& traffic_class = job.settings.priority.traffic_class;
  if (variable.first == "NCCL_IB_SL" || !traffic_class) return "Of the pool.";
  return "Of the pool " + job.settings.resource + ": " + ClassParts(*traffic_class) +
         ". `doctor` says which priority each port gives it.";
}

std::string Entry(const std::string& why, const std::string& variable, const std::string& value) {
  return "\n" + Comment(why) + variable + "=" + value + "\n";
}

}  // namespace

bool FitsNcclConf(const std::string& variable, const std::string& value) {
  return variable.starts_with("NCCL_") && value.size() <= kLongestValue &&
         value.find('\n') == std::string::npos;
}

std::string NcclConfText(const NcclConfFacts& facts) {
  const NodeFacts node = FactsOf(facts);
  const std::optional<LineLoad> load = HeaviestLine(node, NodeRate(node));
  std::string text = HeadOf(facts.job) + "#\n" + LineComment(facts.lines, load);
  std::string left;
  auto of_profile = facts.env;
  for (const auto& [variable, why] : kOfProfile) {
    const auto found = of_profile.find(std::string(variable));
    if (found == of_profile.end() || !FitsNcclConf(found->first, found->second)) continue;
    text += Entry(std::string(why), found->first, found->second);
    of_profile.erase(found);
  }
  const NcclAdvice advice = AdviseNccl(node, {.line = load, .message_bytes = std::nullopt});
  for (const NcclSetting& setting : advice.settings) {
    // Which GPUs go with the HCAs is another resource's to say.
    if (setting.variable == "NCCL_NET_GDR_LEVEL" && facts.job.gpus.empty()) continue;
    const auto found = of_profile.find(setting.variable);
    const bool marks = IsMark(setting.variable);
    if (found != of_profile.end()) {
      text += Entry(marks ? WhyMark(facts.job, *found) : setting.why, found->first, found->second);
    } else if (!setting.value.empty() && !marks) {
      text += Entry(setting.why, setting.variable, setting.value);
    } else {
      left += Comment(setting.variable + ": " +
                      (setting.value.empty() ? setting.why : "None of the ports is RoCE."));
    }
  }
  if (!left.empty()) text += "\n# Left to NCCL:\n" + left;
  return text;
}

}  // namespace fairlead::deviceplugin
