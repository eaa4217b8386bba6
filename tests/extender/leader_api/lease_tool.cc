// One replica's election against a real API server, for tests/cluster; one JSON object a line:
//
//   lease_tool --kubeconfig FILE --namespace NAME --lease NAME --pod NAME
//
//   {"at_ms": 12, "leads": true, "term": 3, "holder": "a_0123", "trouble": ""}
//
// `at_ms` is of the monotonic clock, which all processes of a machine share. SIGTERM ends in order.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "common/kube/kubeconfig.h"
#include "extender/leader_api/leader_election.h"
#include "extender/leader_api/leader_words.h"

namespace fairlead::extender {
namespace {

std::atomic<bool> ended = false;

int Run(const std::string& kubeconfig, ElectionSettings settings) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, [](int) { ended = true; });
  const auto access = kube::ReadKubeconfig(kubeconfig, "", {});
  if (!access) {
    std::cerr << access.error().message << "\n";
    return 1;
  }
  settings.access = *access;
  settings.user_agent = "fairlead-test";
  const SystemClock clock;
  Snapshot<Leadership> leadership;
  const auto election = LeaderElection::Start(std::move(settings), clock, leadership);
  if (!election) {
    std::cerr << election.error().message << "\n";
    return 1;
  }
  nlohmann::json before;
  const auto tell = [&] {
    const MonotonicTime now = clock.Now();
    const auto current = leadership.Get();
    const ElectionStatus status = (*election)->status();
    const Health health = JudgeElection(*current, status, now);
    nlohmann::json line{{"leads", current->LeadsAt(now)}, {"term", current->term},
                        {"holder", current->holder},      {"ready", health.ok},
                        {"words", health.reason},         {"trouble", status.lease_trouble},
                        {"label", status.label_trouble}};
    if (line == before) return;
    before = line;
    line["at_ms"] = std::chrono::duration_cast<Milliseconds>(now.time_since_epoch()).count();
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  };
  while (!ended) {
    tell();
    std::this_thread::sleep_for(Milliseconds(5));
  }
  (*election)->Stop();
  tell();
  return 0;
}

}  // namespace
}  // namespace fairlead::extender

int main(int argc, char** argv) {
  std::string kubeconfig;
  fairlead::extender::ElectionSettings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    if (word == "--kubeconfig") kubeconfig = argv[i + 1];
    if (word == "--namespace") settings.namespace_name = argv[i + 1];
    if (word == "--lease") settings.lease = argv[i + 1];
    if (word == "--pod") settings.pod = argv[i + 1];
  }
  return fairlead::extender::Run(kubeconfig, std::move(settings));
}
