#include <algorithm>
#include <array>

#include "common/base/quote.h"
#include "common/config/resource_name.h"
#include "extender/scheduler_config/judge.h"
#include "extender/scheduler_config/judge_common.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kPath = "/volcano";
constexpr std::string_view kPrefix = "extender.";

struct Verb {
  std::string_view key;
  std::string_view hook;
  Severity severity;     // of having it called; kNote: it should be, or may
  std::string_view why;  // it should not be
};

constexpr std::string_view kNoOpinion = "is answered with no opinion, a call for nothing";

constexpr std::array<Verb, 12> kVerbs{{
    {"extender.prioritizeVerb", "prioritize", Severity::kNote, ""},
    {"extender.jobEnqueueableVerb", "jobEnqueueable", Severity::kNote, ""},
    {"extender.predicateVerb", "predicate", Severity::kError,
     "is a call for each task and node, 256,000 in a session of 256 tasks and 1,000 nodes"},
    {"extender.onSessionOpenVerb", "onSessionOpen", Severity::kError,
     "sends the whole cluster each second, 300 MB at 1,000 nodes; when that fails the extender is "
     "off for the session"},
    {"extender.onSessionCloseVerb", "onSessionClose", Severity::kWarning, kNoOpinion},
    {"extender.preemptableVerb", "preemptable", Severity::kWarning,
     "is answered with no opinion, but blocks preemption whenever the call fails"},
    {"extender.reclaimableVerb", "reclaimable", Severity::kWarning,
     "is answered with no opinion, but blocks reclaiming whenever the call fails"},
    {"extender.queueOverusedVerb", "queueOverused", Severity::kWarning, kNoOpinion},
    {"extender.jobEnqueuedVerb", "jobEnqueued", Severity::kWarning, kNoOpinion},
    {"extender.jobReadyVerb", "jobReady", Severity::kWarning,
     "is answered with no opinion, but with ignorable a call that fails makes the job never ready"},
    {"extender.allocateFuncVerb", "allocateFunc", Severity::kWarning, kNoOpinion},
    {"extender.deallocateFuncVerb", "deallocateFunc", Severity::kWarning, kNoOpinion},
}};

constexpr std::array<std::string_view, 4> kOtherKeys{"extender.urlPrefix", "extender.httpTimeout",
                                                     "extender.ignorable",
                                                     "extender.managedResources"};

bool Given(const Scalar* value) { return value != nullptr && !value->text.empty(); }

void JudgeVerbs(const VolcanoPlugin& own, Judge& judge) {
  for (const Verb& verb : kVerbs) {
    const Scalar* const value = FindScalar(own.arguments, verb.key);
    if (!Given(value)) continue;
    if (verb.severity != Severity::kNote) {
      judge.Add(verb.severity, value->line, Shown(verb.key, *value), std::string(verb.why),
                "take it out");
    } else if (value->text != verb.hook) {
      judge.Add(Severity::kError, value->line, Shown(verb.key, *value), "is answered with 404",
                "write " + std::string(verb.hook));
    }
  }
  if (!Given(FindScalar(own.arguments, "extender.prioritizeVerb"))) {
    judge.Add(Severity::kError, own.name.line, "extender.prioritizeVerb is not given",
              "nothing is then ranked", "set it to prioritize");
  }
}

void JudgeKeys(const VolcanoPlugin& own, Judge& judge) {
  for (const auto& [key, value] : own.arguments) {
    const bool verb = std::ranges::find(kVerbs, key, &Verb::key) != kVerbs.end();
    if (verb || std::ranges::find(kOtherKeys, key) != kOtherKeys.end()) continue;
    judge.Add(Severity::kError, value.line, Quoted(key) + " is no argument of the extender plugin",
              "Volcano passes over it without a word",
              key.starts_with(kPrefix) ? "mend its spelling or take it out"
                                       : "write it with extender. before it, or take it out");
  }
}

void JudgeTransport(const VolcanoPlugin& own, Judge& judge) {
  const Scalar* const url = FindScalar(own.arguments, "extender.urlPrefix");
  if (!Given(url)) {
    judge.Add(Severity::kError, own.name.line, "extender.urlPrefix is not given",
              "nobody can be called", "set it to http://127.0.0.1:8471/volcano");
  } else {
    judge.Url("extender.urlPrefix", *url, kPath);
    if (ParseEndpoint(url->text).scheme == "https") {
      judge.Add(
          Severity::kWarning, url->line, Shown("extender.urlPrefix", *url),
          "Volcano has no TLS settings for it: only CAs of the scheduler's image are trusted, "
          "and no client certificate is shown",
          "have the CA in that image, or call over http beside the scheduler");
    }
  }
  judge.Timeout("extender.httpTimeout", own.name.line,
                FindScalar(own.arguments, "extender.httpTimeout"), 1);
  judge.Ignorable("extender.ignorable", own.name.line,
                  FindScalar(own.arguments, "extender.ignorable"),
                  "while the extender is away no task gets a node, and Volcano 1.15 crashes in its "
                  "backfill action");
}

bool IsTaskResource(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNative{"cpu", "memory", "ephemeral-storage", "pods"};
  return std::ranges::find(kNative, name) != kNative.end() || name.starts_with("hugepages-") ||
         ParseResourceName(name);
}

void JudgeResources(const VolcanoPlugin& own, Judge& judge) {
  if (own.managed_resources.empty()) {
    judge.Add(Severity::kWarning, own.name.line, "extender.managedResources is empty or not given",
              "every task of the cluster waits for a call, with all its candidate nodes and their "
              "pods in the body",
              "name rdma/hca there");
    return;
  }
  for (const Scalar& name : own.managed_resources) {
    if (IsTaskResource(name.text)) continue;
    judge.Add(Severity::kWarning, name.line, Shown("extender.managedResources[]", name),
              "is no resource that a task can ask for", "write it like rdma/hca, or take it out");
  }
  const auto named = [](const Scalar& name) { return name.text == kHcaResource; };
  if (std::ranges::any_of(own.managed_resources, named)) return;
  judge.Add(Severity::kWarning, own.managed_resources.front().line,
            "extender.managedResources does not name rdma/hca",
            "tasks that ask for HCAs alone are placed without the extender", "add rdma/hca");
}

}  // namespace

Findings JudgeVolcano(const VolcanoSettings& settings, const Surroundings& around) {
  Judge judge(around);
  const VolcanoPlugin* own = nullptr;
  for (const VolcanoPlugin& plugin : settings.plugins) {
    if (plugin.name.text != "extender") continue;
    if (own != nullptr) {
      judge.Add(Severity::kError, plugin.name.line, "a second plugin extender",
                "Volcano has room for one, and the later takes the place of the earlier",
                "keep one of them");
    }
    own = &plugin;
  }
  if (own == nullptr) {
    judge.Add(Severity::kError, 0, "no tier has the plugin extender", "Volcano calls nobody",
              "add the plugin that scheduler-config --for volcano prints");
    return judge.Take();
  }
  for (const Scalar& key : settings.doubled_keys) {
    judge.Add(Severity::kWarning, key.line, Quoted(key.text) + " is there twice",
              "Volcano takes the later without a word", "keep one of them");
  }
  JudgeKeys(*own, judge);
  JudgeVerbs(*own, judge);
  JudgeTransport(*own, judge);
  JudgeResources(*own, judge);
  return judge.Take();
}

}  // namespace fairlead::extender
