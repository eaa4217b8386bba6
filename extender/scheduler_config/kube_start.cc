#include "extender/scheduler_config/kube_start.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "common/config/resource_name.h"
#include "extender/scheduler_config/go_duration.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kRefused = "kube-scheduler does not start with it";

class StartJudge {
 public:
  StartJudge(const KubeSettings& settings, Judge& judge) : settings_(settings), judge_(judge) {}

  void Run() {
    Amounts();
    Profiles();
    Election();
    Extenders();
    Resources();
  }

 private:
  struct Number {
    std::int64_t value = 0;
    const Scalar* scalar = nullptr;  // null: not given, or of another type
  };

  static Number ReadNumber(const Scalars& values, std::string_view key, std::int64_t absent) {
    const Scalar* const scalar = FindScalar(values, key);
    const auto number = scalar == nullptr ? std::nullopt : ReadInteger(*scalar);
    return number ? Number{*number, scalar} : Number{absent, nullptr};
  }

  void Amounts() {
    const auto positive = [&](std::string_view key, const Number& number) {
      if (number.value > 0) return true;
      judge_.Refuse(number.scalar->line, Shown(key, *number.scalar), std::string(kRefused),
                    "set it to 1 or more, or take it out");
      return false;
    };
    positive("parallelism", ReadNumber(settings_.values, "parallelism", 16));
    const Number first = ReadNumber(settings_.values, "podInitialBackoffSeconds", 1);
    const Number most = ReadNumber(settings_.values, "podMaxBackoffSeconds", 10);
    if (positive("podInitialBackoffSeconds", first) && most.value < first.value) {
      const Scalar& wrong = most.scalar != nullptr ? *most.scalar : *first.scalar;
      judge_.Refuse(
          wrong.line,
          Shown(most.scalar != nullptr ? "podMaxBackoffSeconds" : "podInitialBackoffSeconds",
                wrong),
          "kube-scheduler does not start where podMaxBackoffSeconds, 10 by default, is "
          "less than podInitialBackoffSeconds",
          "raise podMaxBackoffSeconds");
    }
    const YamlValue* const connection = settings_.root.Find("clientConnection");
    if (connection == nullptr) return;
    const Number burst = ReadNumber(connection->ScalarsInside(), "burst", 0);
    if (burst.value >= 0) return;
    judge_.Refuse(settings_.root.Find("clientConnection")->Find("burst")->scalar.line,
                  "clientConnection.burst is below 0", std::string(kRefused), "take it out");
  }

  void Profiles() {
    std::set<std::string> names;
    for (const KubeProfile& profile : settings_.profiles) {
      const Scalar* const name = FindScalar(profile.values, "schedulerName");
      if (name == nullptr) {
        if (settings_.profiles.size() == 1) continue;
        judge_.Refuse(profile.line, "profiles[].schedulerName is not given",
                      "kube-scheduler does not start with several profiles and one without a name",
                      "name it");
      } else if (name->type == YamlType::kText && name->text.empty()) {
        judge_.Refuse(name->line, Shown("profiles[].schedulerName", *name), std::string(kRefused),
                      "name it");
      } else if (!names.insert(name->text).second) {
        judge_.Refuse(name->line, Shown("profiles[].schedulerName", *name),
                      "is the name of two profiles, with which kube-scheduler does not start",
                      "name one of them otherwise");
      }
    }
  }

  void Election() {
    const YamlValue* const election = settings_.root.Find("leaderElection");
    if (election == nullptr) return;
    const Scalars values = election->ScalarsInside();
    const Scalar* const elects = FindScalar(values, "leaderElect");
    if (elects != nullptr && ReadFlag(*elects) != true) return;
    const auto duration = [&](std::string_view key, Nanoseconds absent) {
      const Scalar* const scalar = FindScalar(values, key);
      if (scalar == nullptr) return absent;
      const Nanoseconds given = ParseGoDuration(scalar->text).value_or(absent);
      return given == Nanoseconds(0) ? absent : given;
    };
    const Nanoseconds lease = duration("leaseDuration", Seconds(15));
    const Nanoseconds renew = duration("renewDeadline", Seconds(10));
    const Nanoseconds retry = duration("retryPeriod", Seconds(2));
    if (retry <= Nanoseconds(0) || lease <= renew || renew / 6 <= retry / 5) {
      judge_.Refuse(election->scalar.line, "leaderElection",
                    "kube-scheduler does not start unless leaseDuration (15 s by default) is above "
                    "renewDeadline (10 s), and that above 1.2 of retryPeriod (2 s), which is above "
                    "0",
                    "take the three out");
    }
    const Scalar* const lock = FindScalar(values, "resourceLock");
    if (lock == nullptr || lock->text.empty() || lock->text == "leases") return;
    judge_.Refuse(lock->line, Shown("leaderElection.resourceLock", *lock), std::string(kRefused),
                  "write leases, or take it out");
  }

  static bool Given(const Scalar* value) { return value != nullptr && !value->text.empty(); }

  void Extenders() {
    const Scalar* binder = nullptr;
    for (const KubeExtender& extender : settings_.extenders) {
      const Scalar* const bind = FindScalar(extender.values, "bindVerb");
      if (Given(bind) && binder != nullptr) {
        judge_.Refuse(bind->line, Shown("bindVerb", *bind),
                      "is the second of the file, and kube-scheduler does not start with two "
                      "extenders that bind",
                      "take it out");
      }
      if (Given(bind)) binder = bind;
      if (!Given(FindScalar(extender.values, "prioritizeVerb"))) continue;
      const Scalar* const weight = FindScalar(extender.values, "weight");
      if (weight != nullptr && ReadInteger(*weight).value_or(0) > 0) continue;
      judge_.Refuse(
          weight == nullptr ? extender.line : weight->line,
          weight == nullptr ? "weight is not given, which is 0" : Shown("weight", *weight),
          "kube-scheduler does not start with a prioritizeVerb and no positive weight",
          "set it to 5");
    }
  }

  void Resources() {
    std::set<std::string> names;
    for (const KubeExtender& extender : settings_.extenders) {
      for (const ManagedResource& resource : extender.managed_resources) {
        const std::string what = Shown("managedResources[].name", resource.name);
        if (!ParseResourceName(resource.name.text)) {
          judge_.Refuse(resource.name.line, what,
                        "is no name of an extended resource, with which kube-scheduler does not "
                        "start",
                        "write it like rdma/hca, with a domain before the slash");
        } else if (!names.insert(resource.name.text).second) {
          judge_.Refuse(resource.name.line, what,
                        "is named twice, with which kube-scheduler does not start",
                        "keep one of them");
        }
      }
    }
  }

  const KubeSettings& settings_;
  Judge& judge_;
};

}  // namespace

void JudgeKubeStart(const KubeSettings& settings, Judge& judge) {
  StartJudge(settings, judge).Run();
}

}  // namespace fairlead::extender
