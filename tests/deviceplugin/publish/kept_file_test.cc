#include "deviceplugin/publish/kept_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>

#include "common/base/file.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class KeptFileTest : public testing::Test {
 protected:
  std::string Text() const { return ReadFile(path_, 1 << 16).value_or(std::string()); }

  const TempDirectory directory_;
  const std::string path_ = directory_.path() / "kept";
  KeptFile file_{path_};
};

TEST_F(KeptFileTest, IsWrittenOnlyWhereTheTextDiffers) {
  ASSERT_TRUE(file_.Keep("one"));
  const auto first = fs::last_write_time(path_);
  ASSERT_TRUE(file_.Keep("one"));
  EXPECT_EQ(fs::last_write_time(path_), first);
  ASSERT_TRUE(file_.Keep("two"));
  EXPECT_EQ(Text(), "two");
  ASSERT_TRUE(file_.Remove());
  EXPECT_TRUE(fs::is_empty(directory_.path()));
  EXPECT_TRUE(file_.Remove());
  EXPECT_TRUE(file_.Intact());
}

TEST_F(KeptFileTest, IsWrittenAgainWhateverSomebodyDidToIt) {
  EXPECT_TRUE(file_.Intact());
  ASSERT_TRUE(file_.Keep("text"));
  EXPECT_TRUE(file_.Intact());
  const std::function<void()> deeds[] = {
      [&] { fs::remove(path_); }, [&] { directory_.Write("kept", "longer than that"); },
      [&] {
        directory_.Write("other", "text");
        fs::rename(directory_.path() / "other", path_);
      },
      [&] { fs::remove(path_), fs::create_symlink("/dev/null", path_); }};
  for (const auto& deed : deeds) {
    deed();
    EXPECT_FALSE(file_.Intact());
    ASSERT_TRUE(file_.Keep("text"));
    EXPECT_EQ(Text(), "text");
    EXPECT_TRUE(file_.Intact());
  }
}

TEST_F(KeptFileTest, OneThatCannotBeWrittenIsNotAskedFor) {
  KeptFile file(directory_.path() / "missing/file");
  const Status status = file.Keep("text");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("/missing/file"));
  EXPECT_TRUE(file.Intact()) << "else it would be tried without end";
  fs::create_directory(directory_.path() / "missing");
  EXPECT_TRUE(file.Keep("text"));  // once it can be written it is
  fs::remove_all(directory_.path() / "missing");
  EXPECT_FALSE(file.Intact());
  EXPECT_FALSE(file.Keep("text"));
  EXPECT_TRUE(file.Intact());
}

}  // namespace
}  // namespace fairlead::deviceplugin
