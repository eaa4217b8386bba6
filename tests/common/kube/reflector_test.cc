#include "common/kube/reflector.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "common/kube/typed_store.h"
#include "tests/common/kube/support/scripted_server.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::kube {
namespace {

std::string Object(const std::string& name, int version, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"ml","resourceVersion":")" +
         std::to_string(version) + R"("})" + more + "}";
}

std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

std::string List(int version, const std::string& items, const std::string& token = "") {
  return R"({"kind":"PodList","metadata":{"resourceVersion":")" + std::to_string(version) +
         R"(","continue":")" + token + R"("},"items":[)" + items + "]}";
}

// A copy of the server's objects by name, and all that happened to it.
class Copy {
 public:
  TypedStore<std::pair<std::string, std::string>> store{{
      .decode = [](const ObjectId& id,
                   std::string_view json) -> Result<std::pair<std::string, std::string>> {
        if (json.find("bad") != std::string_view::npos) {
          return Fail(ErrorCode::kInvalidArgument, "spec.x is bad");
        }
        return std::pair(id.Text(), std::string(json));
      },
      .replace =
          [this](auto all) {
            Change("replace", {all.begin(), all.end()}, true);
          },
      .upsert = [this](auto one) { Change("upsert " + one.first, {one}, false); },
      .remove =
          [this](const ObjectId& id) {
            const std::lock_guard lock(mutex_);
            objects_.erase(id.Text());
            history_ += "remove " + id.Text() + "\n";
          },
      .settle = {},
  }};

  std::string Names() const {
    const std::lock_guard lock(mutex_);
    std::string out;
    for (const auto& [name, json] : objects_) out += name + " ";
    return out;
  }
  std::string history() const {
    const std::lock_guard lock(mutex_);
    return history_;
  }

 private:
  void Change(const std::string& what, std::map<std::string, std::string> objects, bool all) {
    const std::lock_guard lock(mutex_);
    if (all) objects_.clear();
    for (auto& [name, json] : objects) objects_[name] = std::move(json);
    history_ += what + "\n";
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_;
  std::string history_;
};

class ReflectorTest : public testing::Test {
 protected:
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }

  // Follows a server with this script; lists and watches are told apart.
  void Follow(ScriptedServer::Script lists, ScriptedServer::Script watches) {
    server_ = std::make_unique<ScriptedServer>(
        [this, lists = std::move(lists), watches = std::move(watches)](const SeenRequest& request,
                                                                       Wire& wire) {
          const bool watch = request.query.contains("watch");
          SeenRequest counted = request;
          counted.number = watch ? watches_++ : lists_++;
          (watch ? watches : lists)(counted, wire);
        });
    Start();
  }
  void Start() {
    access_.server = server_->url();
    auto reflector =
        Reflector::Create(resource_, access_, "test/1", copy_.store, clock_, 1, limits_);
    ASSERT_TRUE(reflector) << reflector.error().message;
    reflector_ = *std::move(reflector);
    reflector_->Start();
  }
  ::testing::AssertionResult Until(const std::function<bool()>& condition) {
    const auto deadline = clock_.Now() + Seconds(30);
    while (clock_.Now() < deadline) {
      if (condition()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(Milliseconds(1));
    }
    return testing::AssertionFailure() << copy_.history() << reflector_->status().trouble;
  }
  ReflectorStatus status() const { return reflector_->status(); }
  // The queries of all watches so far.
  std::vector<std::map<std::string, std::string>> Watches() const {
    std::vector<std::map<std::string, std::string>> out;
    for (const SeenRequest& request : server_->requests()) {
      if (request.query.contains("watch")) out.push_back(request.query);
    }
    return out;
  }

  static void Silent(const SeenRequest&, Wire& wire) {
    wire.Begin();
    wire.FallSilent();
  }

  SystemClock clock_;
  Copy copy_;
  Resource resource_{"pods", "/api/v1/pods", "a=b", "", false};
  Access access_;
  ReflectorLimits limits_{.times = {.first_wait = Milliseconds(2), .longest_wait = Milliseconds(8)},
                          .connection = {},
                          .page = 2};
  std::atomic<int> lists_ = 0;
  std::atomic<int> watches_ = 0;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<Reflector> reflector_;
};

// The one list of most tests.
void OnePod(const SeenRequest& request, Wire& wire) {
  wire.Answer(200, List(10 + request.number, Object("a", 3)));
}

TEST_F(ReflectorTest, ListsInPagesThenFollowsTheWatch) {
  Follow(
      [](const SeenRequest& request, Wire& wire) {
        if (request.query.contains("continue")) {
          return wire.Answer(200, List(10, Object("c", 4)));
        }
        wire.Answer(200, List(10, Object("a", 3) + "," + Object("b", 2), "c%2"));
      },
      [](const SeenRequest&, Wire& wire) {
        wire.Begin();
        wire.Send(Event("ADDED", Object("d", 11)) + Event("MODIFIED", Object("a", 12)));
        wire.Send(Event("DELETED", Object("b", 13)));
        wire.Send(Event("BOOKMARK", R"({"metadata":{"resourceVersion":"20"}})"));
        wire.FallSilent();
      });
  EXPECT_TRUE(Until([&] { return status().bookmarks == 1; }));
  EXPECT_EQ(copy_.history(), "replace\nupsert ml/d\nupsert ml/a\nremove ml/b\n");
  EXPECT_EQ(copy_.Names(), "ml/a ml/c ml/d ");
  const std::vector<SeenRequest> requests = server_->requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].path, "/api/v1/pods");
  EXPECT_EQ(requests[0].query,
            (std::map<std::string, std::string>{{"labelSelector", "a%3Db"}, {"limit", "2"}}));
  EXPECT_EQ(requests[1].query.at("continue"), "c%252");
  EXPECT_EQ(requests[2].query.at("resourceVersion"), "10");
  EXPECT_EQ(requests[2].query.at("allowWatchBookmarks"), "true");
  EXPECT_EQ(requests[2].query.at("labelSelector"), "a%3Db");
  const int timeout = std::stoi(requests[2].query.at("timeoutSeconds"));
  EXPECT_GE(timeout, 300);
  EXPECT_LE(timeout, 600);
  const ReflectorStatus now = status();
  EXPECT_TRUE(now.synced);
  EXPECT_TRUE(now.last_heard);
  EXPECT_EQ(now.trouble, "");
  EXPECT_EQ(now.events, 3U);
}

TEST_F(ReflectorTest, WhatIsGoneInTheNextListIsGone) {
  Follow(
      [](const SeenRequest& request, Wire& wire) {
        const std::string items =
            request.number == 0 ? Object("a", 1) + "," + Object("b", 2) : Object("b", 2);
        wire.Answer(200, List(10 + request.number, items));
      },
      [](const SeenRequest& request, Wire& wire) {
        if (request.number > 0) return Silent(request, wire);
        wire.Begin();
        wire.Send(Event("ERROR", R"({"kind":"Status","code":410,"message":"too old"})"));
        wire.FallSilent();
      });
  EXPECT_TRUE(Until([&] { return Watches().size() == 2; }));
  EXPECT_EQ(copy_.Names(), "ml/b ");
  EXPECT_EQ(status().failed(ApiFailure::kExpired), 1U);
  EXPECT_EQ(Watches().back().at("resourceVersion"), "11");
}

TEST_F(ReflectorTest, A410InsteadOfAWatchListsAnew) {
  Follow(OnePod, [](const SeenRequest& request, Wire& wire) {
    if (request.number > 0) return Silent(request, wire);
    wire.Answer(410, R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})");
  });
  EXPECT_TRUE(Until([&] { return Watches().size() == 2; }));
  EXPECT_EQ(status().lists, 2U);
}

TEST_F(ReflectorTest, WhenAPageExpiresTheListIsReadWhole) {
  Follow(
      [](const SeenRequest& request, Wire& wire) {
        if (request.query.contains("continue")) {
          return wire.Answer(410, R"({"code":410,"metadata":{"continue":"inconsistent"}})");
        }
        if (request.query.contains("limit")) {
          return wire.Answer(200, List(10, Object("gone", 1), "token"));
        }
        wire.Answer(200, List(30, Object("a", 3)));
      },
      Silent);
  EXPECT_TRUE(Until([&] { return Watches().size() == 1; }));
  EXPECT_EQ(copy_.Names(), "ml/a ");
  EXPECT_EQ(copy_.history(), "replace\n");
  EXPECT_EQ(server_->requests().size(), 4U);
}

TEST_F(ReflectorTest, ALineThatIsCutOffIsNoEventAndComesAgain) {
  Follow(OnePod, [](const SeenRequest& request, Wire& wire) {
    wire.Begin();
    const std::string event = Event("ADDED", Object("b", 12));
    if (request.number == 0) {
      wire.Send(Event("ADDED", Object("x", 11)));
      wire.Send(event.substr(0, event.size() - 1));
      return wire.Break();
    }
    wire.Send(event);
    wire.FallSilent();
  });
  EXPECT_TRUE(Until([&] { return copy_.Names() == "ml/a ml/b ml/x "; }));
  EXPECT_EQ(copy_.history(), "replace\nupsert ml/x\nupsert ml/b\n");
  EXPECT_EQ(Watches().back().at("resourceVersion"), "11");
  EXPECT_EQ(status().failed(ApiFailure::kUnreachable), 1U);
  EXPECT_EQ(status().lists, 1U);
}

TEST_F(ReflectorTest, BytesThatComeOneByOneAreAsGood) {
  Follow(
      [](const SeenRequest&, Wire& wire) {
        wire.Begin();
        for (const char c : List(10, Object("a", 3))) wire.Send({&c, 1});
        wire.End();
      },
      [](const SeenRequest&, Wire& wire) {
        wire.Begin();
        for (const char c : Event("ADDED", Object("b", 11))) wire.Send({&c, 1});
        wire.FallSilent();
      });
  EXPECT_TRUE(Until([&] { return copy_.Names() == "ml/a ml/b "; }));
}

TEST_F(ReflectorTest, AWatchThatSaysNothingIsMadeAnewFromWhereItWas) {
  limits_.watch_silence = Milliseconds(50);
  Follow(OnePod, [](const SeenRequest& request, Wire& wire) {
    wire.Begin();
    if (request.query.at("resourceVersion") == "10") wire.Send(Event("ADDED", Object("b", 15)));
    wire.FallSilent();
  });
  EXPECT_TRUE(Until([&] {
    const auto watches = Watches();
    return !watches.empty() && watches.back().at("resourceVersion") == "15";
  }));
  EXPECT_EQ(copy_.Names(), "ml/a ml/b ");
  EXPECT_GE(status().failed(ApiFailure::kSilent), 1U);
}

TEST_F(ReflectorTest, AnEventWithoutEndIsGivenUpEarly) {
  limits_.most_object_bytes = 1U << 20;
  std::atomic<std::size_t> sent = 0;
  Follow(OnePod, [&](const SeenRequest& request, Wire& wire) {
    if (request.number > 0) return Silent(request, wire);
    wire.Begin();
    const std::string piece(64U << 10, 'x');
    for (int i = 0; i < 1600 && !wire.broken(); ++i) {
      wire.Send(piece);
      sent += piece.size();
    }
  });
  EXPECT_TRUE(Until([&] { return Watches().size() == 2; }));
  EXPECT_EQ(status().failed(ApiFailure::kTooLarge), 1U);
  EXPECT_EQ(status().lists, 2U);
  EXPECT_LT(sent, 100U << 20);
}

TEST_F(ReflectorTest, AnObjectBeyondTheLimitIsPassedOverInAList) {
  limits_.most_object_bytes = 1000;
  Follow(
      [](const SeenRequest&, Wire& wire) {
        const std::string huge = Object("h", 1, R"(,"x":")" + std::string(100'000, 'x') + "\"");
        wire.Answer(200, List(10, Object("a", 3) + "," + huge + "," + Object("b", 4)));
      },
      Silent);
  EXPECT_TRUE(Until([&] { return status().synced; }));
  EXPECT_EQ(copy_.Names(), "ml/a ml/b ");
  EXPECT_EQ(status().bad_objects, 1U);
  EXPECT_EQ(status().last_bad_object,
            "pods: item 1 of the list: it is larger than any object can be");
}

TEST_F(ReflectorTest, BadObjectsArePassedOverCountedAndNamed) {
  Follow(
      [](const SeenRequest&, Wire& wire) {
        wire.Answer(200, List(10, R"(7,{"metadata":{}},{"metadata":{"name":1}},)" +
                                      Object("b", 1, R"(,"bad":1)") + "," + Object("a", 3)));
      },
      [](const SeenRequest&, Wire& wire) {
        wire.Begin();
        wire.Send(Event("ADDED", R"({"metadata":{"resourceVersion":"44"}})"));
        wire.Send(Event("MODIFIED", Object("a", 45, R"(,"bad":1)")));
        wire.Send(Event("NEWS", Object("n", 46)));
        wire.End();
      });
  EXPECT_TRUE(Until([&] { return Watches().size() >= 2; }));
  EXPECT_EQ(copy_.history(), "replace\n");
  EXPECT_EQ(copy_.Names(), "ml/a ");
  EXPECT_GE(status().bad_objects, 6U);
  EXPECT_EQ(status().last_bad_object, "pods: \"ml/a\": spec.x is bad");
  EXPECT_GE(status().unknown_events, 1U);
  EXPECT_EQ(Watches()[1].at("resourceVersion"), "45");
}

TEST_F(ReflectorTest, AMissingVerbIsNamedWithTheRemedyAndRecovers) {
  std::atomic<bool> allowed = false;
  Follow(
      [&](const SeenRequest& request, Wire& wire) {
        if (allowed) return OnePod(request, wire);
        wire.Answer(403, R"({"message":"pods is forbidden","reason":"Forbidden","code":403})");
      },
      Silent);
  EXPECT_TRUE(Until([&] { return !status().trouble.empty(); }));
  EXPECT_NE(status().trouble.find("RBAC lacks list on pods"), std::string::npos);
  EXPECT_NE(status().trouble.find("ClusterRole"), std::string::npos);
  EXPECT_FALSE(status().synced);
  EXPECT_GE(status().failed(ApiFailure::kForbidden), 1U);
  allowed = true;
  EXPECT_TRUE(Until([&] { return status().synced; }));
  EXPECT_EQ(status().trouble, "");
}

TEST_F(ReflectorTest, AForbiddenWatchSaysSoAndKeepsTheList) {
  std::atomic<bool> allowed = false;
  Follow(OnePod, [&](const SeenRequest& request, Wire& wire) {
    if (allowed) return Silent(request, wire);
    wire.Answer(403, R"({"message":"no","reason":"Forbidden","code":403})");
  });
  EXPECT_TRUE(Until(
      [&] { return status().trouble.find("RBAC lacks watch on pods") != std::string::npos; }));
  allowed = true;
  EXPECT_TRUE(Until([&] { return status().trouble.empty(); }));
  EXPECT_EQ(copy_.history(), "replace\n");
}

TEST_F(ReflectorTest, AnOptionalResourceThatIsAbsentIsEmpty) {
  resource_ = {"podgroups.scheduling.volcano.sh", "/apis/x/v1/podgroups", "", "", true};
  limits_.times.absent_wait = Milliseconds(1);
  std::atomic<bool> installed = false;
  Follow(
      [&](const SeenRequest& request, Wire& wire) {
        if (installed) return OnePod(request, wire);
        wire.Answer(404, "404 page not found\n", "", "text/plain");
      },
      Silent);
  EXPECT_TRUE(Until([&] { return status().synced; }));
  EXPECT_TRUE(status().absent);
  EXPECT_EQ(status().trouble, "");
  installed = true;
  EXPECT_TRUE(Until([&] { return copy_.Names() == "ml/a "; }));
  EXPECT_TRUE(Until([&] { return !status().absent; }));
}

TEST_F(ReflectorTest, AnAbsentResourceThatIsNotOptionalIsTrouble) {
  Follow([](const SeenRequest&, Wire& wire) { wire.Answer(404, "{}"); }, Silent);
  EXPECT_TRUE(
      Until([&] { return status().trouble.find("has no such resource") != std::string::npos; }));
  EXPECT_FALSE(status().synced);
}

TEST_F(ReflectorTest, AnswersThatAreNoListsAreTroubleUntilOneIs) {
  const std::string wrong[] = {"{}",
                               "[]",
                               "",
                               R"({"items":[)",
                               R"({"items":[]})",
                               R"({"items":[],"metadata":{"resourceVersion":5}})",
                               R"({"items":[],"metadata":7})",
                               R"({"items":{},"metadata":{"resourceVersion":"5"}})"};
  Follow(
      [&](const SeenRequest& request, Wire& wire) {
        const auto number = static_cast<std::size_t>(request.number);
        if (number < std::size(wrong)) return wire.Answer(200, wrong[number]);
        OnePod(request, wire);
      },
      Silent);
  EXPECT_TRUE(Until([&] { return status().synced; }));
  EXPECT_EQ(status().failed(ApiFailure::kMalformed), std::size(wrong));
  EXPECT_EQ(copy_.history(), "replace\n");
}

TEST_F(ReflectorTest, ARenewedTokenIsTakenUpBetweenWatches) {
  const TempDirectory directory;
  access_.token_file = directory.Write("token", "old");
  Follow([](const SeenRequest& request, Wire& wire) { OnePod(request, wire); },
         [&](const SeenRequest& request, Wire& wire) {
           if (request.headers.at("authorization") == "Bearer new") return Silent(request, wire);
           directory.Write("token", "new");
           wire.Answer(401, "{}");
         });
  EXPECT_TRUE(Until([&] { return Watches().size() == 2; }));
  EXPECT_TRUE(Until([&] { return status().trouble.empty(); }));
  EXPECT_EQ(status().failed(ApiFailure::kUnauthenticated), 0U);
}

TEST_F(ReflectorTest, EndsWhileTheServerSaysNothing) {
  std::atomic<bool> waiting = false;
  Follow(
      [&](const SeenRequest&, Wire& wire) {
        waiting = true;
        wire.FallSilent();
      },
      Silent);
  EXPECT_TRUE(Until([&] { return waiting.load(); }));
  reflector_.reset();
  EXPECT_EQ(copy_.history(), "");
}

TEST_F(ReflectorTest, EndsWhileItWaits) {
  limits_.times.first_wait = std::chrono::hours(1);
  limits_.times.longest_wait = std::chrono::hours(1);
  Follow([](const SeenRequest&, Wire& wire) { wire.Answer(500, "{}"); }, Silent);
  EXPECT_TRUE(Until([&] { return status().failed(ApiFailure::kServerError) == 1; }));
  reflector_.reset();
}

}  // namespace
}  // namespace fairlead::kube
