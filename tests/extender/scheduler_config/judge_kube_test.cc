#include <gmock/gmock.h>

#include <utility>

#include "tests/extender/scheduler_config/judged.h"

namespace fairlead::extender {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

// A right configuration with one line replaced; an empty one takes it out.
std::string With(const std::string& line, const std::string& in_its_place) {
  std::string text = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
extenders:
- urlPrefix: http://127.0.0.1:8471/kube
  filterVerb: filter
  prioritizeVerb: prioritize
  weight: 5
  nodeCacheCapable: true
  ignorable: true
  httpTimeout: 200ms
  managedResources:
  - name: rdma/hca
    ignoredByScheduler: false
)";
  return Replaced(std::move(text), line, in_its_place);
}

TEST(JudgeKubeScheduler, ARightConfigurationHasNothingWrong) {
  EXPECT_EQ(Brief(JudgeText(With("", ""))), "");
}

class KubeMistake : public testing::TestWithParam<Mistake> {};

TEST_P(KubeMistake, IsFound) {
  EXPECT_EQ(Brief(JudgeText(With(GetParam().line, GetParam().in_its_place))), GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, KubeMistake,
    testing::Values(
        Mistake{"version", "apiVersion: kubescheduler.config.k8s.io/v1",
                "apiVersion: kubescheduler.config.k8s.io/v1beta3",
                "1 E apiVersion: \"kubescheduler.config.k8s.io/v1beta3\"\n"},
        Mistake{"sampling_left_out", "percentageOfNodesToScore: 100", "",
                "0 W percentageOfNodesToScore is not given\n"},
        Mistake{"sampling", "percentageOfNodesToScore: 100", "percentageOfNodesToScore: 30",
                "3 W percentageOfNodesToScore: \"30\"\n"},
        Mistake{"sampling_zero", "percentageOfNodesToScore: 100", "percentageOfNodesToScore: 0",
                "3 W percentageOfNodesToScore: \"0\"\n"},
        Mistake{"sampling_beyond", "percentageOfNodesToScore: 100", "percentageOfNodesToScore: 101",
                "3 E percentageOfNodesToScore: \"101\"\n"},
        Mistake{"sampling_of_a_profile", "",
                "profiles:\n- schedulerName: gpu\n  percentageOfNodesToScore: 20\n",
                "17 W profiles[].percentageOfNodesToScore: \"20\"\n"},
        Mistake{"url_path", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: http://127.0.0.1:8471", "5 E urlPrefix: \"http://127.0.0.1:8471\"\n"},
        Mistake{"url_without_scheme", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: 127.0.0.1:8471/kube", "5 E urlPrefix: \"127.0.0.1:8471/kube\"\n"},
        Mistake{"no_filter", "  filterVerb: filter", "", "5 W filterVerb is not given\n"},
        Mistake{"no_prioritize", "  prioritizeVerb: prioritize", "",
                "5 E prioritizeVerb is not given\n"},
        Mistake{"wrong_verb", "  filterVerb: filter", "  filterVerb: predicates",
                "6 E filterVerb: \"predicates\"\n"},
        Mistake{"bind", "  ignorable: true", "  ignorable: true\n  bindVerb: bind",
                "11 E bindVerb: \"bind\"\n"},
        Mistake{"preempt_path", "  ignorable: true", "  ignorable: true\n  preemptVerb: preemption",
                "11 E preemptVerb: \"preemption\"\n"},
        Mistake{"preempt_is_a_note", "  ignorable: true",
                "  ignorable: true\n  preemptVerb: preempt", ""},
        Mistake{"unknown_key", "  ignorable: true", "  ignorable: true\n  timeout: 1s",
                "11 E \"timeout\" is no key of an extender\n"},
        Mistake{"no_weight", "  weight: 5", "", "5 E weight is not given, which is 0\n"},
        Mistake{"weight_zero", "  weight: 5", "  weight: 0", "8 E weight: \"0\"\n"},
        Mistake{"weight_drowned", "  weight: 5", "  weight: 2", "8 W weight: \"2\"\n"},
        Mistake{"weight_least", "  weight: 5", "  weight: 3", ""},
        Mistake{"weight_of_all", "  weight: 5", "  weight: 101", "8 W weight: \"101\"\n"},
        Mistake{"weight_text", "  weight: 5", "  weight: much", "8 E weight: \"much\"\n"},
        Mistake{"whole_nodes", "  nodeCacheCapable: true", "  nodeCacheCapable: false",
                "9 W nodeCacheCapable: \"false\"\n"},
        Mistake{"whole_nodes_by_default", "  nodeCacheCapable: true", "",
                "5 W nodeCacheCapable is not given, which is false\n"},
        Mistake{"not_ignorable", "  ignorable: true", "",
                "5 W ignorable is not given, which is false\n"},
        Mistake{"no_timeout", "  httpTimeout: 200ms", "", "5 W httpTimeout is not given\n"},
        Mistake{"long_timeout", "  httpTimeout: 200ms", "  httpTimeout: 5s",
                "11 W httpTimeout: \"5s\"\n"},
        Mistake{"short_timeout", "  httpTimeout: 200ms", "  httpTimeout: 10ms",
                "11 W httpTimeout: \"10ms\"\n"},
        Mistake{"no_duration", "  httpTimeout: 200ms", "  httpTimeout: 200",
                "11 E httpTimeout: \"200\"\n"},
        Mistake{"other_resource", "  - name: rdma/hca", "  - name: nvidia.com/gpu",
                "13 W managedResources does not name rdma/hca\n"},
        Mistake{"ignored_by_scheduler", "    ignoredByScheduler: false",
                "    ignoredByScheduler: true",
                "14 E managedResources[].ignoredByScheduler: \"true\"\n"},
        Mistake{"resource_twice", "    ignoredByScheduler: false", "  - name: rdma/hca",
                "14 E managedResources[].name: \"rdma/hca\"\n"},
        Mistake{"https_without_ca", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube\n  enableHTTPS: true",
                "5 W tlsConfig has no caFile or caData\n"},
        Mistake{"https_unprepared", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube",
                "5 E urlPrefix: \"https://127.0.0.1:8471/kube\"\n"},
        Mistake{"https_by_name_only", "  ignorable: true", "  ignorable: true\n  enableHTTPS: true",
                "11 E enableHTTPS: \"true\"\n"},
        Mistake{"https", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube\n  enableHTTPS: true\n"
                "  tlsConfig: {caFile: /ca, certFile: /c, keyFile: /k}",
                ""},
        Mistake{"insecure", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube\n  enableHTTPS: true\n"
                "  tlsConfig: {insecure: true}",
                "7 W tlsConfig.insecure: \"true\"\n"},
        Mistake{"insecure_with_ca", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube\n  enableHTTPS: true\n"
                "  tlsConfig: {insecure: true, caFile: /ca}",
                "7 E tlsConfig.insecure: \"true\"\n"},
        Mistake{"certificate_without_key", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube\n  enableHTTPS: true\n"
                "  tlsConfig: {certFile: /c, caFile: /ca}",
                "5 E tlsConfig has a certificate or its key alone\n"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(JudgeKubeScheduler, SaysWhatIsNotThere) {
  EXPECT_EQ(Brief(JudgeText("kind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 100\n")),
            "0 E extenders is empty or not given\n");
  EXPECT_EQ(
      Brief(JudgeText("kind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 100\n"
                      "extenders: [{urlPrefix: \"http://a/x\"}, {urlPrefix: \"http://b/y\"}]\n")),
      "3 E none of the extenders has a urlPrefix that ends with /kube\n");
}

TEST(JudgeKubeScheduler, JudgesItsOwnEntryAmongOthers) {
  EXPECT_EQ(Brief(JudgeText(With(
                "extenders:", "extenders:\n- {urlPrefix: \"http://other:1/filter\", weight: 0}"))),
            "");
}

TEST(JudgeKubeScheduler, FindsItsConfigurationInAConfigMap) {
  std::string block;
  std::string rest = With("  weight: 5", "  weight: 0");
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n') + 1;
    block += "    " + rest.substr(0, end);
    rest.erase(0, end);
  }
  const std::string text =
      "apiVersion: v1\nkind: Secret\n---\nkind: ConfigMap\ndata:\n  note: \"{\"\n"
      "  scheduler.yaml: |\n" +
      block;
  EXPECT_EQ(Brief(JudgeText(text)), "15 E weight: \"0\"\n");
}

TEST(JudgeKubeScheduler, TellsOfBatchingUnlessItIsOff) {
  const auto batching = Contains(Field(&Finding::what, HasSubstr("OpportunisticBatching")));
  EXPECT_THAT(JudgeText(With("", "")), batching);
  EXPECT_THAT(JudgeText(With("", ""), {.environment = {}, .feature_gates = "A=true"}), batching);
  EXPECT_THAT(JudgeText(With("", ""),
                        {.environment = {}, .feature_gates = "A=true,OpportunisticBatching=false"}),
              Not(batching));
}

TEST(JudgeKubeScheduler, FindsTheProxyOfTheSchedulersEnvironment) {
  const std::string text =
      With("- urlPrefix: http://127.0.0.1:8471/kube", "- urlPrefix: http://10.0.0.9:8471/kube");
  EXPECT_THAT(JudgeText(text), Contains(Field(&Finding::why, HasSubstr("through a proxy where"))));
  const auto with = [&](std::map<std::string, std::string> environment) {
    return Brief(JudgeText(text, {.environment = std::move(environment), .feature_gates = {}}));
  };
  EXPECT_EQ(with({{"HTTP_PROXY", "p:1"}}), "5 E urlPrefix: \"http://10.0.0.9:8471/kube\"\n");
  EXPECT_EQ(with({{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "10.0.0.0/8"}}), "");
  EXPECT_EQ(with({}), "");
}

TEST(ReadSchedulerSettings, RefusesWhatIsNone) {
  for (const char* text : {"", "a: b", "[]", "text", "kind: ConfigMap\ndata: {a: b}",
                           "kind: ConfigMap\ndata: []", "kind: [KubeSchedulerConfiguration]"}) {
    EXPECT_FALSE(ReadSchedulerSettings(text)) << text;
  }
  const auto broken = ReadSchedulerSettings("kind: x\na: [1\nb: 2\n");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("is not valid YAML"));
}

TEST(ReadSchedulerSettings, TakesAnyTypeAnywhere) {
  for (
      const char* text :
      {"kind: KubeSchedulerConfiguration\nextenders: 5\nprofiles: {a: b}\n",
       "kind: KubeSchedulerConfiguration\nextenders: [1, null, [], {weight: {}}]\n",
       "kind: KubeSchedulerConfiguration\nextenders: [{tlsConfig: 1, managedResources: [1, {}]}]\n",
       "tiers: 1\n", "tiers: [1, {plugins: 5}, {plugins: [1, {name: extender, arguments: [1]}]}]\n",
       "tiers: [{plugins: [{name: [], arguments: {extender.managedResources: {}}}]}]\n"}) {
    JudgeText(text);
  }
}

}  // namespace
}  // namespace fairlead::extender
