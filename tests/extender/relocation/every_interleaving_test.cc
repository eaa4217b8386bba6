// Walks every order of answers, crashes, takeovers, edits and controllers' steps within some events
// of a move that goes well, and from each state on what follows if nothing goes wrong any more.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iostream>
#include <unordered_set>

#include "tests/extender/relocation/move_world.h"

namespace fairlead::extender {
namespace {

struct Seen {
  std::size_t states = 0;
  std::size_t edges = 0;
  std::size_t run = 0;  // states of the undisturbed move
  std::string wrong;
};

using Key = std::uint64_t;

#ifdef __SANITIZE_ADDRESS__
// The code is the same at any depth, and AddressSanitizer makes each event of it many minutes.
constexpr int kLess = 2;
#else
constexpr int kLess = 0;
#endif

// More than any move that ends takes.
constexpr std::size_t kMostSteps = 2000;

Key HashOf(const ModelWorld& world) { return std::hash<std::string>{}(KeyOf(world)); }

// Whether all ends well from here; `good` are states of which that is known.
std::string EndsWell(ModelWorld world, const ModelRules& rules, std::unordered_set<Key>& good) {
  std::vector<Key> path;
  for (std::size_t step = 0; step < kMostSteps; ++step) {
    const Key key = HashOf(world);
    if (good.contains(key)) break;
    path.push_back(key);
    if (const std::string wrong = Violation(world); !wrong.empty()) return wrong;
    std::optional<ModelWorld> next = FairStep(world, rules);
    if (!next) {
      if (const std::string wrong = Unfinished(world); !wrong.empty()) return wrong;
      break;
    }
    if (step + 1 == kMostSteps) return "it never ends";
    world = std::move(*next);
  }
  good.insert(path.begin(), path.end());
  return "";
}

// The states that follow each other if nothing goes wrong.
std::vector<ModelWorld> FairRun(const ModelWorld& first, const ModelRules& rules) {
  std::vector<ModelWorld> run{first};
  while (auto next = FairStep(run.back(), rules)) {
    run.push_back(std::move(*next));
    if (run.size() == kMostSteps) break;  // which EndsWell finds wrong
  }
  return run;
}

// All states within `depth` events of any state of the undisturbed move.
Seen Explore(const ModelWorld& first, const ModelRules& rules, int depth) {
  Seen seen;
  std::unordered_set<Key> visited;
  std::unordered_set<Key> good;
  std::vector<ModelWorld> frontier;
  for (ModelWorld& world : FairRun(first, rules)) {
    if (visited.insert(HashOf(world)).second) frontier.push_back(std::move(world));
  }
  seen.run = frontier.size();
  for (int level = 0; level <= depth && !frontier.empty(); ++level) {
    std::vector<ModelWorld> next;
    for (const ModelWorld& world : frontier) {
      ++seen.states;
      seen.wrong = Violation(world);
      if (seen.wrong.empty()) seen.wrong = EndsWell(world, rules, good);
      if (!seen.wrong.empty()) {
        seen.wrong += " at depth " + std::to_string(level) + "; " + KeyOf(world) + "\n";
        for (const ModelGang& gang : world.gangs) seen.wrong += gang.record + "\n";
        return seen;
      }
      if (level == depth) continue;
      for (ModelWorld& successor : Successors(world, rules)) {
        ++seen.edges;
        if (visited.insert(HashOf(successor)).second) next.push_back(std::move(successor));
      }
    }
    frontier = std::move(next);
  }
  return seen;
}

void Tell(std::string_view what, int depth, const Seen& seen) {
  std::cout << what << ": " << seen.states << " states within " << depth << " events of the "
            << seen.run << " of the undisturbed move, " << seen.edges << " steps between them\n";
}

class EveryInterleaving : public testing::TestWithParam<LeverKind> {};

TEST_P(EveryInterleaving, OfOneGangOfThree) {
  const ModelRules rules{.config = ShortTimes(), .overlap = true};
  constexpr int kDepth = 6 - kLess;
  const Seen seen = Explore(FirstWorld({GetParam()}, {}), rules, kDepth);
  Tell(LeverName(GetParam()), kDepth, seen);
  EXPECT_EQ(seen.wrong, "");
  EXPECT_GT(seen.states, 1000U);
}

TEST_P(EveryInterleaving, OfTwoGangsThatWantOnePlace) {
  const ModelRules rules{.config = ShortTimes(), .overlap = true};
  constexpr int kDepth = 5 - kLess;
  const Budgets budgets{.faults = 1, .takeovers = 1, .crashes = 1, .edits = 0};
  const Seen seen = Explore(FirstWorld({GetParam(), LeverKind::kEvict}, budgets), rules, kDepth);
  Tell(std::string(LeverName(GetParam())) + " beside evict", kDepth, seen);
  EXPECT_EQ(seen.wrong, "");
  EXPECT_GT(seen.states, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Levers, EveryInterleaving, testing::ValuesIn(kAllLevers),
                         [](const auto& lever) { return std::string(LeverName(lever.param)); });

}  // namespace
}  // namespace fairlead::extender
