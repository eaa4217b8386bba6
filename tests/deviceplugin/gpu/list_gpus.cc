// Prints the GPUs of this machine as JSON: list_gpus [seconds [library]]. Without seconds once;
// with them whenever something changes in that time, and at the end what it cost.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "deviceplugin/discovery/rooted_files.h"
#include "deviceplugin/gpu/gpu_watch.h"

namespace {

using namespace fairlead;
using namespace fairlead::deviceplugin;
using Json = nlohmann::ordered_json;

Json AsJson(const Gpu& gpu) {
  Json path;
  if (gpu.pci_path) {
    path.push_back(gpu.pci_path->host_bridge);
    for (const PciAddress& hop : gpu.pci_path->hops) path.push_back(FormatPci(hop));
  }
  return {{"index", gpu.index},
          {"uuid", gpu.uuid},
          {"minor", gpu.minor},
          {"product", gpu.product},
          {"pci", gpu.pci ? Json(FormatPci(*gpu.pci)) : Json()},
          {"pci_path", path},
          {"numa_node", gpu.numa_node < 0 ? Json() : Json(gpu.numa_node)},
          {"healthy", gpu.healthy},
          {"reason", gpu.reason}};
}

Json AsJson(const GpuReport& report) {
  Json json{{"gpus", Json::array()}, {"problems", report.problems}};
  for (const Gpu& gpu : report.gpus) json["gpus"].push_back(AsJson(gpu));
  return json;
}

Json Cost() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return {{"max_rss_kib", usage.ru_maxrss},
          {"cpu_seconds", seconds(usage.ru_utime) + seconds(usage.ru_stime)}};
}

void Print(const Json& json) { std::puts(json.dump(2).c_str()); }

}  // namespace

int main(int argc, char** argv) {
  const RootedFiles files("");
  const SystemClock clock;
  const std::string library = argc > 2 ? argv[2] : kNvmlLibrary;
  const auto took = [&, begin = clock.Now()] {
    return std::chrono::duration<double, std::milli>(clock.Now() - begin).count();
  };
  if (argc < 2) {
    Json json = AsJson(ReadGpusOnce(library, files));
    json["took_ms"] = took();
    json["cost"] = Cost();
    Print(json);
    return 0;
  }
  GpuWatchOptions options;
  options.library = library;
  options.patience = Seconds(60);
  const auto watch = GpuWatch::Start(options, files, clock, [] {});
  Json first = AsJson(watch->Read());
  first["took_ms"] = took();
  first["cost"] = Cost();
  Print(first);
  GpuReport last = watch->Read();
  for (int i = 0; i < std::atoi(argv[1]) * 10; ++i) {
    std::this_thread::sleep_for(Milliseconds(100));
    if (GpuReport now = watch->Read(); !(now == last)) {
      Print(AsJson(now));
      last = std::move(now);
    }
  }
  const GpuWatchCounts counts = watch->counts();
  Print({{"readings", counts.readings},
         {"xids", counts.xids},
         {"xids_of_unknown_gpus", counts.unknown_gpu},
         {"event_failures", counts.event_failures},
         {"loads", counts.loads},
         {"cost", Cost()}});
  return 0;
}
