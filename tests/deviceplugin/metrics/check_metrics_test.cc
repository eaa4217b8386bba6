#include "deviceplugin/metrics/check_metrics.h"

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>

#include <map>
#include <string>

namespace fairlead::deviceplugin {
namespace {

TEST(CheckMetricsTest, TheStatusOfEachCheck) {
  const auto reports = std::make_shared<const std::vector<CheckReport>>(std::vector<CheckReport>{
      {.name = "roce_mtu", .status = CheckStatus::kWarning, .findings = {}, .gaps = {}},
      {.name = "memlock", .status = CheckStatus::kUnknown, .findings = {}, .gaps = {}}});
  const auto families = NodeCheckMetrics([&] { return reports; }).Collect();
  ASSERT_EQ(families.size(), 1U);
  EXPECT_EQ(families[0].name, "fairlead_node_check");
  std::map<std::string, std::string> statuses;
  for (const auto& metric : families[0].metric) {
    EXPECT_EQ(metric.gauge.value, 1);
    std::map<std::string, std::string> labels;
    for (const auto& label : metric.label) labels[label.name] = label.value;
    statuses[labels["check"]] = labels["status"];
  }
  const std::map<std::string, std::string> expected{{"memlock", "unknown"},
                                                    {"roce_mtu", "warning"}};
  EXPECT_EQ(statuses, expected);
}

TEST(CheckMetricsTest, NothingBeforeTheFirstLook) {
  const auto none = std::make_shared<const std::vector<CheckReport>>();
  EXPECT_TRUE(NodeCheckMetrics([&] { return none; }).Collect().empty());
}

}  // namespace
}  // namespace fairlead::deviceplugin
