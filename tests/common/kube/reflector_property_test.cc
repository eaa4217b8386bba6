// A model of an API server that fails in every way it can, and a reflector's rules that follow it:
// whatever happens, the copy is some state that the server has had, it never goes back, it ends
// as the server's, and the server is never asked more often than the waits allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/kube/reflect/reflector_machine.h"

namespace fairlead::kube {
namespace {

using Kind = ReflectorAction::Kind;
using Objects = std::map<int, int>;  // name to value

// Its history from version 0 on; what lies before `compacted` can be neither watched nor paged.
class Server {
 public:
  explicit Server(std::mt19937_64& random) : random_(random) { history_.emplace_back(); }

  void Change() {
    Objects next = history_.back();
    const int name = static_cast<int>(random_() % 12);
    if (random_() % 3 == 0) {
      next.erase(name);
    } else {
      next[name] = static_cast<int>(random_() % 1000);
    }
    history_.push_back(std::move(next));
  }
  void Compact() { compacted_ = Newest(); }
  int Newest() const { return static_cast<int>(history_.size()) - 1; }
  bool Expired(int version) const { return version < compacted_; }
  const Objects& At(int version) const { return history_.at(static_cast<std::size_t>(version)); }

 private:
  std::mt19937_64& random_;
  std::vector<Objects> history_;
  int compacted_ = 0;
};

class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed), server_(random_), machine_({}, false, seed) {
    for (int i = 0; i < 20; ++i) server_.Change();
  }

  // Does what the machine asks for once; with `faults`, anything may go wrong.
  void Step(bool faults) {
    const ReflectorAction action = machine_.Next(now_);
    switch (action.kind) {
      case Kind::kWait:
        ASSERT_GT(action.until, now_);
        Pass(action.until - now_, faults);
        return;
      case Kind::kList:
        ++requests_;
        List(action, faults);
        return;
      case Kind::kWatch:
        ++requests_;
        Watch(action, faults);
        return;
    }
  }

  bool Follows() const { return synced_ && copy_ == server_.At(server_.Newest()); }
  Nanoseconds age() const { return now_ - MonotonicTime{}; }
  int requests() const { return requests_; }
  int pages() const { return pages_; }

 private:
  bool Chance(int percent) { return static_cast<int>(random_() % 100) < percent; }

  void Pass(Nanoseconds span, bool changes) {
    now_ += span;
    if (!changes) return;
    for (int i = static_cast<int>(random_() % 4); i > 0; --i) server_.Change();
    if (Chance(15)) server_.Compact();
  }

  ApiFailure AnyFailure() {
    constexpr ApiFailure kAll[] = {
        ApiFailure::kUnreachable, ApiFailure::kSilent,      ApiFailure::kThrottled,
        ApiFailure::kForbidden,   ApiFailure::kServerError, ApiFailure::kUnauthenticated,
        ApiFailure::kMalformed,   ApiFailure::kTooLarge,    ApiFailure::kRejected,
        ApiFailure::kNotFound,    ApiFailure::kAccess,      ApiFailure::kConflict};
    return kAll[random_() % std::size(kAll)];
  }

  std::optional<Nanoseconds> AnyRetryAfter() {
    if (Chance(70)) return std::nullopt;
    return Seconds(random_() % 40);
  }

  // A continue token is "VERSION/FIRST NAME".
  void List(const ReflectorAction& action, bool faults) {
    Pass(Milliseconds(random_() % 50), faults);
    if (faults && Chance(30)) {
      machine_.OnListFailed(AnyFailure(), AnyRetryAfter(), now_);
      return;
    }
    int version = server_.Newest();
    int from = 0;
    if (!action.first_page) {
      version = std::stoi(action.continue_token);
      from = std::stoi(action.continue_token.substr(action.continue_token.find('/') + 1));
      if (server_.Expired(version)) {
        machine_.OnListFailed(ApiFailure::kExpired, std::nullopt, now_);
        return;
      }
    } else {
      listed_.clear();
    }
    ++pages_;
    const Objects& all = server_.At(version);
    int count = 0;
    std::string token;
    for (auto i = all.lower_bound(from); i != all.end(); ++i) {
      if (!action.whole && ++count > 3) {
        token = std::to_string(version) + "/" + std::to_string(i->first);
        break;
      }
      ASSERT_TRUE(listed_.insert(*i).second) << "listed twice";
    }
    const auto verdict = machine_.OnPage({std::to_string(version), token}, now_);
    ASSERT_NE(verdict, ReflectorMachine::PageVerdict::kMalformed);
    if (verdict == ReflectorMachine::PageVerdict::kMore) return;
    copy_ = listed_;
    MoveTo(version);
    synced_ = true;
  }

  void Watch(const ReflectorAction& action, bool faults) {
    ASSERT_TRUE(synced_);
    ASSERT_EQ(action.resource_version, std::to_string(version_));
    if (server_.Expired(version_)) {
      machine_.OnWatchEnded(ApiFailure::kExpired, std::nullopt, now_);
      return;
    }
    const int events = faults ? static_cast<int>(random_() % 5) : 1000;
    for (int i = 0; i < events; ++i) {
      // A bookmark may come instead of events, but only when all before it have been sent.
      if (version_ == server_.Newest()) {
        machine_.OnEvent(std::to_string(version_), now_);
        break;
      }
      Deliver(version_ + 1);
      Pass(Milliseconds(random_() % 4000), faults && Chance(50));
    }
    if (faults && Chance(50)) {
      machine_.OnWatchEnded(AnyFailure(), AnyRetryAfter(), now_);
      return;
    }
    Pass(faults ? Milliseconds(random_() % 3000) : Nanoseconds(Seconds(30)), false);
    machine_.OnWatchEnded(std::nullopt, std::nullopt, now_);
  }

  // The event that leads to `version`.
  void Deliver(int version) {
    const Objects& after = server_.At(version);
    for (int name = 0; name < 12; ++name) {
      const auto there = after.find(name);
      if (there == after.end()) {
        copy_.erase(name);
      } else {
        copy_[name] = there->second;
      }
    }
    machine_.OnEvent(std::to_string(version), now_);
    MoveTo(version);
  }

  void MoveTo(int version) {
    ASSERT_GE(version, version_) << "the copy went back";
    ASSERT_EQ(copy_, server_.At(version)) << "no state that the server has had";
    version_ = version;
  }

  std::mt19937_64 random_;
  Server server_;
  ReflectorMachine machine_;
  MonotonicTime now_;
  Objects copy_;
  Objects listed_;
  bool synced_ = false;
  int version_ = 0;
  int requests_ = 0;
  int pages_ = 0;
};

TEST(ReflectorPropertyTest, NoSequenceOfFaultsLosesAnObjectOrMakesItBusy) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    World world(seed);
    for (int i = 0; i < 300; ++i) {
      world.Step(true);
      ASSERT_FALSE(testing::Test::HasFatalFailure());
    }
    // After each failed request comes a wait of at least half a second, after each watch that went
    // well a second has passed; a list has at most four pages, of which the last three do not wait.
    const auto most = 8 + 2 * std::chrono::ceil<Seconds>(world.age()).count();
    ASSERT_LE(world.requests() - world.pages(), most);
    for (int i = 0; i < 200 && !world.Follows(); ++i) {
      world.Step(false);
      ASSERT_FALSE(testing::Test::HasFatalFailure());
    }
    EXPECT_TRUE(world.Follows());
  }
}

// Nothing but failures of one kind, for ever: the pace settles at the longest wait.
TEST(ReflectorPropertyTest, OneFailureForEverSettlesAtTheLongestWait) {
  for (int f = 0; f < kApiFailures; ++f) {
    const auto failure = static_cast<ApiFailure>(f);
    if (failure == ApiFailure::kStopped) continue;
    SCOPED_TRACE(ApiFailureName(failure));
    ReflectorMachine machine({}, false, 5);
    MonotonicTime now;
    int requests = 0;
    while (now < MonotonicTime(std::chrono::hours(1))) {
      const ReflectorAction action = machine.Next(now);
      if (action.kind == Kind::kWait) {
        now = action.until;
        continue;
      }
      ++requests;
      if (action.kind == Kind::kList && requests % 2 == 0) {
        machine.OnPage({"1", ""}, now);
      } else if (action.kind == Kind::kList) {
        machine.OnListFailed(failure, std::nullopt, now);
      } else {
        machine.OnWatchEnded(failure, std::nullopt, now);
      }
    }
    EXPECT_LE(requests, 2 * (3600 / 15 + 8));
    EXPECT_GE(requests, 3600 / 30);
  }
}

// A server that ends each watch at once in good order is no reason to be busy either.
TEST(ReflectorPropertyTest, WatchesThatEndAtOnceSettleAtTheLongestWait) {
  ReflectorMachine machine({}, false, 5);
  MonotonicTime now;
  int watches = 0;
  while (now < MonotonicTime(std::chrono::hours(1))) {
    const ReflectorAction action = machine.Next(now);
    if (action.kind == Kind::kWait) {
      now = action.until;
    } else if (action.kind == Kind::kList) {
      machine.OnPage({"1", ""}, now);
    } else {
      ASSERT_LE(++watches, 3600 / 15 + 8);
      machine.OnWatchEnded(std::nullopt, std::nullopt, now);
    }
  }
  EXPECT_GE(watches, 3600 / 30);
}

}  // namespace
}  // namespace fairlead::kube
