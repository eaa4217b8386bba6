// Follows one resource of an API server and prints what it sees, one JSON object a line, for tests
// of the client against a real one:
//
//   kube_watch_tool [--in-cluster HOST PORT DIRECTORY | --kubeconfig FILE] --resource NAME PATH
//                   [--optional] [--page N] [--silence SECONDS] [--absent-wait SECONDS] [--once]
//
//   {"replace": 3}  {"upsert": "default/a"}  {"remove": "default/a"}  {"status": {...}}
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "common/kube/in_cluster.h"
#include "common/kube/kubeconfig.h"
#include "common/kube/reflector.h"
#include "common/kube/typed_store.h"

namespace fairlead::kube {
namespace {

struct Seen {
  ObjectId id;
};

struct Options {
  Result<Access> access = Fail(ErrorCode::kInvalidArgument, "no access is given");
  Resource resource;
  ReflectorLimits limits;
  bool once = false;
};

Options ParseOptions(int argc, char** argv) {
  Options options;
  const auto next = [&](int& i) { return i + 1 < argc ? argv[++i] : ""; };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--kubeconfig") {
      options.access = ReadKubeconfig(next(i), "", {});
    } else if (word == "--in-cluster") {
      InClusterPlace place;
      place.host = next(i);
      place.port = next(i);
      place.directory = next(i);
      options.access = InCluster(place);
    } else if (word == "--resource") {
      options.resource.name = next(i);
      options.resource.path = next(i);
    } else if (word == "--optional") {
      options.resource.optional = true;
    } else if (word == "--page") {
      options.limits.page = std::atoi(next(i));
    } else if (word == "--silence") {
      options.limits.watch_silence = Seconds(std::atoi(next(i)));
    } else if (word == "--absent-wait") {
      options.limits.times.absent_wait = Seconds(std::atoi(next(i)));
    } else if (word == "--once") {
      options.once = true;
    }
  }
  return options;
}

void Print(const nlohmann::json& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

nlohmann::json Json(const ReflectorStatus& status) {
  nlohmann::json failures = nlohmann::json::object();
  for (int i = 0; i < kApiFailures; ++i) {
    const auto failure = static_cast<ApiFailure>(i);
    if (status.failed(failure) > 0) failures[ApiFailureName(failure)] = status.failed(failure);
  }
  return {{"synced", status.synced},       {"absent", status.absent},
          {"trouble", status.trouble},     {"lists", status.lists},
          {"watches", status.watches},     {"events", status.events},
          {"bookmarks", status.bookmarks}, {"failures", failures},
          {"bad", status.bad_objects},     {"last_bad", status.last_bad_object}};
}

int Run(const Options& options) {
  std::signal(SIGPIPE, SIG_IGN);
  if (!options.access) {
    std::cerr << options.access.error().message << "\n";
    return 1;
  }
  const SystemClock clock;
  const MonotonicTime began = clock.Now();
  std::size_t listed = 0;
  TypedStore<Seen> store({
      .decode = [](const ObjectId& id, std::string_view) -> Result<Seen> { return Seen{id}; },
      .replace =
          [&](const std::vector<Seen>& all) {
            listed = all.size();
            nlohmann::json names = nlohmann::json::array();
            if (!options.once && all.size() < 100) {
              for (const Seen& seen : all) names.push_back(seen.id.Text());
            }
            Print({{"replace", all.size()}, {"names", names}});
          },
      .upsert =
          [](const Seen& seen) {
            Print({{"upsert", seen.id.Text()}});
          },
      .remove =
          [](const ObjectId& id) {
            Print({{"remove", id.Text()}});
          },
      .settle = {},
  });
  auto reflector = Reflector::Create(options.resource, *options.access, "fairlead-test", store,
                                     clock, 1, options.limits);
  if (!reflector) {
    std::cerr << reflector.error().message << "\n";
    return 1;
  }
  (*reflector)->Start();
  nlohmann::json before;
  while (true) {
    const ReflectorStatus status = (*reflector)->status();
    nlohmann::json now = Json(status);
    if (now != before) Print({{"status", now}});
    before = std::move(now);
    if (options.once && status.synced) break;
    std::this_thread::sleep_for(Milliseconds(20));
  }
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  const auto cpu = [](const timeval& t) { return t.tv_sec * 1000 + t.tv_usec / 1000; };
  Print({{"listed", listed},
         {"ms", std::chrono::duration_cast<Milliseconds>(clock.Now() - began).count()},
         {"cpu_ms", cpu(usage.ru_utime) + cpu(usage.ru_stime)},
         {"most_rss_kb", usage.ru_maxrss}});
  return 0;
}

}  // namespace
}  // namespace fairlead::kube

int main(int argc, char** argv) {
  return fairlead::kube::Run(fairlead::kube::ParseOptions(argc, argv));
}
