#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/base/quote.h"
#include "extender/scheduler_config/feature_gates.h"
#include "extender/scheduler_config/judge.h"
#include "extender/scheduler_config/judge_common.h"
#include "extender/scheduler_config/kube_form.h"
#include "extender/scheduler_config/kube_start.h"
#include "extender/scheduler_config/suitable.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kPath = "/kube";
constexpr std::string_view kApiVersion = "kubescheduler.config.k8s.io/v1";

class KubeJudge {
 public:
  KubeJudge(const KubeSettings& settings, const Surroundings& around)
      : settings_(settings), judge_(around) {}

  Findings Run() {
    JudgeKubeForm(settings_, judge_);
    JudgeKubeStart(settings_, judge_);
    Kind();
    Sampling();
    if (const KubeExtender* own = Own()) {
      Verbs(*own);
      Weight(*own);
      Transport(*own);
      Resources(*own);
    }
    Batching();
    return judge_.Take();
  }

 private:
  void Error(int line, std::string what, std::string why, std::string remedy) {
    judge_.Add(Severity::kError, line, std::move(what), std::move(why), std::move(remedy));
  }
  void Warning(int line, std::string what, std::string why, std::string remedy) {
    judge_.Add(Severity::kWarning, line, std::move(what), std::move(why), std::move(remedy));
  }

  void Kind() {
    const Scalar* const version = FindScalar(settings_.values, "apiVersion");
    if (version == nullptr) {
      Error(0, "apiVersion is not given", "kube-scheduler refuses the file at its start",
            "set it to " + std::string(kApiVersion));
      return;
    }
    if (version->text == kApiVersion) return;
    Error(version->line, Shown("apiVersion", *version), "kube-scheduler reads no such version",
          "write " + std::string(kApiVersion));
  }

  void Sampling() {
    constexpr std::string_view kKey = "percentageOfNodesToScore";
    const std::string why =
        "so of 1,000 nodes that fit only about 420 are ranked, of 5,000 about 500, and the best "
        "connected site may not be among them";
    const Scalar* const top = FindScalar(settings_.values, kKey);
    if (top == nullptr) {
      Warning(0, std::string(kKey) + " is not given", why, "set it to 100");
    } else {
      Percentage(kKey, *top, why);
    }
    for (const KubeProfile& profile : settings_.profiles) {
      const Scalar* const own = FindScalar(profile.values, kKey);
      if (own != nullptr) Percentage("profiles[].percentageOfNodesToScore", *own, why);
    }
  }

  void Percentage(std::string_view key, const Scalar& value, const std::string& why) {
    const auto percent = ReadInteger(value);
    if (percent == 100) return;
    if (!percent || *percent < 0 || *percent > 100) {
      Error(value.line, Shown(key, value), "is no whole number from 0 to 100", "set it to 100");
    } else {
      Warning(value.line, Shown(key, value),
              *percent == 0 ? "0 lets the scheduler choose, " + why : "is a sample, " + why,
              "set it to 100");
    }
  }

  const KubeExtender* Own() {
    const std::vector<KubeExtender>& all = settings_.extenders;
    if (all.empty()) {
      Error(0, "extenders is empty or not given", "kube-scheduler calls nobody",
            "add the entry that scheduler-config --for kube-scheduler prints");
      return nullptr;
    }
    const auto ours = [](const KubeExtender& extender) {
      const Scalar* const url = FindScalar(extender.values, "urlPrefix");
      return url != nullptr && ParseEndpoint(url->text).path == kPath;
    };
    const auto found = std::ranges::find_if(all, ours);
    if (found != all.end()) return &*found;
    if (all.size() == 1) return &all.front();
    Error(all.front().line, "none of the extenders has a urlPrefix that ends with /kube",
          "so none of them is this one",
          "add the entry that scheduler-config --for kube-scheduler prints");
    return nullptr;
  }

  void Verbs(const KubeExtender& own) {
    Verb(own, "filterVerb", "filter", Severity::kWarning,
         "lines that are Down and the limits of pods then keep nobody away");
    Verb(own, "prioritizeVerb", "prioritize", Severity::kError, "nothing is then ranked");
    if (const Scalar* const bind = FindScalar(own.values, "bindVerb"); Given(bind)) {
      Error(bind->line, Shown("bindVerb", *bind),
            "the extender binds no pods, so the pods it is asked about are never bound",
            "take it out");
    }
    const Scalar* const preempt = FindScalar(own.values, "preemptVerb");
    if (!Given(preempt)) return;
    if (preempt->text != "preempt") {
      Error(preempt->line, Shown("preemptVerb", *preempt),
            "is answered with 404, which stops "
            "preemption",
            "take it out");
    } else {
      judge_.Add(Severity::kNote, preempt->line, Shown("preemptVerb", *preempt),
                 "is answered with all victims as they are, a call for nothing", "take it out");
    }
  }

  static bool Given(const Scalar* value) { return value != nullptr && !value->text.empty(); }

  void Verb(const KubeExtender& own, std::string_view key, std::string_view right, Severity absent,
            std::string why) {
    const Scalar* const verb = FindScalar(own.values, key);
    if (!Given(verb)) {
      judge_.Add(absent, own.line, std::string(key) + " is not given", std::move(why),
                 "set it to " + std::string(right));
    } else if (verb->text != right) {
      Error(verb->line, Shown(key, *verb), "is answered with 404", "write " + std::string(right));
    }
  }

  void Weight(const KubeExtender& own) {
    if (!Given(FindScalar(own.values, "prioritizeVerb"))) return;
    const Scalar* const weight = FindScalar(own.values, "weight");
    const auto number = weight == nullptr ? std::nullopt : ReadInteger(*weight);
    if (!number || *number <= 0) return;  // said of every extender
    if (*number < kLeastWeight) {
      Warning(weight->line, Shown("weight", *weight),
              "a site twice as slow loses " + std::to_string(*number * 33) +
                  " of the 1,200 points that the default plugins give, which any one of them can "
                  "outvote",
              "set it to 5");
    } else if (*number > kMostWeight) {
      Warning(weight->line, Shown("weight", *weight),
              "outvotes every other reason to prefer a node, taints among them", "set it to 5");
    }
  }

  void Transport(const KubeExtender& own) {
    judge_.Timeout("httpTimeout", own.line, FindScalar(own.values, "httpTimeout"), 5);
    judge_.Ignorable("ignorable", own.line, FindScalar(own.values, "ignorable"),
                     "while the extender is away no pod that it is asked about is scheduled");
    const Scalar* const cached = FindScalar(own.values, "nodeCacheCapable");
    if (cached == nullptr || ReadFlag(*cached) != true) {
      Warning(cached == nullptr ? own.line : cached->line,
              cached == nullptr ? "nodeCacheCapable is not given, which is false"
                                : Shown("nodeCacheCapable", *cached),
              "whole nodes are sent in place of names, a hundred times the bytes: some ten pods a "
              "second are left at 1,000 nodes",
              "set it to true");
    }
    const Scalar* const url = FindScalar(own.values, "urlPrefix");
    if (!Given(url)) {
      Error(own.line, "urlPrefix is not given", "nobody can be called",
            "set it to http://127.0.0.1:8471/kube");
      return;
    }
    judge_.Url("urlPrefix", *url, kPath);
    Tls(own, *url);
  }

  void Tls(const KubeExtender& own, const Scalar& url) {
    const bool https = ParseEndpoint(url.text).scheme == "https";
    const Scalar* const enabled = FindScalar(own.values, "enableHTTPS");
    const bool on = enabled != nullptr && ReadFlag(*enabled) == true;
    const bool has_ca =
        Given(FindScalar(own.tls, "caFile")) || Given(FindScalar(own.tls, "caData"));
    const Scalar* const insecure = FindScalar(own.tls, "insecure");
    if (on && !https) {
      Error(enabled->line, Shown("enableHTTPS", *enabled),
            "the scheme of urlPrefix decides, and it is not https: this is plain text",
            "let urlPrefix begin with https://");
    }
    if (insecure != nullptr && ReadFlag(*insecure) == true) {
      if (has_ca) {
        Error(insecure->line, Shown("tlsConfig.insecure", *insecure),
              "kube-scheduler does not start with a CA and insecure", "take insecure out");
      } else {
        Warning(insecure->line, Shown("tlsConfig.insecure", *insecure),
                "whoever is on the way can answer in the extender's place", "set tlsConfig.caFile");
      }
    } else if (https && !has_ca) {
      if (on) {
        Warning(url.line, "tlsConfig has no caFile or caData",
                "with enableHTTPS and no CA no certificate is checked: whoever is on the way can "
                "answer in the extender's place",
                "set tlsConfig.caFile to the CA of the extender's certificate");
      } else {
        Error(
            url.line, Shown("urlPrefix", url),
            "without a tlsConfig only CAs of the scheduler's image are trusted, so that every "
            "call fails where yours is another",
            "set enableHTTPS to true and tlsConfig.caFile to the CA of the extender's certificate");
      }
    }
    const bool cert =
        Given(FindScalar(own.tls, "certFile")) || Given(FindScalar(own.tls, "certData"));
    const bool key = Given(FindScalar(own.tls, "keyFile")) || Given(FindScalar(own.tls, "keyData"));
    if (cert != key) {
      Error(own.line, "tlsConfig has a certificate or its key alone",
            "kube-scheduler does not start with one of them", "give both, or neither");
    }
  }

  void Resources(const KubeExtender& own) {
    bool found = false;
    for (const ManagedResource& resource : own.managed_resources) {
      const bool ignored = ReadFlag(resource.ignored_by_scheduler) == true;
      if (resource.name.text != kHcaResource) continue;
      found = true;
      if (ignored) {
        Error(
            resource.ignored_by_scheduler.line,
            Shown("managedResources[].ignoredByScheduler", resource.ignored_by_scheduler),
            "kube-scheduler then counts no HCAs, and neither does the extender: more pods go to a "
            "node than it has",
            "set it to false");
      }
    }
    if (own.managed_resources.empty()) {
      Warning(own.line, "managedResources is empty or not given",
              "every pod of the cluster waits for a call about which the extender has no opinion",
              "name rdma/hca there");
    } else if (!found) {
      Warning(own.managed_resources.front().name.line, "managedResources does not name rdma/hca",
              "pods that ask for HCAs alone are placed without the extender",
              "add {name: rdma/hca, ignoredByScheduler: false}");
    }
  }

  void Gates(const FeatureGates& gates) {
    for (const auto& [name, on] : gates) {
      if (IsKubeFeatureGate(name)) continue;
      judge_.Add(Severity::kNote, 0, "feature gate " + Quoted(name),
                 "is no alpha or beta gate of kube-scheduler 1.37, and a release does not start "
                 "with a gate that it does not know",
                 "compare with what kube-scheduler --help lists");
    }
  }

  void Batching() {
    const auto& gates = judge_.around().feature_gates;
    if (gates) {
      Gates(*gates);
      const auto batching = gates->find("OpportunisticBatching");
      if (batching != gates->end() && !batching->second) return;
    }
    judge_.Add(
        Severity::kNote, 0, "feature gate OpportunisticBatching is on by default since 1.35",
        "1.37 turns it off by itself for profiles with extenders; where a release does not, "
        "pods of one shape within half a second reuse the ranking of the first: filter is "
        "still asked about each, so hard limits hold, but a score that has changed meanwhile "
        "is not seen",
        "leave it on; --feature-gates=OpportunisticBatching=false has each pod ranked in any "
        "release");
  }

  const KubeSettings& settings_;
  Judge judge_;
};

}  // namespace

Findings JudgeKubeScheduler(const KubeSettings& settings, const Surroundings& around) {
  return KubeJudge(settings, around).Run();
}

}  // namespace fairlead::extender
