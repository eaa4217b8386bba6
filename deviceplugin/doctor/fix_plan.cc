#include "deviceplugin/doctor/fix_plan.h"

#include <algorithm>
#include <array>
#include <set>

#include "common/base/quote.h"
#include "deviceplugin/doctor/checks.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/tcp_windows.h"
#include "deviceplugin/doctor/traffic_priority.h"

namespace fairlead::deviceplugin {
namespace {

// The least network MTU with a RoCE path MTU of 4096.
constexpr std::uint32_t kNetworkMtu = 4096 + kRoceOverheadBytes;

std::string Triple(const std::array<std::uint64_t, 3>& old, std::uint64_t most) {
  return std::to_string(old[0]) + " " + std::to_string(old[1]) + " " +
         std::to_string(std::max(old[2], most));
}

FixPlan PlanMtu(const NodeFacts& facts) {
  FixPlan plan;
  std::set<std::string> done;
  for (const PortView& view : RocePorts(facts)) {
    const std::uint32_t network = view.port->mtu_bytes;
    if (network == 0 || network >= kNetworkMtu || view.facts->netdev.empty()) continue;
    if (!done.insert(view.facts->netdev).second) continue;
    plan.steps.push_back({.path = "/sys/class/net/" + view.facts->netdev + "/mtu",
                          .value = std::to_string(kNetworkMtu),
                          .directory = ""});
  }
  if (!plan.steps.empty()) {
    plan.caution =
        "The interface may pause for some seconds, and TCP uses the larger packets too: the "
        "switches on the way must carry " +
        std::to_string(kNetworkMtu) + " bytes.";
  }
  return plan;
}

FixPlan PlanCma(const NodeFacts& facts) {
  FixPlan plan;
  const auto uses = TrafficClasses(facts);
  for (const PortView& view : RocePorts(facts)) {
    const auto& cma = view.facts->rdma_cm;
    if (!cma) continue;
    const std::string device = "/sys/kernel/config/rdma_cm/" + view.hca->name;
    const std::string port = device + "/ports/" + std::to_string(view.port->number);
    if (!cma->roce_v2) {
      plan.steps.push_back(
          {.path = port + "/default_roce_mode", .value = "RoCE v2", .directory = device});
    }
    if (uses.size() == 1 && uses.front().traffic_class != cma->tos) {
      plan.steps.push_back({.path = port + "/default_roce_tos",
                            .value = std::to_string(uses.front().traffic_class),
                            .directory = device});
    }
  }
  if (!plan.steps.empty()) plan.caution = "Connections that are already there keep what they have.";
  return plan;
}

FixPlan PlanTcpBuffers(const NodeFacts& facts) {
  FixPlan plan;
  const auto load = HeaviestLine(facts, NodeRate(facts));
  const auto& tcp = facts.host.tcp;
  if (!tcp || !load) return plan;
  const std::uint64_t wanted = WantedTcpBuffer(*load);
  const double least = LeastTcpBuffer(*load);
  const std::string base = "/proc/sys/net/ipv4/";
  if (static_cast<double>(tcp->receive_bytes[2]) < least) {
    plan.steps.push_back({base + "tcp_rmem", Triple(tcp->receive_bytes, wanted), ""});
  }
  if (static_cast<double>(tcp->send_bytes[2]) < least) {
    plan.steps.push_back({base + "tcp_wmem", Triple(tcp->send_bytes, wanted), ""});
  }
  return plan;
}

FixPlan PlanTcpBootstrap(const NodeFacts& facts) {
  FixPlan plan;
  const auto& tcp = facts.host.tcp;
  if (!tcp) return plan;
  const std::string base = "/proc/sys/net/ipv4/";
  if (!tcp->window_scaling) plan.steps.push_back({base + "tcp_window_scaling", "1", ""});
  if (tcp->slow_start_after_idle) {
    plan.steps.push_back({base + "tcp_slow_start_after_idle", "0", ""});
  }
  return plan;
}

struct Planner {
  std::string_view check;
  FixPlan (*plan)(const NodeFacts&);
};

constexpr std::array kPlanners{Planner{"roce_mtu", PlanMtu}, Planner{"rdma_cm", PlanCma},
                               Planner{"tcp_buffers", PlanTcpBuffers},
                               Planner{"tcp_bootstrap", PlanTcpBootstrap}};

std::string FixableText() {
  std::string text;
  for (const Planner& planner : kPlanners) {
    text += (text.empty() ? "" : ", ") + std::string(planner.check);
  }
  return text;
}

}  // namespace

std::vector<std::string_view> FixableChecks() {
  std::vector<std::string_view> names;
  for (const Planner& planner : kPlanners) names.push_back(planner.check);
  return names;
}

Result<FixPlan> PlanFix(std::string_view check, const NodeFacts& facts) {
  for (const Planner& planner : kPlanners) {
    if (planner.check == check) return planner.plan(facts);
  }
  const auto checks = AllChecks();
  const bool known = std::any_of(checks.begin(), checks.end(),
                                 [&](const Check& one) { return one.name == check; });
  if (!known) {
    return Fail(ErrorCode::kNotFound,
                "there is no check " + Quoted(check) + "; what can be mended: " + FixableText());
  }
  return Fail(ErrorCode::kUnsupported,
              "what " + std::string(check) +
                  " finds cannot be mended safely while the node runs; do what the finding says. "
                  "What can be: " +
                  FixableText());
}

}  // namespace fairlead::deviceplugin
