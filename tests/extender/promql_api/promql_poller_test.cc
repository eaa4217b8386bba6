// A Prometheus that answers, refuses, is silent, and comes back.
#include "extender/promql_api/promql_poller.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/common/kube/support/scripted_server.h"
#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::extender {
namespace {

constexpr char kGoodBody[] =
    R"({"status":"success","data":{"resultType":"vector","result":[)"
    R"({"metric":{"src":"hk","dst":"sg"},"value":[1796021000.123,"0.0362"]}]}})";
constexpr char kEmptyBody[] = R"({"status":"success","data":{"resultType":"vector","result":[]}})";

PrometheusConfig ConfigFor(const std::string& url) {
  PrometheusConfig config;
  config.url = url;
  config.interval = Milliseconds(5);
  config.timeout = Milliseconds(300);
  PrometheusQuery query;
  query.name = "rtt";
  query.query = "max by (src, dst) (rtt{job=\"a b\"})";
  query.from_label = "src";
  query.to_label = "dst";
  config.queries = {query};
  return config;
}

class PromqlPollerTest : public testing::Test {
 protected:
  enum class Mood { kGood, kEmpty, kRefuse, kGarbage, kHtml, kSilent, kBreak };

  void Start(PrometheusConfig config) {
    auto poller = PromqlPoller::Start(
        config, "test/1",
        [] {
          return std::set<std::string>{"hk", "sg"};
        },
        clock_, out_);
    ASSERT_TRUE(poller) << poller.error().message;
    poller_ = *std::move(poller);
  }
  void Start() { Start(ConfigFor(server_.url())); }

  // Waits for answers of this mood that have been worked on.
  void Live(Mood mood) {
    mood_ = mood;
    const int from = signal_.count();
    ASSERT_TRUE(signal_.WaitUntil([&] { return signal_.count() >= from + 3; }));
  }

  void Serve(const SeenRequest& request, Wire& wire) {
    EXPECT_EQ(request.method, "GET");
    EXPECT_EQ(request.path, "/api/v1/query");
    switch (mood_.load()) {
      case Mood::kGood:
        wire.Answer(200, kGoodBody);
        break;
      case Mood::kEmpty:
        wire.Answer(200, kEmptyBody);
        break;
      case Mood::kRefuse:
        wire.Answer(400, R"({"status":"error","errorType":"bad_data","error":"parse error"})");
        break;
      case Mood::kGarbage:
        wire.Answer(200, R"({"status":"success"})");
        break;
      case Mood::kHtml:
        wire.Answer(200, "<html>hello", "", "text/html");
        break;
      case Mood::kSilent:
        signal_.Notify();
        wire.FallSilent();
        return;
      case Mood::kBreak:
        wire.Break();
        break;
    }
    signal_.Notify();
  }

  QueryStatus Status() const { return poller_->status().queries.at(0); }
  std::uint64_t Failures(const std::string& reason) const {
    const QueryStatus status = Status();
    const auto found = status.failures.find(reason);
    return found == status.failures.end() ? 0 : found->second;
  }

  const SystemClock clock_;
  Snapshot<ExternalReadings> out_;
  Signal signal_;
  std::atomic<Mood> mood_ = Mood::kGood;
  ScriptedServer server_{[this](const SeenRequest& request, Wire& wire) { Serve(request, wire); }};
  std::unique_ptr<PromqlPoller> poller_;
};

TEST_F(PromqlPollerTest, PublishesWhatItIsTold) {
  Start();
  Live(Mood::kGood);
  const auto now = out_.Get();
  ASSERT_EQ(now->readings.size(), 1U);
  EXPECT_EQ(now->readings[0].key, (LinkKey{"hk", "sg"}));
  EXPECT_EQ(now->readings[0].number, 0.0362);
  const QueryStatus status = Status();
  EXPECT_EQ(status.readings, 1U);
  EXPECT_TRUE(status.last_answer);
  EXPECT_TRUE(status.trouble.empty()) << status.trouble;
  const SeenRequest seen = server_.requests().at(0);
  EXPECT_EQ(seen.query.at("query"),
            "max%20by%20%28src%2C%20dst%29%20%28rtt%7Bjob%3D%22a%20b%22%7D%29");
  EXPECT_EQ(seen.query.at("timeout"), "0.300000");
  EXPECT_FALSE(seen.headers.contains("authorization"));
}

TEST_F(PromqlPollerTest, FailuresAreCountedNamedAndLoseNothing) {
  Start();
  Live(Mood::kGood);
  const std::tuple<Mood, const char*, const char*> cases[] = {
      {Mood::kRefuse, "rejected", "parse error"},
      {Mood::kGarbage, "answer", "not what the API of a Prometheus answers"},
      {Mood::kHtml, "malformed", "text/html"},
      {Mood::kBreak, "unreachable", "api/v1/query"},
      {Mood::kSilent, "silent", "no answer"},
  };
  for (const auto& [mood, reason, part] : cases) {
    Live(mood);
    EXPECT_GT(Failures(reason), 0U) << reason;
    EXPECT_NE(Status().trouble.find(part), std::string::npos) << Status().trouble;
    EXPECT_EQ(out_.Get()->readings.size(), 1U) << reason;  // the last good one
  }
  Live(Mood::kEmpty);
  EXPECT_EQ(Status().trouble, "it gives no series");
  EXPECT_EQ(out_.Get()->readings.size(), 1U);
  Live(Mood::kGood);
  EXPECT_TRUE(Status().trouble.empty());
}

TEST_F(PromqlPollerTest, SendsTheTokenAndReadsItAnew) {
  const TempDirectory directory;
  PrometheusConfig config = ConfigFor(server_.url());
  config.token_file = directory.Write("token", "first\n");
  std::filesystem::permissions(
      config.token_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  Start(config);
  Live(Mood::kGood);
  EXPECT_EQ(server_.requests().at(0).headers.at("authorization"), "Bearer first");
  directory.Write("token", "second\n");
  Live(Mood::kGood);
  Live(Mood::kGood);
  EXPECT_EQ(server_.requests().back().headers.at("authorization"), "Bearer second");
}

TEST_F(PromqlPollerTest, EndsAtOnceWhateverTheServerDoes) {
  PrometheusConfig config = ConfigFor(server_.url());
  config.timeout = Seconds(300);
  config.interval = Seconds(3600);
  mood_ = Mood::kSilent;
  Start(config);
  ASSERT_TRUE(signal_.WaitUntil([&] { return signal_.count() >= 1; }));
  poller_.reset();  // the test's own limit would tell
}

TEST(PromqlPollerStartTest, AWrongAddressIsSaidAtOnce) {
  const SystemClock clock;
  Snapshot<ExternalReadings> out;
  const auto start = [&](const std::string& url, bool plaintext) {
    PrometheusConfig config = ConfigFor(url);
    config.plaintext = plaintext;
    return PromqlPoller::Start(
        config, "test/1", [] { return std::set<std::string>{}; }, clock, out);
  };
  const auto plain = start("http://192.0.2.1:9090", false);
  ASSERT_FALSE(plain);
  EXPECT_NE(plain.error().message.find("extender.prometheus"), std::string::npos);
  EXPECT_NE(plain.error().message.find("http"), std::string::npos);
  EXPECT_FALSE(start("https://user@192.0.2.1", true));
}

}  // namespace
}  // namespace fairlead::extender
