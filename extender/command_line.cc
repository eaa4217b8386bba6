#include "extender/command_line.h"

#include <array>
#include <string_view>

#include "common/cli/arguments.h"

namespace fairlead::extender {
namespace {

const OptionRules kServeRules{{"config", true}, {"check-config", false}, {"pod-name", true}};
const OptionRules kSchedulerConfigRules{{"for", true},       {"url", true},      {"ca-file", true},
                                        {"cert-file", true}, {"key-file", true}, {"resource", true},
                                        {"timeout", true},   {"weight", true}};
const OptionRules kSchedulerCheckRules{{"env", true}, {"feature-gates", true}};
const OptionRules kReplayRules{
    {"links", true}, {"jobs", true}, {"config", true}, {"svg", true}, {"json", false}};

constexpr std::uint64_t kMostWeight = 1'000'000;

tl::unexpected<Error> Wrong(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

Result<Command> ReadServe(const Arguments& from) {
  if (!from.operands.empty()) {
    return Wrong(from.operands[0] +
                 " is no command; there are scheduler-config, check-scheduler-config and replay");
  }
  const std::string file = from.Get("config");
  if (file.empty()) return Wrong("--config FILE is missing");
  if (from.Has("check-config")) return CheckConfigCommand{.config_file = file};
  return ServeCommand{.config_file = file, .pod = from.Get("pod-name")};
}

Result<Command> ReadSchedulerConfig(const Arguments& from) {
  if (!from.operands.empty()) return Wrong("scheduler-config takes no operand");
  SchedulerConfigWish wish;
  const std::string kind = from.Get("for");
  if (kind == "volcano") {
    wish.kind = SchedulerKind::kVolcano;
  } else if (kind != "kube-scheduler") {
    return Wrong("scheduler-config needs --for kube-scheduler or --for volcano");
  }
  wish.url = from.Get("url", wish.url);
  wish.ca_file = from.Get("ca-file");
  wish.certificate_file = from.Get("cert-file");
  wish.key_file = from.Get("key-file");
  wish.resource = from.Get("resource", wish.resource);
  wish.timeout = from.Get("timeout", wish.timeout);
  if (from.Has("weight")) {
    const auto weight = NumberArgument(from, "weight", 0, 1, kMostWeight);
    if (!weight) return Fail(weight.error());
    wish.weight = static_cast<std::uint32_t>(*weight);
  }
  return wish;
}

Result<Command> ReadSchedulerCheck(const Arguments& from) {
  if (from.operands.size() != 1) return Wrong("check-scheduler-config needs one file");
  return SchedulerCheckWish{.file = from.operands[0],
                            .env_file = from.Get("env"),
                            .feature_gates = from.Get("feature-gates"),
                            .has_feature_gates = from.Has("feature-gates")};
}

Result<Command> ReadReplay(const Arguments& from) {
  if (!from.operands.empty()) return Wrong("replay takes no operand");
  for (const char* needed : {"links", "jobs", "config"}) {
    if (from.Get(needed).empty()) {
      return Wrong("replay needs --links FILE --jobs FILE --config FILE; --" + std::string(needed) +
                   " is missing");
    }
  }
  if (from.Has("svg") && from.Get("svg").empty()) {
    return Wrong("--svg needs the name of a file; leave the option out for no picture");
  }
  return ReplayWish{.links_file = from.Get("links"),
                    .jobs_file = from.Get("jobs"),
                    .config_file = from.Get("config"),
                    .svg_file = from.Get("svg"),
                    .json = from.Has("json")};
}

struct Verb {
  std::string_view name;
  const OptionRules& rules;
  Result<Command> (*read)(const Arguments&);
};

const std::array<Verb, 3> kVerbs{
    {{"scheduler-config", kSchedulerConfigRules, ReadSchedulerConfig},
     {"check-scheduler-config", kSchedulerCheckRules, ReadSchedulerCheck},
     {"replay", kReplayRules, ReadReplay}}};

}  // namespace

Result<Command> ParseCommandLine(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h" || argument == "help") return HelpCommand{};
    if (argument == "--version") return VersionCommand{};
  }
  for (const Verb& verb : kVerbs) {
    if (argc < 2 || verb.name != argv[1]) continue;
    const auto arguments = ReadArguments(argc - 1, argv + 1, verb.rules);
    if (!arguments) return Fail(arguments.error());
    return verb.read(*arguments);
  }
  const auto arguments = ReadArguments(argc, argv, kServeRules);
  if (!arguments) return Fail(arguments.error());
  return ReadServe(*arguments);
}

std::string HelpText() {
  return R"(Usage: fairlead-extender --config FILE [--pod-name NAME] [--check-config]

Ranks nodes for kube-scheduler and Volcano from measured links between sites.

  --config FILE    the configuration, fairlead.yaml
  --pod-name NAME  this replica's pod, as the API server knows it: replicas elect one of them, which
                   answers schedulers; without it this one leads
  --check-config   only say what is wrong with the configuration and the files that it names;
                   exit 0 where nothing is, else 1

Listens on three addresses, all under `extender:` in the configuration:
  httpListen   POST /kube/filter /kube/prioritize /kube/preempt
               POST /volcano/prioritize /volcano/jobEnqueueable /volcano/predicate
               GET /links /links.json /explain
  grpcListen   where fairlead-linkprobe connects
  opsListen    GET /metrics /healthz /readyz

  fairlead-extender scheduler-config --for kube-scheduler|volcano [--url URL] [--ca-file FILE]
      [--cert-file FILE --key-file FILE] [--resource NAME] [--timeout 200ms] [--weight 5]
    Prints a right configuration for that scheduler. The files are as the scheduler sees them; --url
    is without a path, http://127.0.0.1:8471 where it is left out. --timeout is from 50ms to 1s;
    --weight from 3 to 100, and of kube-scheduler alone.

  fairlead-extender check-scheduler-config FILE [--env FILE] [--feature-gates LIST]
    Says what is wrong with a KubeSchedulerConfiguration, Volcano's scheduler configuration, or a
    ConfigMap with one of them: line, value, why, remedy. --env has the scheduler's environment, as
    `env` prints it in its pod; --feature-gates what kube-scheduler was started with, NAME=true or
    NAME=false with commas between. Exit 0 where nothing is wrong, 1 where something is, 2 where the
    file cannot be read.

  fairlead-extender replay --links FILE --jobs FILE --config FILE [--svg FILE] [--json]
    Runs recorded links through the decision about moving gangs, as if it had acted: what would have
    moved, when, what that would have gained, and what other thresholds would. Moves nothing and asks
    nobody. --links has answers of GET /links.json or of a Prometheus, --jobs the gangs;
    docs/migration.md says how to get them. --svg writes a picture. Exit 0, or 1 where a file is
    wrong.

  fairlead-extender --help | --version
)";
}

}  // namespace fairlead::extender
