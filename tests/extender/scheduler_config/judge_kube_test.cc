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
        Mistake{"version_left_out", "apiVersion: kubescheduler.config.k8s.io/v1", "",
                "0 E apiVersion is not given\n"},
        Mistake{"weight_in_quotes", "  weight: 5", "  weight: \"5\"", "8 E weight: \"5\"\n"},
        Mistake{"weight_hexadecimal", "  weight: 5", "  weight: 0x5", ""},
        Mistake{"weight_whole_fraction", "  weight: 5", "  weight: 5.0", ""},
        Mistake{"weight_fraction", "  weight: 5", "  weight: 5.5", "8 E weight: \"5.5\"\n"},
        Mistake{"weight_beyond_64_bits", "  weight: 5", "  weight: 99999999999999999999",
                "8 E weight: \"99999999999999999999\"\n"},
        Mistake{"weight_list", "  weight: 5", "  weight: [5]", "8 E weight is a list\n"},
        Mistake{"flag_in_quotes", "  ignorable: true", "  ignorable: \"true\"",
                "10 E ignorable: \"true\"\n"},
        Mistake{"flag_yes", "  ignorable: true", "  ignorable: yes", ""},
        Mistake{"flag_on", "  ignorable: true", "  ignorable: on", ""},
        Mistake{"flag_off", "  ignorable: true", "  ignorable: off", "10 W ignorable: \"off\"\n"},
        Mistake{"flag_of_numbers", "  ignorable: true", "  ignorable: 1",
                "10 E ignorable: \"1\"\n"},
        Mistake{"names_in_quotes", "  nodeCacheCapable: true", "  nodeCacheCapable: 'true'",
                "9 E nodeCacheCapable: \"true\"\n"},
        Mistake{"names_yes", "  nodeCacheCapable: true", "  nodeCacheCapable: yes", ""},
        Mistake{"sampling_in_quotes", "percentageOfNodesToScore: 100",
                "percentageOfNodesToScore: \"100\"", "3 E percentageOfNodesToScore: \"100\"\n"},
        Mistake{"ignored_in_quotes", "    ignoredByScheduler: false",
                "    ignoredByScheduler: \"false\"",
                "14 E managedResources[].ignoredByScheduler: \"false\"\n"},
        Mistake{"verb_of_numbers", "  filterVerb: filter", "  filterVerb: 5",
                "6 E filterVerb: \"5\"\n"},
        Mistake{"kind_twice", "", "kind: KubeSchedulerConfiguration\n",
                "15 E \"kind\" is there twice\n"},
        Mistake{"weight_twice", "  weight: 5", "  weight: 5\n  weight: 5",
                "9 E \"weight\" is there twice\n"},
        Mistake{"merged_twice", "",
                "- <<: {urlPrefix: http://127.0.0.1:9/x}\n  urlPrefix: http://127.0.0.1:9/y\n",
                "16 E \"urlPrefix\" is there twice\n"},
        Mistake{"merged_once", "", "- <<: {urlPrefix: http://127.0.0.1:9/x}\n  weight: 1\n", ""},
        Mistake{"unknown_at_the_top", "", "healthzBindAddress: a\n",
                "15 E \"healthzBindAddress\" is no key of a KubeSchedulerConfiguration\n"},
        Mistake{"unknown_in_a_profile", "", "profiles:\n- schedulerName: a\n  plugin: {}\n",
                "17 E \"plugin\" is no key of a profile\n"},
        Mistake{"unknown_extension_point", "", "profiles:\n- plugins:\n    scores: {}\n",
                "17 E \"scores\" is no key of plugins\n"},
        Mistake{"unknown_in_tls", "  ignorable: true", "  ignorable: true\n  tlsConfig: {ca: /ca}",
                "11 E \"ca\" is no key of tlsConfig\n"},
        Mistake{"unknown_in_a_resource", "    ignoredByScheduler: false", "    ignored: false",
                "14 E \"ignored\" is no key of managedResources[]\n"},
        Mistake{"no_base64", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: https://127.0.0.1:8471/kube\n  enableHTTPS: true\n"
                "  tlsConfig: {caData: '***'}",
                "7 E tlsConfig.caData: \"***\"\n"},
        Mistake{"profiles_of_text", "", "profiles: x\n", "15 E profiles: \"x\"\n"},
        Mistake{"profile_of_text", "", "profiles: [x]\n", "15 E profiles[]: \"x\"\n"},
        Mistake{"profile_twice", "", "profiles:\n- schedulerName: a\n- schedulerName: a\n",
                "17 E profiles[].schedulerName: \"a\"\n"},
        Mistake{"profile_without_name", "", "profiles:\n- schedulerName: a\n- {}\n",
                "17 E profiles[].schedulerName is not given\n"},
        Mistake{"no_parallelism", "", "parallelism: 0\n", "15 E parallelism: \"0\"\n"},
        Mistake{"parallelism_beyond_32_bits", "", "parallelism: 2147483648\n",
                "15 E parallelism: \"2147483648\"\n"},
        Mistake{"long_backoff", "", "podInitialBackoffSeconds: 11\n",
                "15 E podInitialBackoffSeconds: \"11\"\n"},
        Mistake{"short_lease", "", "leaderElection:\n  leaderElect: true\n  leaseDuration: 1s\n",
                "16 E leaderElection\n"},
        Mistake{"lease_of_nobody", "", "leaderElection: {leaderElect: no, leaseDuration: 1s}\n",
                ""},
        Mistake{"negative_burst", "", "clientConnection: {burst: -1}\n",
                "15 E clientConnection.burst is below 0\n"},
        Mistake{"resource_without_domain", "    ignoredByScheduler: false", "  - name: hca",
                "14 E managedResources[].name: \"hca\"\n"},
        Mistake{"resource_without_name", "    ignoredByScheduler: false", "  - {}",
                "14 E managedResources[].name: \"\"\n"},
        Mistake{"other_extender_without_weight", "",
                "- urlPrefix: http://127.0.0.1:9/x\n  prioritizeVerb: p\n",
                "15 E weight is not given, which is 0\n"},
        Mistake{"two_that_bind", "",
                "- urlPrefix: http://127.0.0.1:9/x\n  bindVerb: b\n"
                "- urlPrefix: http://127.0.0.1:9/y\n  bindVerb: b\n",
                "18 E bindVerb: \"b\"\n"},
        Mistake{"timeout_zero", "  httpTimeout: 200ms", "  httpTimeout: 0",
                "11 E httpTimeout: \"0\"\n"},
        Mistake{"timeout_zero_as_text", "  httpTimeout: 200ms", "  httpTimeout: \"0\"",
                "11 W httpTimeout: \"0\"\n"},
        Mistake{"timeout_below_zero", "  httpTimeout: 200ms", "  httpTimeout: -1s",
                "11 W httpTimeout: \"-1s\"\n"},
        Mistake{"timeout_with_its_sign", "  httpTimeout: 200ms", "  httpTimeout: +200ms", ""},
        Mistake{"timeout_null", "  httpTimeout: 200ms",
                "  httpTimeout:", "5 W httpTimeout is not given\n11 E httpTimeout is null\n"},
        Mistake{"timeout_of_another", "", "- urlPrefix: http://127.0.0.1:9/x\n  httpTimeout: 5\n",
                "16 E httpTimeout: \"5\"\n"},
        Mistake{"no_port", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: http://127.0.0.1:99999/kube",
                "5 E urlPrefix: \"http://127.0.0.1:99999/kube\"\n"},
        Mistake{"host_with_a_newline", "- urlPrefix: http://127.0.0.1:8471/kube",
                "- urlPrefix: \"http://a\\n\\e[31m/kube\"",
                "5 E urlPrefix: \"http://a\\x0a\\x1b[31m/kube\"\n"},
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
  EXPECT_EQ(Brief(JudgeText("apiVersion: kubescheduler.config.k8s.io/v1\nkind: "
                            "KubeSchedulerConfiguration\npercentageOfNodesToScore: 100\n")),
            "0 E extenders is empty or not given\n");
  EXPECT_EQ(
      Brief(JudgeText("apiVersion: kubescheduler.config.k8s.io/v1\nkind: "
                      "KubeSchedulerConfiguration\npercentageOfNodesToScore: 100\n"
                      "extenders: [{urlPrefix: \"http://a/x\"}, {urlPrefix: \"http://b/y\"}]\n")),
      "4 E none of the extenders has a urlPrefix that ends with /kube\n");
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

TEST(JudgeKubeScheduler, ItIsTheFirstDocumentOfItsFile) {
  EXPECT_EQ(Brief(JudgeText("a: b\n---\n" + With("", ""))),
            "3 E is not the first document of the file\n");
  EXPECT_EQ(Brief(JudgeText("---\n" + With("", "") + "---\na: b\n")), "");
}

TEST(JudgeKubeScheduler, TellsOfBatchingUnlessItIsOff) {
  const auto batching = Contains(Field(&Finding::what, HasSubstr("OpportunisticBatching")));
  EXPECT_THAT(JudgeText(With("", "")), batching);
  EXPECT_THAT(
      JudgeText(With("", ""), {.environment = {}, .feature_gates = FeatureGates{{"A", true}}}),
      batching);
  EXPECT_THAT(
      JudgeText(With("", ""), {.environment = {},
                               .feature_gates = FeatureGates{{"OpportunisticBatching", false}}}),
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
