#include "extender/replay_file/jobs_file.h"

#include <gmock/gmock.h>

#include "tests/extender/replay/recording.h"

namespace fairlead::extender {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Result<ReplayJobs> Parse(const std::string& text) {
  return ParseJobs("jobs.yaml", text, Recording(Seconds(15), 100).Trace(), MovingCostDefaults{});
}

constexpr char kGood[] = R"(room: {hk: 16, sg: 8, tyo: 0}
gangs:
  - name: llm
    namespace: ml
    members: {hk: 8, sg: 8}
    start: 2026-11-29T00:00:00Z
    end: 2026-11-30T00:10:00Z
    priority: -5
    priorityClass: batch
    annotations:
      fairlead.dev/comm-pattern: pipeline
      comm-bytes: 1GiB
      max-rtt: 60ms
      checkpoint-interval: 30m
      migration: dry-run
  - {name: next, namespace: ml, members: {hk: 8, sg: 8}, start: "2026-11-30T00:10:00Z"}
)";

TEST(JobsFile, IsReadWithAnnotationsAsPodsHaveThem) {
  const auto jobs = Parse(kGood);
  ASSERT_TRUE(jobs) << jobs.error().message;
  EXPECT_THAT(jobs->room, ElementsAre(Pair("hk", 16U), Pair("sg", 8U)));
  ASSERT_EQ(jobs->gangs.size(), 2U);
  const ReplayGang& gang = jobs->gangs[0];
  EXPECT_EQ(gang.Name(), "ml/llm");
  EXPECT_THAT(gang.members, ElementsAre(Pair("hk", 8U), Pair("sg", 8U)));
  EXPECT_EQ(gang.end, Recording::After(Seconds(600)));
  EXPECT_EQ(gang.wishes.profile.pattern, CommPattern::kPipeline);
  EXPECT_EQ(gang.wishes.profile.bytes_per_step, 1073741824);
  EXPECT_EQ(gang.wishes.limits.max_rtt, Milliseconds(60));
  EXPECT_EQ(gang.wishes.interval, Seconds(1800));
  EXPECT_EQ(gang.wishes.mode, MigrationMode::kDryRun);
  EXPECT_EQ(gang.wishes.priority, -5);
  EXPECT_EQ(gang.wishes.priority_class, "batch");
  EXPECT_FALSE(jobs->gangs[1].end);
}

TEST(JobsFile, MayBeJson) {
  EXPECT_TRUE(Parse(R"({"room": {"hk": 4}, "gangs": [
    {"name": "a", "namespace": "ml", "members": {"hk": 4}}]})"));
}

struct Case {
  const char* name;
  const char* from;  // of the good text
  const char* to;
  const char* said;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class WrongJobs : public testing::TestWithParam<Case> {};

TEST_P(WrongJobs, IsRefusedWithLineValueAndRemedy) {
  std::string text = kGood;
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto jobs = Parse(text);
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongJobs,
    testing::Values(
        Case{"NoYaml", "gangs:", "gangs: {", "jobs.yaml:"},
        Case{"UnknownKey", "priorityClass", "priorityKlass",
             "jobs.yaml:9: gangs[0]: unknown key \"priorityKlass\""},
        Case{"NoName", "- name: llm\n    namespace", "- namespace", "gangs[0].name"},
        Case{"NoMembers", "    members: {hk: 8, sg: 8}\n    start",
             "    members: {hk: 0}\n    start", "gangs[0].members: it has none"},
        Case{"UnknownSite", "{hk: 8, sg: 8}\n", "{hk: 8, us: 8}\n",
             "gangs[0].members: of site \"us\" no link was recorded; there are hk, sg, tyo"},
        Case{"UnknownSiteOfRoom", "tyo: 0", "us: 9",
             "jobs.yaml:1: room: of site \"us\" no link was recorded"},
        Case{"TooManyMembers", "{hk: 8, sg: 8}\n", "{hk: 8, sg: 8000000}\n", "gangs[0].members.sg"},
        Case{"TooManyTogether", "{hk: 8, sg: 8}\n", "{hk: 600000, sg: 600000}\n",
             "jobs.yaml:1: gangs: they have 1200016 members together"},
        Case{"NoRoom", "hk: 16, sg: 8", "hk: 16, sg: 7",
             "gangs[0].members.sg: at 2026-11-30T00:00:00Z gangs have 8 members there, but room.sg "
             "is 7"},
        Case{"NoRoomForTwo", "start: \"2026-11-30T00:10:00Z\"", "priority: 0",
             "gangs[0].members.sg: at 2026-11-30T00:00:00Z gangs have 16 members there"},
        Case{"EndsBeforeItStarts", "end: 2026-11-30T00:10:00Z", "end: 2026-11-28T00:10:00Z",
             "gangs[0].end: 2026-11-28T00:10:00Z is not after its start"},
        Case{"NoTime", "start: 2026-11-29T00:00:00Z", "start: yesterday", "gangs[0].start"},
        Case{"Name", "name: llm", "name: \"LLM 7b\"", "gangs[0].name: \"LLM 7b\" is not a name"},
        Case{"TwiceTheSame", "name: next", "name: llm", "\"ml/llm\" is there already; rename one"},
        Case{"Annotation", "comm-bytes", "com-bytes",
             "jobs.yaml:12: gangs[0].annotations: \"com-bytes\" is no annotation"},
        Case{"AnnotationOfOneMoment", "migration: dry-run", "last-checkpoint: 2026-11-30T00:00:00Z",
             "tell checkpoint-interval instead"},
        Case{"AnnotationsValue", "1GiB", "much", "fairlead.dev/comm-bytes is ignored"},
        Case{"AnnotationsDuration", "30m", "half an hour",
             "fairlead.dev/checkpoint-interval cannot"},
        Case{"Cost", "30m", "3000h", "what moving costs makes no sense"},
        Case{"Priority", "-5", "high", "gangs[0].priority"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(JobsFile, NoGangIsNothingToReplay) {
  const auto jobs = Parse("room: {hk: 16}\ngangs: []\n");
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr("gangs: there is none; list those that run"));
}

TEST(JobsFile, AnAnnotationIsToldOnce) {
  const auto jobs = Parse(
      "room: {hk: 16}\ngangs:\n- {name: a, namespace: ml, members: {hk: 1},\n"
      "   annotations: {fairlead.dev/comm-bytes: 1MB, comm-bytes: 2MB}}\n");
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr("comm-bytes: is there already"));
}

TEST(JobsFile, SomeGangMustRunWhileLinksWereRecorded) {
  const auto jobs = Parse(R"(room: {hk: 16}
gangs:
  - {name: a, namespace: ml, members: {hk: 8}, end: "2026-11-29T00:00:00Z"}
  - {name: b, namespace: ml, members: {hk: 8}, start: "2026-12-01T00:00:00Z"}
)");
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message,
              AllOf(HasSubstr("gangs: none of them runs from 2026-11-30T00:00:00Z to"),
                    HasSubstr("mend start and end")));
}

TEST(JobsFile, ALineThatWasNotRecordedCannotBeCrossed) {
  const LinkTrace links = Recording(Seconds(15), 100).Forget("hk", "sg", 0, 100).Trace();
  const auto jobs = ParseJobs("jobs.yaml", kGood, links, MovingCostDefaults{});
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr("no link between hk and sg was recorded"));
}

}  // namespace
}  // namespace fairlead::extender
