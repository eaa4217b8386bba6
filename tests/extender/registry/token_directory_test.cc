#include "extender/registry/token_directory.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "common/base/clock.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;
using testing::Not;

class FakeClock final : public Clock {
 public:
  MonotonicTime Now() const override { return now_; }
  WallTime WallNow() const override { return {}; }
  MonotonicTime now_ = MonotonicTime{} + Seconds(100);
};

class Tokens : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "tokens-" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  void Put(const std::string& node, const std::string& text) {
    std::ofstream(path_ + "/" + node) << text;
  }

  std::string path_;
  FakeClock clock_;
};

TEST_F(Tokens, ATokenProvesTheNodeOfItsFile) {
  Put("n1", "token-of-n1-0123456789\n");
  Put("n2", "token-of-n2-0123456789");
  TokenDirectory tokens(path_, clock_);
  EXPECT_EQ(tokens.NodeOf("token-of-n1-0123456789").value(), "n1");
  EXPECT_EQ(tokens.NodeOf("token-of-n2-0123456789").value(), "n2");
}

TEST_F(Tokens, AnUnknownTokenIsRefusedAndNotRepeated) {
  Put("n1", "token-of-n1-0123456789\n");
  TokenDirectory tokens(path_, clock_);
  for (const char* wrong :
       {"token-of-n1-012345678", "token-of-n1-01234567890", "Token-of-n1-0123456789", "x"}) {
    const auto node = tokens.NodeOf(wrong);
    ASSERT_FALSE(node);
    EXPECT_EQ(node.error().code, ErrorCode::kUnauthenticated);
    EXPECT_THAT(node.error().message, Not(HasSubstr("n1-0")));
  }
  EXPECT_FALSE(tokens.NodeOf(""));
}

TEST_F(Tokens, ATokenOfTwoNodesBelongsToNobody) {
  Put("n1", "the-same-token-0123456789");
  Put("n2", "the-same-token-0123456789");
  TokenDirectory tokens(path_, clock_);
  EXPECT_FALSE(tokens.NodeOf("the-same-token-0123456789"));
}

TEST_F(Tokens, ShortEmptyAndHiddenFilesProveNothing) {
  Put("n1", "short");
  Put("n2", "");
  Put(".n3", "token-of-n3-0123456789");
  Put("n4", "token-of-n4-0123456789");
  TokenDirectory tokens(path_, clock_);
  EXPECT_EQ(tokens.Check().value(), 1U);
  EXPECT_FALSE(tokens.NodeOf("short"));
  EXPECT_FALSE(tokens.NodeOf("token-of-n3-0123456789"));
}

TEST_F(Tokens, ChangesCountOnceTheyAreOldEnoughToBeReadAgain) {
  Put("n1", "token-of-n1-0123456789");
  TokenDirectory tokens(path_, clock_, Seconds(1));
  ASSERT_TRUE(tokens.NodeOf("token-of-n1-0123456789"));
  Put("n1", "another-token-of-n1-0123");
  clock_.now_ += Seconds(1);
  EXPECT_FALSE(tokens.NodeOf("token-of-n1-0123456789"));
  EXPECT_TRUE(tokens.NodeOf("another-token-of-n1-0123"));
}

TEST_F(Tokens, ADirectoryThatIsNotSetIsSaidToBeSo) {
  TokenDirectory nowhere("", clock_);
  const auto checked = nowhere.Check();
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("no token directory is set"), std::string::npos);
}

TEST_F(Tokens, EveryFaultOfTheDirectoryIsFound) {
  using testing::ElementsAre;
  TokenDirectory tokens(path_, clock_);
  EXPECT_THAT(tokens.Faults(), ElementsAre(HasSubstr("holds no token")));
  Put("n1", "token-of-n1-0123456789\n");
  EXPECT_THAT(tokens.Faults(), testing::IsEmpty());
  Put("n2", "token-of-n1-0123456789");
  Put("n3", "short");
  Put("n4", "");
  Put(".hidden", "");
  EXPECT_THAT(tokens.Faults(),
              ElementsAre(HasSubstr("node n3 is shorter than 16 bytes"), HasSubstr("node n4: "),
                          HasSubstr("nodes n1 and n2 have the same token")));
}

TEST_F(Tokens, AVanishedDirectoryProvesNobody) {
  Put("n1", "token-of-n1-0123456789");
  TokenDirectory tokens(path_, clock_, Seconds(1));
  ASSERT_TRUE(tokens.NodeOf("token-of-n1-0123456789"));
  std::filesystem::remove_all(path_);
  clock_.now_ += Seconds(1);
  EXPECT_FALSE(tokens.NodeOf("token-of-n1-0123456789"));
  const auto checked = tokens.Check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr(path_));
}

}  // namespace
}  // namespace fairlead::extender
