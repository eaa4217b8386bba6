#include "deviceplugin/doctor_cli/run_doctor.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "common/base/quote.h"
#include "common/config/config_watcher.h"
#include "deviceplugin/discovery/read_node.h"
#include "deviceplugin/discovery/rooted_files.h"
#include "deviceplugin/doctor/checks.h"
#include "deviceplugin/doctor_cli/explain_view.h"
#include "deviceplugin/doctor_cli/fix_view.h"
#include "deviceplugin/doctor_cli/nccl_view.h"
#include "deviceplugin/doctor_cli/report_view.h"
#include "deviceplugin/doctor_facts/firmware_tools.h"
#include "deviceplugin/doctor_facts/holders.h"
#include "deviceplugin/doctor_facts/whereabouts.h"
#include "deviceplugin/kubelet/pod_resources_call.h"
#include "deviceplugin/node/judge_node.h"
#include "deviceplugin/node/node_source.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kKubeletPatience = Milliseconds(300);

Result<Config> ConfigFor(const DoctorCommand& command) {
  if (command.config_file.empty()) return Config();
  return ReadConfigFile(command.config_file);
}

Result<NodeFacts> FactsFor(const DoctorCommand& command, bool tools) {
  const auto config = ConfigFor(command);
  if (!config) return Fail(config.error());
  const RootedFiles files(command.root);
  const DevicepluginConfig& own = config->deviceplugin;
  NodeInventory inventory =
      ReadNode(files, {.netdevs = {}, .allow = own.gid_allow, .deny = own.gid_deny});
  if (WantsGpus(own.gpus)) AddGpus(ReadGpusOnce(own.gpus.nvml_library, files), inventory);
  const Whereabouts whereabouts = FindWhereabouts(
      *config, {.site = command.site, .node_name = command.node_name, .rtts = command.rtts});
  return ReadFacts(files, std::move(inventory), *config, whereabouts, LiveSourcesHere(tools));
}

// As kubelet tells it, where it runs here.
void AskHolders(const DevicepluginConfig& config, NodeFacts& facts) {
  if (facts.hcas.empty()) return;
  HealthBook book{HealthSettings{}};
  const MonotonicTime now = SystemClock().Now();
  const auto [state, offer] = JudgeNode(facts.inventory, book, {}, config, {now, now});
  const std::string socket = PodResourcesSocket(config.kubelet_directory);
  PodHoldings holdings;
  if (access(socket.c_str(), F_OK) == 0) {
    if (auto held = AskWhoHolds(socket, offer, kKubeletPatience, {})) {
      holdings = {.holdings = *std::move(held), .read_at = now};
    }
  }
  AddHolders(holdings, state, facts);
}

Result<DoctorOutput> ExamineNode(const DoctorCommand& command) {
  const auto config = ConfigFor(command);
  if (!config) return Fail(config.error());
  auto facts = FactsFor(command, true);
  if (!facts) return Fail(facts.error());
  AskHolders(config->deviceplugin, *facts);
  const auto reports = Examine(*facts);
  return DoctorOutput{
      .text = command.json ? ReportAsJson(*facts, reports) : ReportAsText(*facts, reports),
      .exit_status = ExitStatusFor(Worst(reports))};
}

Result<DoctorOutput> NcclFor(const DoctorCommand& command, const NodeFacts& facts) {
  NcclQuestion question{.line = std::nullopt, .message_bytes = command.message_bytes};
  const std::uint64_t rate = NodeRate(facts);
  if (command.peer_site.empty()) {
    question.line = HeaviestLine(facts, rate);
  } else {
    if (!facts.lines) return Fail(ErrorCode::kInvalidArgument, facts.lines.why_not());
    const LineFacts* found = nullptr;
    for (const LineFacts& line : facts.lines->lines) {
      if (line.peer == command.peer_site) found = &line;
    }
    if (found == nullptr) {
      return Fail(ErrorCode::kNotFound, "no line leads from " + facts.lines->site + " to " +
                                            Quoted(command.peer_site) +
                                            "; declare it in `lines`, or give --rtt");
    }
    question.line = LoadOf(*found, rate);
  }
  const NcclAdvice advice = AdviseNccl(facts, question);
  return DoctorOutput{.text = command.json ? NcclAsJson(advice) : NcclAsText(advice)};
}

Result<DoctorOutput> FixNode(const DoctorCommand& command, const NodeFacts& facts,
                             const FixPlaces& places) {
  const auto plan = PlanFix(command.name, facts);
  if (!plan) return Fail(plan.error());
  if (plan->steps.empty()) {
    return DoctorOutput{.text = command.name + ": nothing that a change at run time would mend.\n"};
  }
  if (command.apply) {
    const auto applied = ApplyFix(*plan, places);
    if (!applied) return Fail(applied.error());
    return DoctorOutput{.text = AppliedAsText(*applied, command.name, places.undo_file)};
  }
  const RootedFiles files(command.root);
  std::vector<std::string> values;
  for (const FixStep& step : plan->steps) {
    const auto text = files.Read(step.path);
    values.push_back(text ? Blanked(*text) : "(not there yet)");
  }
  return DoctorOutput{.text = PlanAsText(*plan, values)};
}

}  // namespace

Result<DoctorOutput> RunDoctor(const DoctorCommand& command) {
  const FixPlaces places{
      .root = command.root,
      .undo_file = command.state_directory + "/doctor-fix-" + command.name + ".undo"};
  switch (command.action) {
    case DoctorAction::kExamine:
      return ExamineNode(command);
    case DoctorAction::kExplain:
      return ExplainAsText(command.name).map([](std::string text) {
        return DoctorOutput{.text = std::move(text)};
      });
    case DoctorAction::kNccl:
      return FactsFor(command, false).and_then([&](const NodeFacts& facts) {
        return NcclFor(command, facts);
      });
    case DoctorAction::kFix:
      return FactsFor(command, false).and_then([&](const NodeFacts& facts) {
        return FixNode(command, facts, places);
      });
    case DoctorAction::kUndo:
      // The name becomes a part of a path.
      if (const auto plan = PlanFix(command.name, {}); !plan) return Fail(plan.error());
      return UndoFix(places).map(
          [](const Undone& undone) { return DoctorOutput{.text = UndoneAsText(undone)}; });
  }
  return Fail(ErrorCode::kInternal, "no such action");
}

}  // namespace fairlead::deviceplugin
