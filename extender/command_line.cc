#include "extender/command_line.h"

#include <getopt.h>

#include <array>
#include <cstdio>

namespace fairlead::extender {
namespace {

constexpr char kUsage[] =
    "Usage: fairlead-extender --config FILE [--check-config]\n"
    "\n"
    "Ranks nodes for kube-scheduler from measured links between sites.\n"
    "\n"
    "  --config FILE    the configuration, fairlead.yaml\n"
    "  --check-config   only say what is wrong with the configuration and the files that it "
    "names;\n"
    "                   exit 0 where nothing is, else 1\n"
    "  --help           this text\n"
    "  --version        the version\n"
    "\n"
    "Listens on three addresses, all under `extender:` in the configuration:\n"
    "  httpListen   POST /kube/filter /kube/prioritize; GET /links /links.json /explain\n"
    "  grpcListen   where fairlead-linkprobe connects\n"
    "  opsListen    GET /metrics /healthz /readyz\n";

constexpr int kCheckConfig = 256;
constexpr int kVersion = 257;

constexpr std::array<option, 5> kOptions{{{"config", required_argument, nullptr, 'c'},
                                          {"check-config", no_argument, nullptr, kCheckConfig},
                                          {"help", no_argument, nullptr, 'h'},
                                          {"version", no_argument, nullptr, kVersion},
                                          {nullptr, 0, nullptr, 0}}};

}  // namespace

CommandLine ReadCommandLine(int argc, char** argv) {
  CommandLine line{.verdict = CommandLineVerdict::kRun, .config_file = {}};
  for (int choice = 0; (choice = getopt_long(argc, argv, "c:h", kOptions.data(), nullptr)) != -1;) {
    if (choice == 'c') {
      line.config_file = optarg;
    } else if (choice == kCheckConfig) {
      line.verdict = CommandLineVerdict::kCheckConfig;
    } else if (choice == 'h') {
      std::fputs(kUsage, stdout);
      return {.verdict = CommandLineVerdict::kDone, .config_file = {}};
    } else if (choice == kVersion) {
      std::puts("fairlead-extender " FAIRLEAD_VERSION);
      return {.verdict = CommandLineVerdict::kDone, .config_file = {}};
    } else {
      std::fputs("Try fairlead-extender --help.\n", stderr);
      return {.verdict = CommandLineVerdict::kWrong, .config_file = {}};
    }
  }
  if (optind < argc || line.config_file.empty()) {
    std::fputs(optind < argc ? "fairlead-extender: takes no arguments besides options\n"
                             : "fairlead-extender: --config FILE is missing\n",
               stderr);
    std::fputs("Try fairlead-extender --help.\n", stderr);
    line.verdict = CommandLineVerdict::kWrong;
  }
  return line;
}

}  // namespace fairlead::extender
