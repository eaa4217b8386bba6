#include "deviceplugin/cli/text_table.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

TEST(TextTableTest, AlignsColumnsAndLeavesNothingBehindTheLast) {
  TextTable table;
  EXPECT_EQ(table.Text(), "");
  table.Row({"HCA", "PORT", "POOLS"});
  table.Row({"mlx5_10", "1", "rdma/hca"});
  table.Row({"m", "", ""});
  table.Row({"short row"});
  EXPECT_EQ(table.Text(),
            "HCA        PORT  POOLS\n"
            "mlx5_10    1     rdma/hca\n"
            "m          -     -\n"
            "short row\n");
  EXPECT_EQ(table.Text(2).substr(0, 7), "  HCA  ");
}

TEST(JoinWordsTest, PassesOverWhatIsEmpty) {
  EXPECT_EQ(JoinWords({}), "");
  EXPECT_EQ(JoinWords({"", "a", "", "b"}), "a, b");
}

}  // namespace
}  // namespace fairlead::deviceplugin
