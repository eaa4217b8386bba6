#include "extender/gang/move_wishes.h"

#include <gmock/gmock.h>

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

PodFacts Pod(StringMap annotations) {
  PodFacts pod;
  pod.annotations = std::move(annotations);
  return pod;
}

TEST(ReadMoveWishes, ReadsEachAnnotation) {
  const MoveWishes wishes =
      ReadMoveWishes(Pod({{"fairlead.dev/comm-pattern", "allreduce"},
                          {"fairlead.dev/max-rtt", "60ms"},
                          {"fairlead.dev/migration", "dry-run"},
                          {"fairlead.dev/checkpoint-on-request", "true"},
                          {"fairlead.dev/last-checkpoint", "1970-01-01T00:01:00Z"},
                          {"fairlead.dev/checkpoint-interval", "30m"},
                          {"fairlead.dev/checkpoint-write", "45s"},
                          {"fairlead.dev/restart-time", "2m"},
                          {"fairlead.dev/requeue-time", "10s"},
                          {"fairlead.dev/expected-end", "1970-01-01T01:00:00Z"}}));
  EXPECT_EQ(wishes.profile.pattern, CommPattern::kAllreduce);
  EXPECT_EQ(wishes.limits.max_rtt, Milliseconds(60));
  EXPECT_EQ(wishes.mode, MigrationMode::kDryRun);
  EXPECT_TRUE(wishes.writes_on_request);
  EXPECT_EQ(wishes.last_checkpoint, WallTime(Seconds(60)));
  EXPECT_EQ(wishes.interval, Seconds(1800));
  EXPECT_EQ(wishes.write_time, Seconds(45));
  EXPECT_EQ(wishes.restart_time, Seconds(120));
  EXPECT_EQ(wishes.requeue_time, Seconds(10));
  EXPECT_EQ(wishes.expected_end, WallTime(Seconds(3600)));
  EXPECT_EQ(wishes.fault, "");
  EXPECT_EQ(ReadMoveWishes(Pod({})), MoveWishes{});
}

struct Nonsense {
  std::string name;
  std::string value;
};

class MoveWishesNonsense : public testing::TestWithParam<Nonsense> {};

TEST_P(MoveWishesNonsense, IsNamedWithItsValueAndARemedy) {
  const std::string name = "fairlead.dev/" + GetParam().name;
  const MoveWishes wishes = ReadMoveWishes(Pod({{name, GetParam().value}}));
  EXPECT_THAT(wishes.fault, HasSubstr("annotation " + name + " cannot be read: "));
  EXPECT_THAT(wishes.fault, HasSubstr("\"" + GetParam().value + "\""));
}

INSTANTIATE_TEST_SUITE_P(
    Each, MoveWishesNonsense,
    testing::Values(Nonsense{"migration", "enforec"}, Nonsense{"checkpoint-on-request", "yes"},
                    Nonsense{"last-checkpoint", "yesterday"},
                    Nonsense{"checkpoint-interval", "-5m"}, Nonsense{"checkpoint-write", "soon"},
                    Nonsense{"restart-time", "3 min"}, Nonsense{"requeue-time", ""},
                    Nonsense{"expected-end", "2026-01-02"}),
    [](const auto& one) {
      std::string name = one.param.name;
      std::erase(name, '-');
      return name;
    });

TEST(Joined, TakesTheMoreCautiousOfTwo) {
  MoveWishes a;
  a.mode = MigrationMode::kEnforce;
  a.priority = 9;
  a.last_checkpoint = WallTime(Seconds(10));
  a.limits.max_rtt = Milliseconds(50);
  a.restart_time = Seconds(7);
  MoveWishes b;
  b.mode = MigrationMode::kDryRun;
  b.priority = 3;
  b.last_checkpoint = WallTime(Seconds(20));
  b.limits.max_rtt = Milliseconds(40);
  b.limits.min_bytes_per_second = 1e9;
  b.fault = "wrong";
  for (const MoveWishes& both : {Joined(a, b), Joined(b, a)}) {
    EXPECT_EQ(both.mode, MigrationMode::kDryRun);
    EXPECT_EQ(both.priority, 3);
    EXPECT_EQ(both.last_checkpoint, WallTime(Seconds(20)));
    EXPECT_EQ(both.limits.max_rtt, Milliseconds(40));
    EXPECT_EQ(both.limits.min_bytes_per_second, 1e9);
    EXPECT_EQ(both.restart_time, Seconds(7));
    EXPECT_EQ(both.fault, "wrong");
  }
  EXPECT_EQ(Joined(a, a), a);
}

}  // namespace
}  // namespace fairlead::extender
