// Weeks of random trouble with fifty gangs in six sites.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <random>

#include "extender/migration/move_ledger.h"
#include "tests/extender/migration/migration_fixture.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kSites = 6;
constexpr std::size_t kGangs = 50;
constexpr std::uint32_t kRoom = 60;  // members a site
constexpr Nanoseconds kRound = Seconds(60);

std::string Site(std::size_t i) { return std::string(1, static_cast<char>('a' + i)); }

struct Begun {
  Nanoseconds at{};
  Nanoseconds ends{};
  std::size_t gang = 0;
  SiteCounts from;
  SiteCounts to;
};

class Weeks {
 public:
  explicit Weeks(std::uint64_t seed) : random_(seed), cluster_(Config()) {
    for (std::size_t a = 0; a < kSites; ++a) {
      for (std::size_t b = a + 1; b < kSites; ++b) {
        lines_.push_back(LineOf(Site(a), Site(b)));
        until_.push_back(Nanoseconds(0));
      }
    }
    for (std::size_t i = 0; i < kGangs; ++i) {
      GangCondition gang = GangOf(std::to_string(i));
      gang.key.namespace_name = "team-" + std::to_string(i % 5);
      gang.priority = static_cast<std::int32_t>(i % 3);
      const std::size_t a = i % kSites;
      const std::size_t b = (i / kSites + a + 1) % kSites;
      gang.members = a == b ? SiteCounts{{Site(a), 4}} : SiteCounts{{Site(a), 2}, {Site(b), 2}};
      gang.size = 4;
      gang.ready = 4;
      gangs_.push_back(gang);
    }
  }

  // All lines of one site, for so long from now on.
  void Cut(std::size_t site, Nanoseconds span) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].line.first != Site(site) && lines_[i].line.second != Site(site)) continue;
      Set(i, LinkState::kDown, elapsed_ + span);
    }
    cut_until_ = elapsed_ + span;
  }

  void Round() {
    elapsed_ += kRound;
    Trouble();
    for (GangCondition& gang : gangs_) Look(gang);
    cluster_.round.lines = lines_;
    cluster_.round.gangs = gangs_;
    const MigrationDecisions decisions = cluster_.Step(kRound);
    if (cut_until_ > elapsed_) {
      EXPECT_TRUE(decisions.held);
    }
    held_rounds_ += decisions.held ? 1 : 0;
    for (std::size_t i = 0; i < kGangs; ++i) {
      const MigrationVerdict& verdict = decisions.verdicts[i];
      if (verdict.reason == MigrationReason::kMove) Move(i, verdict, decisions.held);
    }
    CheckLimits();
  }

  std::size_t moves() const { return all_moves_; }
  std::size_t ping_pongs() const { return ping_pongs_; }
  std::size_t held_rounds() const { return held_rounds_; }

 private:
  static MigrationConfig Config() {
    MigrationConfig config = Enforcing();
    config.interval = kRound;
    config.evidence_stale = Seconds(150);
    return config;
  }

  void Set(std::size_t i, LinkState state, Nanoseconds until) {
    const SitePair line = lines_[i].line;
    lines_[i] = LineOf(line.first, line.second, state);
    lines_[i].state_age = Nanoseconds(0);
    until_[i] = until;
  }

  void Trouble() {
    std::uniform_real_distribution<double> uniform(0, 1);
    std::exponential_distribution<double> span(1.0 / 5400);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      lines_[i].state_age += kRound;
      if (lines_[i].state != LinkState::kHealthy && elapsed_ >= until_[i]) {
        Set(i, LinkState::kHealthy, Nanoseconds(0));
      } else if (lines_[i].state == LinkState::kHealthy && uniform(random_) < 8e-4) {
        Set(i, uniform(random_) < 0.1 ? LinkState::kDown : LinkState::kDegraded,
            elapsed_ + Nanoseconds(static_cast<std::int64_t>(span(random_) * 1e9)));
      }
      // Now and then nothing is heard of a line.
      lines_[i].age =
          uniform(random_) < 0.01 ? std::nullopt : std::optional<Nanoseconds>(Seconds(1));
    }
  }

  const LineCondition* LineOfPair(const SitePair& pair) const {
    for (const LineCondition& line : lines_) {
      if (line.line == pair) return &line;
    }
    return nullptr;
  }

  double StepOf(const SiteCounts& members) const {
    if (members.size() < 2) return 0.05;
    const LineCondition* line =
        LineOfPair({members.begin()->first, std::next(members.begin())->first});
    return line->state == LinkState::kHealthy ? 0.06 : 0.18;
  }

  void Look(GangCondition& gang) {
    gang.crosses.clear();
    if (gang.members.size() == 2) {
      gang.crosses = {{gang.members.begin()->first, std::next(gang.members.begin())->first}};
    }
    gang.step_seconds = StepOf(gang.members);
    std::map<std::string, std::uint32_t> used;
    for (const GangCondition& other : gangs_) {
      if (other.key == gang.key) continue;
      for (const auto& [site, members] : other.members) used[site] += members;
    }
    gang.places.clear();
    // It is not asked where else it could go.
    const bool well =
        gang.crosses.empty() || LineOfPair(gang.crosses.front())->state == LinkState::kHealthy;
    for (std::size_t a = 0; a < kSites && !well; ++a) {
      if (used[Site(a)] + 4 <= kRoom) {
        gang.places.push_back({.members = {{Site(a), 4}}, .step_seconds = 0.05, .lines = {}});
      }
      for (std::size_t b = a + 1; b < kSites; ++b) {
        if (used[Site(a)] + 2 > kRoom || used[Site(b)] + 2 > kRoom) continue;
        const SiteCounts members{{Site(a), 2}, {Site(b), 2}};
        gang.places.push_back(
            {.members = members, .step_seconds = StepOf(members), .lines = {{Site(a), Site(b)}}});
      }
    }
    // So that gangs stay on lines: one whole site is only offered to a few.
    if (gang.priority != 0) {
      std::erase_if(gang.places, [](const Place& place) { return place.members.size() == 1; });
    }
    std::ranges::stable_sort(gang.places, {}, &Place::step_seconds);
    for (PastMove& move : gang.history) {
      move.begun_ago += kRound;
      if (move.ended_ago) *move.ended_ago += kRound;
      if (!move.ended_ago && move.begun_ago >= Seconds(240)) move.ended_ago = Nanoseconds(0);
    }
    if (gang.history.size() > 6) gang.history.erase(gang.history.begin());
  }

  void Move(std::size_t i, const MigrationVerdict& verdict, bool held) {
    GangCondition& gang = gangs_[i];
    EXPECT_FALSE(held);
    for (const PastMove& move : gang.history) {
      EXPECT_TRUE(move.ended_ago && *move.ended_ago >= cluster_.config.gang_cooldown);
      if (move.begun_ago >= cluster_.config.exclusion) continue;
      if (verdict.to->members == move.from) ++ping_pongs_;
      for (const SitePair& line : verdict.to->lines) {
        if (std::ranges::find(move.left, line) != move.left.end()) ++ping_pongs_;
      }
    }
    for (const SitePair& line : verdict.to->lines) {
      EXPECT_EQ(LineOfPair(line)->state, LinkState::kHealthy);
      EXPECT_TRUE(LineOfPair(line)->age);
    }
    for (const SitePair& line : verdict.leaves) EXPECT_TRUE(LineOfPair(line)->age);
    gang.history.push_back({.id = std::to_string(++all_moves_),
                            .begun_ago = Nanoseconds(0),
                            .ended_ago = std::nullopt,
                            .disturbed = true,
                            .from = gang.members,
                            .to = verdict.to->members,
                            .left = verdict.leaves});
    begun_.push_back({elapsed_, elapsed_ + Seconds(240), i, gang.members, verdict.to->members});
    gang.members = verdict.to->members;
  }

  void CheckLimits() {
    const MigrationLimits& limits = cluster_.config.limits;
    while (!begun_.empty() && begun_.front().at <= elapsed_ - limits.window) begun_.pop_front();
    std::map<std::string, MoveLimit> counted;
    const auto add = [&](const std::string& name, const Begun& move) {
      MoveLimit& count = counted.try_emplace(name, MoveLimit{0, 0}).first->second;
      ++count.per_window;
      if (move.ends > elapsed_) ++count.concurrent;
    };
    for (const Begun& move : begun_) {
      add("cluster", move);
      add("team " + gangs_[move.gang].key.namespace_name, move);
      for (const std::string& site : SitesTouched(move.from, move.to)) add("site " + site, move);
    }
    for (const auto& [name, count] : counted) {
      const MoveLimit& limit = name == "cluster"          ? limits.cluster
                               : name.starts_with("team") ? limits.of_namespace
                                                          : limits.site;
      ASSERT_LE(count.concurrent, limit.concurrent) << name;
      ASSERT_LE(count.per_window, limit.per_window) << name;
    }
  }

  std::mt19937_64 random_;
  MigrationCluster cluster_;
  Nanoseconds elapsed_{};
  Nanoseconds cut_until_{};
  std::vector<LineCondition> lines_;
  std::vector<Nanoseconds> until_;
  std::vector<GangCondition> gangs_;
  std::deque<Begun> begun_;
  std::size_t all_moves_ = 0;
  std::size_t ping_pongs_ = 0;
  std::size_t held_rounds_ = 0;
};

TEST(Weeks, OfTroubleBringNoPingPongNoLimitPassedAndNoMoveWhileASiteIsCutOff) {
  Weeks weeks(3);
  constexpr int kRoundsOfDay = 24 * 60;
  for (int round = 0; round < 14 * kRoundsOfDay; ++round) {
    if (round % (2 * kRoundsOfDay) == kRoundsOfDay) {
      weeks.Cut(static_cast<std::size_t>(round / kRoundsOfDay) % kSites, Seconds(3 * 3600));
    }
    weeks.Round();
    if (testing::Test::HasFailure()) FAIL() << "in round " << round;
  }
  std::cout << "two weeks, " << kGangs << " gangs: " << weeks.moves() << " moves, "
            << weeks.ping_pongs() << " of them back, " << weeks.held_rounds() << " rounds held\n";
  EXPECT_GT(weeks.moves(), 50U);
  EXPECT_EQ(weeks.ping_pongs(), 0U);
  EXPECT_GT(weeks.held_rounds(), 7U * 180U);
}

}  // namespace
}  // namespace fairlead::extender
