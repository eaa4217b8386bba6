#include "common/kube/object_reader.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "common/kube/kept_text.h"
#include "common/kube/watch_reader.h"

namespace fairlead::kube {
namespace {

// A text with room behind it, as every reader needs.
class Padded {
 public:
  explicit Padded(std::string_view text) : kept_(text.size()) { kept_.Append(text); }
  operator std::string_view() { return kept_.Padded(); }  // NOLINT

 private:
  KeptText kept_;
};

TEST(ObjectReaderTest, ReadsWhichObjectItIs) {
  ObjectReader reader;
  const auto head = reader.ReadHead(Padded(
      R"({"kind":"Pod","metadata":{"labels":{"name":"x"},"name":"a-0","namespace":"ml","uid":"u1",)"
      R"("resourceVersion":"12"},"spec":{"nodeName":"n"}})"));
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->id, (ObjectId{"ml", "a-0", "u1"}));
  EXPECT_EQ(head->id.Text(), "ml/a-0");
  EXPECT_EQ(head->resource_version, "12");
}

TEST(ObjectReaderTest, WhatFollowsTheMetadataIsNotLookedAt) {
  ObjectReader reader;
  EXPECT_TRUE(reader.ReadHead(Padded(R"({"metadata":{"name":"a"},"spec":{"x":tru}})")));
}

struct BadHead {
  std::string_view text;
  std::string error;
};
std::ostream& operator<<(std::ostream& out, const BadHead& c) { return out << c.text; }

class BadHeads : public testing::TestWithParam<BadHead> {};

TEST_P(BadHeads, SayWhatIsWrong) {
  ObjectReader reader;
  const auto head = reader.ReadHead(Padded(GetParam().text));
  ASSERT_FALSE(head);
  EXPECT_NE(head.error().message.find(GetParam().error), std::string::npos) << head.error().message;
  // The reader is as good as new afterwards.
  EXPECT_TRUE(reader.ReadHead(Padded(R"({"metadata":{"name":"a"}})")));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadHeads,
    testing::Values(BadHead{"", "it: "}, BadHead{"1", "it: "}, BadHead{"null", "it: "},
                    BadHead{"[]", "it: "}, BadHead{"{", "it: "}, BadHead{"{}", "metadata.name"},
                    BadHead{R"({"metadata":{}})", "metadata.name"},
                    BadHead{R"({"metadata":null})", "metadata.name"},
                    BadHead{R"({"metadata":[]})", "metadata: "},
                    BadHead{R"({"metadata":{"name":7}})", "metadata.name: "},
                    BadHead{R"({"metadata":{"name":null}})", "metadata.name"},
                    BadHead{R"({"metadata":{"name":""}})", "metadata.name"},
                    BadHead{R"({"metadata":{"name":"a","namespace":{}}})",
                            "\"a\": metadata.namespace: "},
                    BadHead{R"({"metadata":{"name":"a","uid":[1]}})", "metadata.uid: "},
                    BadHead{R"({"metadata":{"name":"a)", "it: "}));

TEST(ObjectReaderTest, ANameBeyondReasonIsNone) {
  ObjectReader reader;
  const auto head =
      reader.ReadHead(Padded(R"({"metadata":{"name":")" + std::string(600, 'a') + "\"}}"));
  ASSERT_FALSE(head);
  EXPECT_NE(head.error().message.find("metadata.name"), std::string::npos);
}

TEST(ObjectReaderTest, ReadsPages) {
  ObjectReader reader;
  const auto page =
      reader.ReadPage(Padded(R"({"resourceVersion":"9","continue":"c","remainingItemCount":3})"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->resource_version, "9");
  EXPECT_EQ(page->continue_token, "c");
  EXPECT_FALSE(reader.ReadPage(Padded(R"({"resourceVersion":9})")));
  EXPECT_FALSE(reader.ReadPage(Padded("")));
}

TEST(ObjectReaderTest, ReadsStatuses) {
  ObjectReader reader;
  ApiError error = reader.ReadStatus(
      Padded(R"({"kind":"Status","status":"Failure","message":"too old","reason":"Expired",)"
             R"("details":{"retryAfterSeconds":3},"code":410})"),
      0);
  EXPECT_EQ(error.failure, ApiFailure::kExpired);
  EXPECT_EQ(error.http_code, 410);
  EXPECT_EQ(error.reason, "Expired");
  EXPECT_EQ(error.message, "too old");
  EXPECT_EQ(error.retry_after, Nanoseconds(Seconds(3)));
  // What HTTP said comes before what the body says.
  EXPECT_EQ(reader.ReadStatus(Padded(R"({"code":410})"), 403).failure, ApiFailure::kForbidden);
  // Nothing is required.
  for (const char* text : {"", "{}", "[]", R"({"code":"x"})", R"({"code":-1})", R"({"code":1e99})",
                           R"({"details":null,"message":7})"}) {
    error = reader.ReadStatus(Padded(text), 0);
    EXPECT_EQ(error.failure, ApiFailure::kServerError) << text;
    EXPECT_EQ(error.retry_after, std::nullopt) << text;
  }
}

// Keeps what it is told as text.
class Recorder final : public WatchEvents {
 public:
  void OnObject(WatchEvent::Kind kind, std::string_view object) override {
    const char* const names = "amd";
    seen += names[static_cast<int>(kind)];
    seen += ":" + std::string(object) + ";";
  }
  void OnBookmark(const std::string& version) override { seen += "b:" + version + ";"; }
  void OnUnknown() override { seen += "?;"; }

  std::string seen;
};

struct Watched {
  std::string seen;
  std::string error;  // its kind and message
};

Watched WatchText(std::string_view text, std::size_t piece, std::size_t most = 1U << 20) {
  ObjectReader reader;
  Recorder recorder;
  WatchReader watch(most, reader, recorder);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!watch.Take(text.substr(at, piece))) break;
  }
  Watched out{recorder.seen, ""};
  if (watch.error()) {
    out.error = std::string(ApiFailureName(watch.error()->failure)) + " " + watch.error()->message;
  }
  return out;
}

struct WatchCase {
  const char* name;
  std::string text;
  std::string seen;
  std::string error;  // a part of it; empty: none
};
std::ostream& operator<<(std::ostream& out, const WatchCase& c) { return out << c.name; }

class WatchReaderTest : public testing::TestWithParam<WatchCase> {};

TEST_P(WatchReaderTest, TellsEventsAndErrorsHoweverTheBytesAreCut) {
  for (std::size_t piece = 1; piece <= GetParam().text.size() + 1; ++piece) {
    const Watched watched = WatchText(GetParam().text, piece);
    EXPECT_EQ(watched.seen, GetParam().seen) << piece;
    if (GetParam().error.empty()) {
      EXPECT_EQ(watched.error, "") << piece;
    } else {
      EXPECT_NE(watched.error.find(GetParam().error), std::string::npos) << watched.error;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WatchReaderTest,
    testing::Values(
        WatchCase{"three kinds",
                  "{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n"
                  "{\"object\":{\"b\":\"}\"},\"type\":\"MODIFIED\"}\r\n"
                  "\n{\"type\":\"DELETED\",\"object\":{}}\n",
                  R"(a:{"a":1};m:{"b":"}"};d:{};)", ""},
        WatchCase{"bookmark",
                  "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":{"
                  "\"resourceVersion\":\"77\",\"creationTimestamp\":null},\"spec\":{}}}\n",
                  "b:77;", ""},
        WatchCase{"bad bookmark", "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":[]}}\n", "?;",
                  ""},
        WatchCase{"unknown type", "{\"type\":\"NEWS\",\"object\":{}}\n", "?;", ""},
        WatchCase{"the last line is cut off",
                  "{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":\"ADDED\",\"object\":{}}", "a:{};",
                  ""},
        WatchCase{
            "error",
            "{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":\"ERROR\",\"object\":{\"code\":410,"
            "\"message\":\"old\"}}\n{\"type\":\"ADDED\",\"object\":{}}\n",
            "a:{};", "expired old"},
        WatchCase{"error that says nothing", "{\"type\":\"ERROR\",\"object\":{}}\n", "",
                  "server_error an error without a message"},
        WatchCase{"no JSON", "<html>\n", "", "malformed a line of the watch is no event"},
        WatchCase{"no object", "{\"type\":\"ADDED\"}\n", "", "malformed"},
        WatchCase{"object of another type", "{\"type\":\"ADDED\",\"object\":[]}\n", "",
                  "malformed"},
        WatchCase{"type of another type", "{\"type\":1,\"object\":{}}\n", "", "malformed"},
        WatchCase{"bytes that are no text", "\xff\xfe\n", "", "malformed"}));

TEST(WatchReaderLimitTest, ALineBeyondTheLimitEndsTheWatchBeforeItsEnd) {
  const std::string text = "{\"type\":\"ADDED\",\"object\":{}}\n" + std::string(5000, 'x');
  const Watched watched = WatchText(text, 64, 100);
  EXPECT_EQ(watched.seen, "a:{};");
  EXPECT_EQ(watched.error, "too_large an event of the watch is longer than 100 bytes");
}

}  // namespace
}  // namespace fairlead::kube
