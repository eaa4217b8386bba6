// What it costs to take over a large cluster: 5,000 nodes and 20,000 pods of the size that real
// ones have, listed in pages from a server on the loopback, plain HTTP, and kept as small
// values.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "common/kube/reflector.h"
#include "common/kube/typed_store.h"
#include "tests/common/kube/support/scripted_server.h"

namespace fairlead::kube {
namespace {

constexpr int kNodes = 5000;
constexpr int kPods = 20000;

// Field names and sizes of what a 1.37 API server answers; about 11 KB a node and 8 KB a pod.
std::string Labels(int count, int size) {
  std::string out = "{";
  for (int i = 0; i < count; ++i) {
    out += "\"feature.node.kubernetes.io/label-" + std::to_string(i) + "\":\"" +
           std::string(static_cast<std::size_t>(size), 'v') + "\",";
  }
  out.back() = '}';
  return out;
}

std::string Item(bool node, int i, const std::string& filler) {
  const std::string name = (node ? "node-" : "worker-") + std::to_string(i);
  return R"({"metadata":{"name":")" + name + R"(","namespace":"ml","uid":"u-)" + std::to_string(i) +
         R"(","resourceVersion":"7","labels":)" + filler + R"(},"spec":{"nodeName":"node-)" +
         std::to_string(i % kNodes) + R"(","fill":)" + filler + R"(},"status":{"fill":[)" + filler +
         "," + filler + "]}}";
}

void ServePage(const SeenRequest& request, Wire& wire) {
  static const std::string node_filler = Labels(30, 45);
  static const std::string pod_filler = Labels(24, 40);
  if (request.query.contains("watch")) {
    wire.Begin();
    return wire.FallSilent();
  }
  const bool node = request.path.ends_with("nodes");
  const int total = node ? kNodes : kPods;
  const auto from = request.query.find("continue");
  const int begin = from == request.query.end() ? 0 : std::atoi(from->second.c_str());
  const int end = std::min(total, begin + std::atoi(request.query.at("limit").c_str()));
  wire.Begin();
  wire.Send(R"({"metadata":{"resourceVersion":"9","continue":")" +
            (end < total ? std::to_string(end) : "") + R"("},"items":[)");
  for (int i = begin; i < end; ++i) {
    wire.Send((i > begin ? "," : "") + Item(node, i, node ? node_filler : pod_filler));
  }
  wire.Send("]}");
  wire.End();
}

// The server's address, which lives in a process of its own until this one ends.
std::string StartServer() {
  int pipes[2];
  if (pipe(pipes) != 0) std::abort();
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const ScriptedServer server(&ServePage);
    const std::string url = server.url() + "\n";
    if (write(pipes[1], url.data(), url.size()) < 0) std::abort();
    while (true) pause();
  }
  std::string url;
  char c = 0;
  while (read(pipes[0], &c, 1) == 1 && c != '\n') url += c;
  return url;
}

struct Small {
  ObjectId id;
};

struct Usage {
  double cpu_ms = 0;
  double most_rss_mb = 0;
};

Usage Now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return {ms(usage.ru_utime) + ms(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

int Run() {
  std::signal(SIGPIPE, SIG_IGN);
  Access access;
  access.server = StartServer();
  const SystemClock clock;
  std::vector<Small> kept[2];
  std::unique_ptr<TypedStore<Small>> stores[2];
  std::unique_ptr<Reflector> reflectors[2];
  std::printf("%-16s %12s %14s\n", "taken over", "CPU ms", "peak RSS MB");
  std::printf("%-16s %12.0f %14.1f\n", "nothing", Now().cpu_ms, Now().most_rss_mb);
  for (int r = 0; r < 2; ++r) {
    stores[r] = std::make_unique<TypedStore<Small>>(TypedStore<Small>::Owner{
        .decode = [](const ObjectId& id, std::string_view) -> Result<Small> { return Small{id}; },
        .replace = [&kept, r](std::vector<Small> all) { kept[r] = std::move(all); },
        .upsert = [](const Small&) {},
        .remove = [](const ObjectId&) {},
        .settle = {}});
    const Resource resource{r == 0 ? "nodes" : "pods", r == 0 ? "/api/v1/nodes" : "/api/v1/pods",
                            "", "", false};
    auto reflector = Reflector::Create(resource, access, "bench", *stores[r], clock, 1);
    if (!reflector) return 1;
    reflectors[r] = *std::move(reflector);
    const double before = Now().cpu_ms;
    reflectors[r]->Start();
    while (!reflectors[r]->status().synced) std::this_thread::sleep_for(Milliseconds(5));
    if (reflectors[r]->status().lists != 1) return 1;
    std::printf("%-16s %12.0f %14.1f\n", r == 0 ? "5,000 nodes" : "20,000 pods",
                Now().cpu_ms - before, Now().most_rss_mb);
  }
  reflectors[0].reset();
  reflectors[1].reset();
  return kept[0].size() == kNodes && kept[1].size() == kPods ? 0 : 1;
}

}  // namespace
}  // namespace fairlead::kube

int main() { return fairlead::kube::Run(); }
