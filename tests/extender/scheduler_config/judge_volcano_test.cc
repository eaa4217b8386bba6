#include <gmock/gmock.h>

#include <utility>

#include "tests/extender/scheduler_config/judged.h"

namespace fairlead::extender {
namespace {

// A right configuration with one line replaced.
std::string With(const std::string& line, const std::string& in_its_place) {
  std::string text = R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: gang
- plugins:
  - name: nodeorder
  - name: extender
    arguments:
      extender.urlPrefix: http://127.0.0.1:8471/volcano
      extender.httpTimeout: 300ms
      extender.prioritizeVerb: prioritize
      extender.jobEnqueueableVerb: jobEnqueueable
      extender.ignorable: true
      extender.managedResources: [rdma/hca]
)";
  return Replaced(std::move(text), line, in_its_place);
}

TEST(JudgeVolcano, ARightConfigurationHasNothingWrong) {
  EXPECT_EQ(Brief(JudgeText(With("", ""))), "");
}

class VolcanoMistake : public testing::TestWithParam<Mistake> {};

TEST_P(VolcanoMistake, IsFound) {
  EXPECT_EQ(Brief(JudgeText(With(GetParam().line, GetParam().in_its_place))), GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, VolcanoMistake,
    testing::Values(
        Mistake{"url_path", "      extender.urlPrefix: http://127.0.0.1:8471/volcano",
                "      extender.urlPrefix: http://127.0.0.1:8471/kube",
                "9 E extender.urlPrefix: \"http://127.0.0.1:8471/kube\"\n"},
        Mistake{"no_url", "      extender.urlPrefix: http://127.0.0.1:8471/volcano", "",
                "7 E extender.urlPrefix is not given\n"},
        Mistake{"https", "      extender.urlPrefix: http://127.0.0.1:8471/volcano",
                "      extender.urlPrefix: https://127.0.0.1:8471/volcano",
                "9 W extender.urlPrefix: \"https://127.0.0.1:8471/volcano\"\n"},
        Mistake{"no_timeout", "      extender.httpTimeout: 300ms", "",
                "7 W extender.httpTimeout is not given\n"},
        Mistake{"flag_in_quotes", "      extender.ignorable: true",
                "      extender.ignorable: \"true\"", "13 W extender.ignorable: \"true\"\n"},
        Mistake{"flag_yes", "      extender.ignorable: true", "      extender.ignorable: yes", ""},
        Mistake{"twice", "      extender.ignorable: true",
                "      extender.ignorable: true\n      extender.ignorable: true",
                "14 W \"extender.ignorable\" is there twice\n"},
        Mistake{"impossible_port", "      extender.urlPrefix: http://127.0.0.1:8471/volcano",
                "      extender.urlPrefix: http://fe80::1:80/volcano",
                "9 E extender.urlPrefix: \"http://fe80::1:80/volcano\"\n"},
        Mistake{"no_resource", "      extender.managedResources: [rdma/hca]",
                "      extender.managedResources: [rdma/hca, cpu, hca]",
                "14 W extender.managedResources[]: \"hca\"\n"},
        Mistake{"no_duration", "      extender.httpTimeout: 300ms",
                "      extender.httpTimeout: 300", "10 E extender.httpTimeout: \"300\"\n"},
        Mistake{"no_prioritize", "      extender.prioritizeVerb: prioritize", "",
                "7 E extender.prioritizeVerb is not given\n"},
        Mistake{"wrong_verb", "      extender.prioritizeVerb: prioritize",
                "      extender.prioritizeVerb: score",
                "11 E extender.prioritizeVerb: \"score\"\n"},
        Mistake{"enqueueable_may_be_left_out", "      extender.jobEnqueueableVerb: jobEnqueueable",
                "", ""},
        Mistake{"predicate", "      extender.ignorable: true",
                "      extender.ignorable: true\n      extender.predicateVerb: predicate",
                "14 E extender.predicateVerb: \"predicate\"\n"},
        Mistake{"session_open", "      extender.ignorable: true",
                "      extender.ignorable: true\n      extender.onSessionOpenVerb: onSessionOpen",
                "14 E extender.onSessionOpenVerb: \"onSessionOpen\"\n"},
        Mistake{"job_ready", "      extender.ignorable: true",
                "      extender.ignorable: true\n      extender.jobReadyVerb: jobReady",
                "14 W extender.jobReadyVerb: \"jobReady\"\n"},
        Mistake{"not_ignorable", "      extender.ignorable: true",
                "      extender.ignorable: false", "13 W extender.ignorable: \"false\"\n"},
        Mistake{"misspelt", "      extender.ignorable: true",
                "      extender.ignorable: true\n      extender.timeout: 1s",
                "14 E \"extender.timeout\" is no argument of the extender plugin\n"},
        Mistake{"all_resources", "      extender.managedResources: [rdma/hca]", "",
                "7 W extender.managedResources is empty or not given\n"},
        Mistake{"other_resource", "      extender.managedResources: [rdma/hca]",
                "      extender.managedResources: [nvidia.com/gpu]",
                "14 W extender.managedResources does not name rdma/hca\n"},
        Mistake{"no_extender", "  - name: extender", "  - name: binpack",
                "0 E no tier has the plugin extender\n"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(JudgeVolcano, ReadsItsConfigMap) {
  std::string block;
  std::string rest = With("      extender.ignorable: true", "      extender.ignorable: false");
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n') + 1;
    block += "    " + rest.substr(0, end);
    rest.erase(0, end);
  }
  EXPECT_EQ(
      Brief(JudgeText("kind: ConfigMap\nmetadata: {name: volcano-scheduler-configmap}\ndata:\n"
                      "  volcano-scheduler.conf: |\n" +
                      block)),
      "17 W extender.ignorable: \"false\"\n");
}

TEST(JudgeVolcano, OneExtenderHasRoom) {
  EXPECT_THAT(Brief(JudgeText(With("", "  - name: extender\n"))),
              testing::HasSubstr("15 E a second plugin extender\n"));
}

}  // namespace
}  // namespace fairlead::extender
