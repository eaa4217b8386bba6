#include "extender/gang/pod_wishes.h"

#include <gmock/gmock.h>

namespace fairlead::extender {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PodFacts Pod(StringMap annotations) {
  PodFacts pod;
  pod.annotations = std::move(annotations);
  return pod;
}

TEST(ReadWishes, NoAnnotationsNoWishes) {
  const PodWishes wishes = ReadWishes(Pod({}));
  EXPECT_EQ(wishes.profile, CommunicationProfile{});
  EXPECT_EQ(wishes.limits, LineLimits{});
  EXPECT_THAT(wishes.errors, IsEmpty());
}

TEST(ReadWishes, ReadsEveryAnnotation) {
  const PodWishes wishes = ReadWishes(Pod({{"fairlead.dev/comm-pattern", "allreduce"},
                                           {"fairlead.dev/comm-bytes", "500MB"},
                                           {"fairlead.dev/compute-ms", "120.5"},
                                           {"fairlead.dev/max-rtt", "60ms"},
                                           {"fairlead.dev/max-jitter", "2ms"},
                                           {"fairlead.dev/min-bandwidth", "10Gbps"},
                                           {"fairlead.dev/migration", "off"}}));
  EXPECT_THAT(wishes.errors, IsEmpty());
  EXPECT_EQ(wishes.profile.pattern, CommPattern::kAllreduce);
  EXPECT_EQ(wishes.profile.bytes_per_step, 500e6);
  EXPECT_EQ(wishes.profile.compute_per_step, Nanoseconds(120'500'000));
  EXPECT_EQ(wishes.limits.max_rtt, Milliseconds(60));
  EXPECT_EQ(wishes.limits.max_jitter, Milliseconds(2));
  EXPECT_EQ(wishes.limits.min_bytes_per_second, 1.25e9);
}

struct BadWish {
  const char* word;
  const char* value;
};

class BadAnnotation : public ::testing::TestWithParam<BadWish> {};

TEST_P(BadAnnotation, IsNamedAndIgnoredAndTheOthersCount) {
  const std::string name = std::string("fairlead.dev/") + GetParam().word;
  StringMap annotations{{name, GetParam().value}};
  const bool is_rtt = name == "fairlead.dev/max-rtt";
  annotations.insert({is_rtt ? "fairlead.dev/max-jitter" : "fairlead.dev/max-rtt", "60ms"});
  const PodWishes wishes = ReadWishes(Pod(annotations));
  EXPECT_THAT(wishes.errors, ElementsAre(AllOf(HasSubstr(name), HasSubstr("is ignored"))));
  EXPECT_EQ(wishes.profile, CommunicationProfile{});
  LineLimits others;
  (is_rtt ? others.max_jitter : others.max_rtt) = Milliseconds(60);
  EXPECT_EQ(wishes.limits, others);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadAnnotation,
    ::testing::Values(BadWish{"comm-pattern", "AllReduce"}, BadWish{"comm-pattern", ""},
                      BadWish{"comm-bytes", "500"}, BadWish{"comm-bytes", "-1MB"},
                      BadWish{"comm-bytes", "lots"}, BadWish{"compute-ms", "12ms"},
                      BadWish{"compute-ms", "-1"}, BadWish{"compute-ms", "nan"},
                      BadWish{"compute-ms", "1e300"}, BadWish{"max-rtt", "60"},
                      BadWish{"max-rtt", "0ms"}, BadWish{"max-rtt", "-60ms"},
                      BadWish{"max-jitter", "2 ms"}, BadWish{"min-bandwidth", "10GB"},
                      BadWish{"min-bandwidth", "0Gbps"}, BadWish{"max-rtt", "\x01\xff"}));

}  // namespace
}  // namespace fairlead::extender
