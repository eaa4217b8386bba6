#include "extender/link/healed_sites.h"

#include <gmock/gmock.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

LinkSnapshot With(LinkState state) {
  sample::Links links = sample::Lab();
  links.State("hk", "sg", state, LinkReason::kNone);
  return links.Snapshot();
}

TEST(HealedSites, AreThoseOfALineThatIsBetterThanDownOrDegraded) {
  using enum LinkState;
  for (const auto& [before, now] : {std::pair{kDown, kHealthy}, std::pair{kDown, kDegraded},
                                    std::pair{kDown, kSuspect}, std::pair{kDegraded, kHealthy}}) {
    EXPECT_THAT(HealedSites(With(before), With(now)), ElementsAre("hk", "sg"));
  }
}

TEST(HealedSites, AreNoneWhereNothingHealed) {
  using enum LinkState;
  for (const auto& [before, now] :
       {std::pair{kHealthy, kHealthy}, std::pair{kSuspect, kHealthy}, std::pair{kUnknown, kHealthy},
        std::pair{kDegraded, kSuspect}, std::pair{kDegraded, kDown}, std::pair{kDown, kUnknown},
        std::pair{kHealthy, kDown}}) {
    EXPECT_THAT(HealedSites(With(before), With(now)), IsEmpty());
  }
}

TEST(HealedSites, ALinkThatAppearsOrGoesHealsNothing) {
  EXPECT_THAT(HealedSites({}, With(LinkState::kHealthy)), IsEmpty());
  EXPECT_THAT(HealedSites(With(LinkState::kDown), {}), IsEmpty());
}

}  // namespace
}  // namespace fairlead::extender
