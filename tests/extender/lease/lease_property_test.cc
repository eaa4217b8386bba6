// Whatever probes, lines and gangs do, and however often extenders start anew: a line has one test
// at a time and none beside a gang, is judged between two, and a day's bytes are never passed.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>

#include "extender/link/line_name.h"
#include "tests/extender/lease/world.h"

namespace fairlead::extender {
namespace {

// A probe as it may behave: it runs a lease once, within its bytes and those of its day, and says
// so late or never.
struct Probe {
  std::map<std::pair<std::int64_t, std::string>, std::uint64_t> ledger;
  std::vector<LeaseAnswer> answers;
  std::set<std::uint64_t> seen;
  std::optional<BandwidthLease> running;
  MonotonicTime until{};
  std::uint64_t reserved = 0;
  std::pair<std::int64_t, std::string> account;

  void Begin(const BandwidthLease& lease, MonotonicTime now, std::int64_t day) {
    if (running || !seen.insert(lease.id).second) return;
    account = {day, LineName(lease.link.from_site, lease.link.to_site)};
    std::uint64_t& spent = ledger[account];
    const std::uint64_t left =
        lease.most_bytes_per_day > spent ? lease.most_bytes_per_day - spent : 0;
    reserved = std::min(left, lease.most_bytes);
    spent += reserved;
    running = lease;
    until = now + lease.duration;
  }
  void Finish(std::uint64_t used, LeaseResult result) {
    ledger[account] -= reserved - std::min(used, reserved);
    answers.push_back({.lease_id = running->id, .result = result, .why = "", .spent_bytes = used});
    running.reset();
  }
  // It is killed: what it reserved stays spent, and nobody hears what became of it.
  void Die() {
    running.reset();
    answers.clear();
    seen.clear();
  }
  LeaseReport Report() const {
    LeaseReport report{.answers = answers, .spent = {}};
    for (const auto& [key, bytes] : ledger) {
      report.spent.push_back({.line = key.second, .day = key.first, .bytes = bytes});
    }
    return report;
  }
};

class Simulation {
 public:
  explicit Simulation(unsigned seed) : random_(seed), world_({"hk", "sg", "tyo", "us"}) {
    world_.settings.saturation = true;
    world_.settings.saturation_bytes = 100'000'000;
    world_.settings.bytes_per_day = 450'000'000;
    world_.settings.train_interval = Seconds(60);
    world_.settings.saturation_interval = Seconds(300);
    desk_ = std::make_unique<LeaseDesk>(1);
  }

  void Run(int seconds) {
    for (int second = 0; second < seconds; ++second) {
      world_.now += Seconds(1);
      Disturb();
      desk_->Turn(world_.Question());
      Check();
      Act();
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(tests_, 40);
    EXPECT_GT(most_spent_, world_.settings.bytes_per_day * 3 / 4) << "the limit was never near";
  }

 private:
  bool Happens(double chance) { return std::bernoulli_distribution(chance)(random_); }

  void Disturb() {
    for (LinkView& view : world_.links.links) {
      if (Happens(0.005)) view.state = LinkState::kDegraded;
      if (Happens(0.05)) view.state = LinkState::kHealthy;
    }
    if (Happens(0.01)) world_.gangs.crossed.insert({"hk", "sg"});
    if (Happens(0.03)) world_.gangs.crossed.clear();
    if (Happens(0.002)) world_.leads = false;
    if (Happens(0.05)) world_.leads = true;
    if (Happens(0.0005)) {  // another process, which only knows what probes say
      desk_ = std::make_unique<LeaseDesk>(
          static_cast<std::uint64_t>(world_.now.time_since_epoch() / Milliseconds(1)));
      for (auto& [node, probe] : probes_) desk_->Told(node, probe.Report(), world_.now);
      last_tested_.clear();
    }
  }

  void Check() {
    std::set<std::string> sites;
    for (const BandwidthLease& lease : LeasesOf(*desk_, world_)) {
      EXPECT_TRUE(sites.insert(lease.link.from_site).second) << lease.link.from_site;
      EXPECT_TRUE(sites.insert(lease.link.to_site).second) << lease.link.to_site;
      EXPECT_FALSE(
          world_.gangs.crossed.contains(std::minmax(lease.link.from_site, lease.link.to_site)));
      const auto last = last_tested_.find(LineName(lease.link.from_site, lease.link.to_site));
      if (!granted_.insert(lease.id).second || last == last_tested_.end()) continue;
      EXPECT_GE(world_.now - last->second, Seconds(120)) << last->first << " was not judged";
    }
    for (const LinkKey& link : desk_->Tested(world_.now)) {
      last_tested_[LineName(link.from_site, link.to_site)] = world_.now;
    }
    std::set<std::string> lines;
    for (const auto& [node, probe] : probes_) {
      if (!probe.running) continue;
      const LinkKey& link = probe.running->link;
      EXPECT_TRUE(lines.insert(LineName(link.from_site, link.to_site)).second) << node;
    }
    std::map<std::pair<std::int64_t, std::string>, std::uint64_t> spent;
    for (const auto& [node, probe] : probes_) {
      for (const auto& [key, bytes] : probe.ledger) spent[key] += bytes;
    }
    for (const auto& [key, bytes] : spent) {
      EXPECT_LE(bytes, world_.settings.bytes_per_day) << key.second << " on day " << key.first;
      most_spent_ = std::max(most_spent_, bytes);
    }
  }

  void Act() {
    for (const TestPair& pair : world_.pairs) {
      Probe& probe = probes_[pair.node];
      const BandwidthLease* lease = desk_->LeaseOf(pair.node);
      if (probe.running && world_.now >= probe.until) {
        probe.Finish(probe.reserved, LeaseResult::kAborted);
      } else if (probe.running && (lease == nullptr || lease->id != probe.running->id)) {
        if (Happens(0.5)) probe.Finish(probe.reserved / 3, LeaseResult::kAborted);
      } else if (probe.running && Happens(0.1)) {
        probe.Finish(probe.reserved - probe.reserved / 7, LeaseResult::kMeasured);
        ++tests_;
      } else if (lease != nullptr) {
        probe.Begin(*lease, world_.now, DayOf(world_.Question().wall_now));
      }
      if (Happens(0.0003)) {
        probe.Die();
        desk_->Interrupted(pair.node);
      }
      if (Happens(0.7)) desk_->Told(pair.node, probe.Report(), world_.now);
    }
  }

  std::mt19937 random_;
  World world_;
  std::unique_ptr<LeaseDesk> desk_;
  std::map<std::string, Probe> probes_;
  std::set<std::uint64_t> granted_;
  std::map<std::string, MonotonicTime> last_tested_;  // of the same desk, by line
  int tests_ = 0;
  std::uint64_t most_spent_ = 0;
};

class Leases : public ::testing::TestWithParam<unsigned> {};

TEST_P(Leases, NeverMeetAGangOrEachOtherAndStayWithinTheDay) { Simulation(GetParam()).Run(20'000); }

INSTANTIATE_TEST_SUITE_P(Seeds, Leases, ::testing::Range(1U, 7U),
                         [](const auto& each) { return "seed_" + std::to_string(each.param); });

}  // namespace
}  // namespace fairlead::extender
