#include "deviceplugin/doctor_fix/apply_fix.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ApplyFixTest : public testing::Test {
 protected:
  ApplyFixTest() {
    fs::create_directories(root_ + "/proc/sys/net/ipv4");
    fs::create_directories(root_ + "/sys/kernel/config/rdma_cm");
    Put("/proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
    Put("/proc/sys/net/ipv4/tcp_wmem", "4096\t16384\t4194304\n");
    places_ = {.root = root_, .undo_file = root_ + "/var/lib/fix.undo"};
    fs::create_directories(root_ + "/var");
  }
  void Put(const std::string& path, const std::string& text) {
    std::ofstream(root_ + path) << text;
  }
  std::string Get(const std::string& path) const {
    std::ostringstream text;
    text << std::ifstream(root_ + path).rdbuf();
    return text.str();
  }

  const FixPlan plan_{.steps = {{"/proc/sys/net/ipv4/tcp_rmem", "4096 131072 8388608", ""},
                                {"/proc/sys/net/ipv4/tcp_wmem", "4096 16384 8388608", ""}},
                      .caution = ""};
  const TempDirectory temp_;
  const std::string root_ = temp_.path();
  FixPlaces places_;
};

TEST_F(ApplyFixTest, ThereAndBack) {
  const auto applied = ApplyFix(plan_, places_);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->at(0).old_value, "4096 131072 6291456");
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_wmem"), "4096 16384 8388608\n");
  const auto undone = UndoFix(places_);
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(undone->restored.size(), 2U);
  EXPECT_TRUE(undone->left.empty());
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_rmem"), "4096 131072 6291456\n");
  EXPECT_EQ(UndoFix(places_).error().code, ErrorCode::kNotFound);
}

TEST_F(ApplyFixTest, OldValuesAreNeverOverwritten) {
  ASSERT_TRUE(ApplyFix(plan_, places_));
  const auto again = ApplyFix(plan_, places_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(again.error().message, HasSubstr("--undo"));
}

TEST_F(ApplyFixTest, WhatOthersChangedSinceIsLeft) {
  ASSERT_TRUE(ApplyFix(plan_, places_));
  Put("/proc/sys/net/ipv4/tcp_wmem", "1\t2\t3\n");
  const auto undone = UndoFix(places_);
  ASSERT_TRUE(undone);
  ASSERT_EQ(undone->left.size(), 1U);
  EXPECT_EQ(undone->left[0].path, "/proc/sys/net/ipv4/tcp_wmem");
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_wmem"), "1\t2\t3\n");
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_rmem"), "4096 131072 6291456\n");
}

TEST_F(ApplyFixTest, WhereOneFileIsMissingNothingIsChanged) {
  FixPlan plan = plan_;
  plan.steps.push_back({"/proc/sys/net/ipv4/no_such", "1", ""});
  EXPECT_EQ(ApplyFix(plan, places_).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_rmem"), "4096\t131072\t6291456\n");
  EXPECT_FALSE(fs::exists(places_.undo_file));
}

// As a sysctl that is mounted read-only, or that only root may set: it can be read.
TEST_F(ApplyFixTest, WhereAWriteIsRefusedWhatWasChangedIsTakenBack) {
  const fs::path second = root_ + "/proc/sys/net/ipv4/tcp_wmem";
  fs::remove(second);
  fs::create_symlink("/proc/version", second);
  const auto applied = ApplyFix(plan_, places_);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("tcp_wmem"));
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_rmem"), "4096 131072 6291456\n");
  EXPECT_FALSE(fs::exists(places_.undo_file)) << "there is nothing to undo";
}

TEST_F(ApplyFixTest, WhereOldValuesCannotBeKeptNothingIsChanged) {
  places_.undo_file = root_ + "/proc/sys/net/ipv4/tcp_rmem/x/y";
  const auto applied = ApplyFix(plan_, places_);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("nothing was changed"));
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_rmem"), "4096\t131072\t6291456\n");
}

TEST_F(ApplyFixTest, OddUndoFilesAreRefused) {
  fs::create_directories(root_ + "/var/lib");
  for (const char* odd : {"/path only\n", "/p\told\n", "relative\told\tnew\n", "/p\ta\tb\tc\n"}) {
    Put("/var/lib/fix.undo", odd);
    EXPECT_EQ(UndoFix(places_).error().code, ErrorCode::kInvalidArgument) << odd;
  }
  EXPECT_EQ(Get("/proc/sys/net/ipv4/tcp_rmem"), "4096\t131072\t6291456\n");
}

TEST(UndoFileTest, ReadsWhatItWrites) {
  const std::vector<OldValue> values{{"/proc/sys/a", "1 2 3", "4 5 6"}, {"/sys/b", "", "RoCE v2"}};
  EXPECT_EQ(ParseUndo(FormatUndo(values)).value(), values);
}

}  // namespace
}  // namespace fairlead::deviceplugin
