#include "common/net/memory_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "common/base/file.h"

namespace fairlead {
namespace {

TEST(MemoryFileTest, HasTheNewestBytesAndAnotherTimeOfChange) {
  auto file = MemoryFile::Create("first");
  ASSERT_TRUE(file) << file.error().message;
  const std::string path = file->path();
  std::set<time_t> times;
  const auto look = [&](const std::string& bytes) {
    EXPECT_EQ(ReadFile(path, 100).value(), bytes);
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0400U);
    EXPECT_NE(status.st_mtime, 0);
    times.insert(status.st_mtime);
  };
  look("first");
  for (const char* bytes : {"second, longer", "3", ""}) {
    ASSERT_TRUE(file->Replace(bytes));
    EXPECT_EQ(file->path(), path);
    look(bytes);
  }
  EXPECT_EQ(times.size(), 4U);
}

TEST(MemoryFileTest, WhoHasOpenedItKeepsWhatItWas) {
  auto file = MemoryFile::Create("before");
  ASSERT_TRUE(file) << file.error().message;
  std::ifstream reader(file->path());
  ASSERT_TRUE(file->Replace("after"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "before");
}

TEST(MemoryFileTest, IsStillThereAfterAMove) {
  auto file = MemoryFile::Create("bytes");
  ASSERT_TRUE(file) << file.error().message;
  const MemoryFile moved = *std::move(file);
  EXPECT_EQ(ReadFile(moved.path(), 100).value(), "bytes");
}

}  // namespace
}  // namespace fairlead
