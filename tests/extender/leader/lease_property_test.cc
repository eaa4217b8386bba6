// Several replicas and one API server, with everything going wrong that can: never two leaders.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "tests/extender/leader/lease_simulator.h"

namespace fairlead::extender {
namespace {

using Kind = LeaseAction::Kind;

// Looks at all replicas whenever something has happened; leaderships begin at no other moment.
class Referee {
 public:
  void Look(const std::vector<Leadership>& seen) {
    std::vector<std::size_t> leaders;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i].leading) leaders.push_back(i);
    }
    ASSERT_LE(leaders.size(), 1U);
    if (leaders.empty()) return;
    const Leadership& leader = seen[leaders.front()];
    if (leader.holder == holder_ && leader.term == term_) return;
    EXPECT_GT(leader.term, term_) << leader.holder << " after " << holder_;
    holder_ = leader.holder;
    term_ = leader.term;
    ++changes;
  }
  int changes = 0;

 private:
  std::string holder_;
  std::uint64_t term_ = 0;
};

// Requests take no time; each of them can get lost, or its answer.
struct Small {
  LeaseServer server;
  std::array<LeaseMachine, 2> machines{LeaseMachine({}, "a", 1), LeaseMachine({}, "b", 2)};
  Referee referee;
  MonotonicTime now{Seconds(1000)};

  enum class Fate { kWell, kLost, kUnanswered };

  void Step(std::size_t who, Fate fate) {
    LeaseMachine& machine = machines[who];
    for (int i = 0; i < 3; ++i) {  // up to the end of a round: read, write, wait
      const LeaseAction action = machine.Next(now);
      if (!IsRequest(action)) break;
      if (fate == Fate::kLost) {
        machine.OnFailure(std::nullopt, now);
      } else {
        const LeaseServer::Answer answer = server.Carry(action);
        if (fate == Fate::kUnanswered) {
          machine.OnFailure(std::nullopt, now);
        } else {
          Give(answer, machine, now);
        }
      }
      Look();
    }
  }
  void Look() { referee.Look({machines[0].Get(now), machines[1].Get(now)}); }
};

void Explore(const Small& from, int depth, std::uint64_t& leaves) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  for (const Milliseconds pause :
       {Milliseconds(2'600), Milliseconds(8'000), Milliseconds(15'100)}) {
    for (const Small::Fate fate :
         {Small::Fate::kWell, Small::Fate::kLost, Small::Fate::kUnanswered}) {
      for (const std::size_t who : {0U, 1U}) {
        Small next = from;
        next.now += pause;
        next.Look();
        next.Step(who, fate);
        if (testing::Test::HasFatalFailure()) return;
        Explore(next, depth - 1, leaves);
      }
    }
  }
}

TEST(LeaseProperty, EveryCourseOfFourRoundsHasOneLeaderAtATime) {
  Small led;
  led.Step(0, Small::Fate::kWell);
  ASSERT_TRUE(led.machines[0].Get(led.now).leading);
  for (const Small& begin : {Small(), led}) {
    std::uint64_t leaves = 0;
    Explore(begin, 4, leaves);
    EXPECT_EQ(leaves, 18U * 18U * 18U * 18U);
  }
}

// Requests take time, replicas pause, and each has a clock of its own pace and beginning.
class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed) {}

  void Run(Nanoseconds length) {
    for (const Nanoseconds end = now_ + length; now_ < end;) {
      const auto next = std::min_element(replicas_.begin(), replicas_.end(),
                                         [](auto& a, auto& b) { return a.due < b.due; });
      now_ = std::max(now_, next->due);
      Turn(*next);
      Look();
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  void Add() {
    replicas_.push_back({.pace = 1 + trouble_ * Draw(-0.15, 0.15),
                         .offset = Seconds(static_cast<int>(Draw(1e4, 1e6)))});
    Restart(replicas_.back());
  }

  void set_trouble(double trouble) { trouble_ = trouble; }
  const Referee& referee() const { return referee_; }
  int leaders() const {
    int count = 0;
    for (const Replica& r : replicas_) count += r.machine->Get(Local(r, now_)).leading ? 1 : 0;
    return count;
  }

 private:
  struct Replica {
    double pace;
    Nanoseconds offset;
    std::optional<LeaseMachine> machine{};
    Nanoseconds due{};  // of the true clock
    std::optional<LeaseAction> action{};
    std::optional<LeaseServer::Answer> answer{};
    bool carried = false;
  };

  double Draw(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  bool Chance(double p) { return Draw(0, 1) < p; }

  static MonotonicTime Local(const Replica& r, Nanoseconds now) {
    const double passed = r.pace * static_cast<double>(now.count());
    return MonotonicTime(r.offset + Nanoseconds(static_cast<std::int64_t>(passed)));
  }
  static Nanoseconds Span(double seconds) {
    return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  }

  // One step of a replica: it begins a request, the server carries it out, the answer is there.
  void Turn(Replica& r) {
    const MonotonicTime local = Local(r, now_);
    if (trouble_ > 0 && Chance(0.004)) Restart(r);
    if (!r.action) {
      const LeaseAction action = r.machine->Next(local);
      if (action.kind == Kind::kDone) return Restart(r);
      if (action.kind == Kind::kWait) {
        const auto wait = static_cast<double>((action.until - local).count()) * 1e-9 / r.pace;
        r.due = now_ + Span(std::max(1e-6, wait) + 1e-6) + Stopped();
      } else {
        r.action = action;
        r.carried = false;
        r.due = now_ + Span(Draw(0.001, 0.02 + trouble_ * 1.5)) + Stopped();
      }
    } else if (!r.carried) {
      r.carried = true;
      if (!Chance(0.15 * trouble_)) r.answer = server_.Carry(*r.action);
      r.due = now_ + Span(Draw(0.001, 0.02 + trouble_ * 1.5)) + Stopped();
    } else {
      if (r.answer && !Chance(0.15 * trouble_)) {
        Give(*r.answer, *r.machine, local);
      } else {
        r.machine->OnFailure(std::nullopt, local);
      }
      r.action.reset();
      r.answer.reset();
      r.due = now_ + Nanoseconds(1000);
      if (trouble_ > 0 && Chance(0.01)) r.machine->Resign();
    }
  }

  Nanoseconds Stopped() {
    return trouble_ > 0 && Chance(0.03) ? Span(Draw(1, 40)) : Nanoseconds(0);
  }
  // Another process; what it asked for last may still be carried out.
  void Restart(Replica& r) {
    if (r.action && !r.carried && Chance(0.5)) server_.Carry(*r.action);
    r.machine.emplace(LeaseTimes{}, "r" + std::to_string(++born_), random_());
    r.action.reset();
    r.answer.reset();
    r.due = now_ + Span(Draw(0, 5));
  }
  void Look() {
    std::vector<Leadership> seen;
    for (const Replica& r : replicas_) seen.push_back(r.machine->Get(Local(r, now_)));
    referee_.Look(seen);
  }

  std::mt19937_64 random_;
  double trouble_ = 0;
  Nanoseconds now_{0};
  int born_ = 0;
  LeaseServer server_;
  std::vector<Replica> replicas_;
  Referee referee_;
};

TEST(LeaseProperty, OneLeaderAtATimeInAnyTroubleAndSoonOneAfterIt) {
  int changes = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    World world(seed);
    world.set_trouble(1);
    for (std::uint64_t i = 0; i < 2 + seed % 2; ++i) world.Add();
    world.Run(Seconds(1200));
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    world.set_trouble(0);
    world.Run(Seconds(80));  // a stop of 40 s, a lease, a retry
    ASSERT_EQ(world.leaders(), 1) << "seed " << seed;
    const int settled = world.referee().changes;
    world.Run(Seconds(600));
    ASSERT_EQ(world.leaders(), 1) << "seed " << seed;
    ASSERT_EQ(world.referee().changes, settled) << "it stays, seed " << seed;
    changes += settled;
  }
  EXPECT_GT(changes, 1000) << "or the trouble was none";
}

TEST(LeaseProperty, WithoutTroubleTheFirstLeaderStays) {
  World world(5);
  for (int i = 0; i < 3; ++i) world.Add();
  world.Run(Seconds(3600));
  EXPECT_EQ(world.referee().changes, 1);
  EXPECT_EQ(world.leaders(), 1);
}

}  // namespace
}  // namespace fairlead::extender
