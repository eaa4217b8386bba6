#include "deviceplugin/doctor_cli/doctor_command.h"

#include <string_view>
#include <utility>

#include "common/base/quote.h"
#include "common/cli/arguments.h"
#include "common/units/rate.h"
#include "deviceplugin/doctor_facts/line_reader.h"

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kStateDirectory = "/var/lib/fairlead";

const OptionRules kNodeRules{
    {"config", true}, {"root", true}, {"node-name", true}, {"site", true}, {"rtt", true}};
const OptionRules kJsonRule{{"json", false}};
const OptionRules kNcclRules{{"to", true}, {"bytes", true}};
const OptionRules kFixRules{{"check", true}, {"yes", false}, {"undo", false}, {"state", true}};

Result<DoctorCommand> NodeCommand(const Arguments& from, DoctorAction action) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "doctor knows no " + Quoted(from.operands.front()) +
                                                 "; there are explain, nccl and fix");
  }
  DoctorCommand command;
  command.action = action;
  command.config_file = from.Get("config");
  command.root = from.Get("root");
  command.node_name = from.Get("node-name");
  command.site = from.Get("site");
  command.json = from.Has("json");
  auto rtts = ParseRtts(from.Get("rtt"));
  if (!rtts) return Fail(rtts.error().Within("--rtt"));
  command.rtts = *std::move(rtts);
  return command;
}

Result<DoctorCommand> ReadExplain(int argc, char** argv) {
  const auto from = ReadArguments(argc, argv, {});
  if (!from) return Fail(from.error());
  DoctorCommand command;
  command.action = DoctorAction::kExplain;
  for (const std::string& word : from->operands) {
    command.name += (command.name.empty() ? "" : " ") + word;
  }
  return command;
}

Result<DoctorCommand> ReadNccl(int argc, char** argv) {
  const auto from = ReadArguments(argc, argv, kNodeRules + kJsonRule + kNcclRules);
  if (!from) return Fail(from.error());
  auto command = NodeCommand(*from, DoctorAction::kNccl);
  if (!command) return command;
  command->peer_site = from->Get("to");
  if (from->Has("bytes")) {
    const auto bytes = ParseBytes(from->Get("bytes"));
    if (!bytes) return Fail(bytes.error().Within("--bytes"));
    command->message_bytes = *bytes;
  }
  return command;
}

Result<DoctorCommand> ReadFix(int argc, char** argv) {
  const auto from = ReadArguments(argc, argv, kNodeRules + kFixRules);
  if (!from) return Fail(from.error());
  auto command = NodeCommand(*from, from->Has("undo") ? DoctorAction::kUndo : DoctorAction::kFix);
  if (!command) return command;
  command->name = from->Get("check");
  command->apply = from->Has("yes");
  command->state_directory = from->Get("state", kStateDirectory);
  if (command->name.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "doctor fix needs --check NAME");
  }
  return command;
}

}  // namespace

Result<DoctorCommand> ReadDoctorCommand(int argc, char** argv) {
  const std::string_view action = argc > 1 ? argv[1] : "";
  if (action == "explain") return ReadExplain(argc - 1, argv + 1);
  if (action == "nccl") return ReadNccl(argc - 1, argv + 1);
  if (action == "fix") return ReadFix(argc - 1, argv + 1);
  const auto from = ReadArguments(argc, argv, kNodeRules + kJsonRule);
  if (!from) return Fail(from.error());
  return NodeCommand(*from, DoctorAction::kExamine);
}

std::string DoctorHelp() {
  return R"(  fairlead-deviceplugin doctor [--config FILE] [--site NAME] [--rtt SITE=36ms,...] [--json]
      [--node-name NAME] [--root DIR]
      Check this node's RDMA set-up: what is wrong, what it costs on this site's lines, what to do.
      Exit 0 where nothing is wrong, 3 after warnings, 4 after faults.

  fairlead-deviceplugin doctor explain [NAME]
      What a setting from a guide is, or that there is none and what does the job. Without NAME all.

  fairlead-deviceplugin doctor nccl [--to SITE] [--bytes 100MB] [--json] [options of doctor]
      NCCL's variables for a line, each with its reason. --bytes: of one all-reduce.

  fairlead-deviceplugin doctor fix --check NAME [--yes | --undo] [--state DIR] [options of doctor]
      Show what would mend a finding while the node runs; with --yes do it and keep the old values
      in DIR (/var/lib/fairlead), from which --undo takes them back.
)";
}

}  // namespace fairlead::deviceplugin
