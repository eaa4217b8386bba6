// What plans promise and where it is laid, against the plain computation over all plans, members
// and nodes.
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "extender/gang_plan/capacity.h"
#include "extender/gang_plan/plan_table.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;

constexpr int kRounds = 300;

class Draw {
 public:
  explicit Draw(int round) : random_(static_cast<std::uint32_t>(round)) {}

  std::uint32_t operator()(std::uint32_t below) {
    return std::uniform_int_distribution<std::uint32_t>(0, below - 1)(random_);
  }
  bool OneIn(std::uint32_t of) { return (*this)(of) == 0; }
  std::string Site() { return std::array{"hk", "sg", "tyo"}[(*this)(3)]; }

  PodNeeds Needs() {
    PodNeeds needs;
    needs.requests.milli_cpu = 1'000 * (*this)(3);
    needs.requests.memory_bytes = (*this)(2);
    if (!OneIn(4)) needs.requests.extended["rdma/hca"] = 1 + (*this)(4);
    if (OneIn(4)) needs.requests.extended["nvidia.com/gpu"] = 1 + (*this)(2);
    if (OneIn(3)) needs.node_selector = {{"gen", std::to_string((*this)(2))}};
    if (OneIn(2)) needs.tolerations = {{"gpu", TolerationOperator::kExists, "", {}}};
    needs.one_per_host = OneIn(4);
    return needs;
  }

  NodeCapacity Node(int number) {
    NodeCapacity node;
    node.name = "node-" + std::to_string(number);
    node.site = OneIn(12) ? "" : Site();
    node.free.milli_cpu = 1'000 * (*this)(8);
    node.free.memory_bytes = (*this)(8);
    node.free.extended = {{"rdma/hca", (*this)(9)}, {"nvidia.com/gpu", (*this)(4)}};
    node.pods = (*this)(6);
    if (OneIn(4)) node.taints = {{"gpu", "", TaintEffect::kNoSchedule}};
    node.labels = LabelSet{{"gen", OneIn(2) ? "0" : "1"}};
    node.ready = !OneIn(9);
    node.has_member = OneIn(5);
    return node;
  }

 private:
  std::mt19937 random_;
};

// One member after the other, each on the first node of its site that has room.
void LayPlainly(std::vector<NodeCapacity>& nodes, const PromisedMembers& promise) {
  std::set<std::size_t> used;
  for (std::uint64_t member = 0; member < promise.members; ++member) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].site != promise.site || (promise.needs->one_per_host && used.contains(i))) {
        continue;
      }
      NodeCapacity alone = nodes[i];
      alone.has_member = false;
      if (MembersThatFit(*promise.needs, std::vector{alone}).by_node[0] == 0) continue;
      const Amounts& each = promise.needs->requests;
      nodes[i].free.milli_cpu -= each.milli_cpu;
      nodes[i].free.memory_bytes -= each.memory_bytes;
      for (const auto& [name, amount] : each.extended) nodes[i].free.extended[name] -= amount;
      --nodes[i].pods;
      used.insert(i);
      break;
    }
  }
}

TEST(PromisedMembers, AreLaidAsOneAfterTheOther) {
  for (int round = 0; round < kRounds; ++round) {
    Draw draw(round);
    std::vector<NodeCapacity> nodes;
    for (int i = 0; i < 12; ++i) nodes.push_back(draw.Node(i));
    std::vector<PodNeeds> needs;
    for (int i = 0; i < 5; ++i) needs.push_back(draw.Needs());
    std::vector<PromisedMembers> promised;
    for (std::uint32_t i = draw(12); i > 0; --i) {
      promised.push_back({draw.Site(), 1 + draw(5), &needs[draw(5)]});
    }
    const PodNeeds asked = draw.Needs();
    std::vector<NodeCapacity> plain = nodes;
    for (const PromisedMembers& promise : promised) LayPlainly(plain, promise);
    const MemberRoom expected = MembersThatFit(asked, plain);
    const MemberRoom room = MembersThatFit(asked, nodes, promised);
    EXPECT_EQ(room.by_node, expected.by_node) << "round " << round;
    EXPECT_EQ(room.by_site, expected.by_site) << "round " << round;
  }
}

TEST(PromisedMembers, AreLaidOnWhatIsLeft) {
  for (int round = 0; round < kRounds; ++round) {
    Draw draw(round);
    std::vector<NodeCapacity> nodes;
    NodesLeft left;
    std::vector<NodeCapacity> plain;
    for (int i = 0; i < 8; ++i) {
      nodes.push_back(draw.Node(i));
      plain.push_back(nodes.back());
      left.emplace_back();
      if (draw.OneIn(2)) continue;
      const NodeCapacity other = draw.Node(i);
      left.back() = NodeLeft{other.free, other.pods};
      plain.back().free = other.free;
      plain.back().pods = other.pods;
    }
    const PodNeeds needs = draw.Needs();
    const std::vector<PromisedMembers> promised{{"hk", draw(4), &needs}, {"sg", draw(4), &needs}};
    const PodNeeds asked = draw.Needs();
    EXPECT_EQ(MembersThatFit(asked, nodes, promised, left).by_node,
              MembersThatFit(asked, plain, promised).by_node)
        << "round " << round;
    EXPECT_EQ(MembersThatFit(asked, nodes, {}, left).by_node, MembersThatFit(asked, plain).by_node)
        << "round " << round;
  }
}

// What a table says, in values.
using Promise = std::tuple<PodNeeds, GangKey, std::string>;
using Promises = std::map<Promise, std::uint64_t>;

class TableProperty {
 public:
  explicit TableProperty(int round) : draw_(round) {
    for (int i = 0; i < 4; ++i) needs_.push_back(draw_.Needs());
    for (int i = 0; i < 8; ++i) {
      keys_.push_back({"job", "ml", std::to_string(i / 2), std::to_string(i % 2)});
    }
  }

  void Step(int step) {
    const GangKey& gang = keys_[draw_(8)];
    const std::string uid = "pod-" + std::to_string(draw_(6));
    const MonotonicTime now = At(step);
    switch (draw_(7)) {
      case 0:
        table_.Keep(gang, Plan(), needs_[draw_(4)], Bound(), now);
        break;
      case 1:
        table_.Observe(gang, Bound(), now);
        break;
      case 2:
      case 3: {
        const std::string site = draw_.Site();
        const std::vector<std::string_view> sites{site};
        table_.Take(gang, {.uid = uid, .rank = {}, .sites = sites, .full = draw_.OneIn(2)}, now);
        break;
      }
      case 4:
        table_.Assume(gang, uid, draw_.OneIn(4) ? "" : "node", now);
        break;
      case 5:
        table_.Forget(gang, uid);
        break;
      case 6:
        if (draw_.OneIn(3)) table_.Drop(gang);
        table_.Expire(now);
        break;
    }
  }

  void Check(const std::string& where) const {
    for (const GangKey& except : keys_) {
      Promises told;
      std::vector<std::pair<PodNeeds, std::string>> order;
      for (const PromisedMembers& one : table_.Promised(except)) {
        told[{*one.needs, {}, one.site}] += one.members;
        order.emplace_back(*one.needs, one.site);
        EXPECT_GT(one.members, 0U);
      }
      EXPECT_EQ(told, Plainly(except)) << where;
      std::set<std::pair<PodNeeds, std::string>> apart(order.begin(), order.end());
      for (const auto& one : apart) {
        const auto times = std::ranges::count(order, one);
        EXPECT_TRUE(times == 1 || one.first.one_per_host) << where;
      }
      LineOccupancy lines;
      for (const GangKey& key : keys_) {
        if (key == except || table_.Find(key) == nullptr) continue;
        for (const auto& line : table_.Find(key)->plan.lines) ++lines[line];
      }
      EXPECT_EQ(table_.Crossings(except), lines) << where;
    }
  }

 private:
  GangPlan Plan() {
    GangPlan plan;
    for (const char* site : {"hk", "sg", "tyo"}) {
      if (draw_.OneIn(3)) continue;
      plan.sites.push_back({site, 1 + draw_(3)});
      plan.size += plan.sites.back().members;
    }
    for (std::size_t i = 1; i < plan.sites.size(); ++i) {
      plan.lines.emplace_back(plan.sites[i - 1].site, plan.sites[i].site);
    }
    return plan;
  }

  std::vector<BoundMember> Bound() {
    std::vector<BoundMember> bound;
    for (int i = 0; i < 6; ++i) {
      if (!draw_.OneIn(4)) continue;
      bound.push_back(
          {"pod-" + std::to_string(i), draw_.Site(), "n" + std::to_string(draw_(2)), std::nullopt});
    }
    return bound;
  }

  Promises Plainly(const GangKey& except) const {
    Promises promises;
    for (const GangKey& key : keys_) {
      const PlanInForce* const in_force = table_.Find(key);
      if (key == except || in_force == nullptr) continue;
      for (const PlannedSite& site : in_force->plan.sites) {
        std::uint32_t settled = 0;
        for (const auto& [uid, seat] : in_force->seats) {
          settled += seat.site == site.site && (seat.bound || !seat.node.empty()) ? 1 : 0;
        }
        if (settled >= site.members) continue;
        promises[{in_force->needs, {}, site.site}] += site.members - settled;
      }
    }
    return promises;
  }

  Draw draw_;
  std::vector<PodNeeds> needs_;
  std::vector<GangKey> keys_;
  PlanTable table_{Seconds(20), 5, 16};
};

TEST(PlanTablePromises, AreWhatAllPlansTogetherLack) {
  for (int round = 0; round < 60; ++round) {
    TableProperty table(round);
    for (int step = 0; step < 60; ++step) {
      table.Step(step);
      table.Check("round " + std::to_string(round) + ", step " + std::to_string(step));
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
