#include "tests/deviceplugin/discovery/manifest_files.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <stdexcept>

namespace fairlead::deviceplugin {
namespace {

TEST(ManifestFiles, BehavesAsAFileSystem) {
  const ManifestFiles files(R"(
# a comment
[/a/b]
file = one \x01 line
link -> ../c/d
loop -> loop
none -> /nowhere
bad !EINVAL
node char
empty =
[/a/c/d]
n/{3..4} = x
/a/e dir
)");
  EXPECT_EQ(files.Read("/a/b/file"), "one \x01 line\n");
  EXPECT_EQ(files.Read("/a/b/empty"), "");
  EXPECT_EQ(files.Read("/a/b/link/n/3"), "x\n");
  EXPECT_EQ(files.Resolve("/a/b/../b/link/n"), "/a/c/d/n");
  EXPECT_EQ(files.List("/a/b/link/n"), (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(files.List("/a"), (std::vector<std::string>{"b", "c", "e"}));
  EXPECT_EQ(files.Kind("/a/b/node"), FileKind::kCharacterDevice);
  EXPECT_EQ(files.Kind("/a/b/link"), FileKind::kDirectory);
  EXPECT_EQ(files.Read("/a/b/bad").error().error_number, EINVAL);
  EXPECT_EQ(files.Read("/a/b/loop").error().error_number, ELOOP);
  EXPECT_EQ(files.Read("/a/b/none").error().error_number, ENOENT);
  EXPECT_EQ(files.Read("/a/b/file/x").error().error_number, ENOTDIR);
  EXPECT_EQ(files.Read("/a/b").error().error_number, EISDIR);
  EXPECT_EQ(files.Read("/a/b/node").error().error_number, ENXIO);
  EXPECT_EQ(files.List("/a/b/file").error().error_number, ENOTDIR);
}

TEST(ManifestFiles, WritesOutEachRow) {
  const ManifestFiles files("each $n $name\n  1  two words\n  2  b\ndo\n[/$n]\n$n = $name\ndone\n");
  EXPECT_EQ(files.Read("/1/1"), "two words\n");
  EXPECT_EQ(files.Read("/2/2"), "b\n");
}

TEST(ManifestFiles, Changes) {
  ManifestFiles files("/a/b = 1\n/a/c = 2\n");
  files.Change("/a/b = 3");
  files.Change("/a/d/e !EIO");
  EXPECT_EQ(files.Read("/a/b"), "3\n");
  EXPECT_EQ(files.Read("/a/d/e").error().error_number, EIO);
  files.Remove("/a/d");
  EXPECT_EQ(files.List("/a"), (std::vector<std::string>{"b", "c"}));
}

TEST(ManifestFiles, RefusesWhatItCannotRead) {
  for (const char* text : {"/a\n", "/a ?\n", "/a !ESOMETHING\n", "[/a\n", "each $n\n1\ndo\n",
                           "each $n\n1  2\ndo\n/$n = 1\ndone\n"}) {
    EXPECT_THROW(ManifestFiles{text}, std::runtime_error) << text;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
