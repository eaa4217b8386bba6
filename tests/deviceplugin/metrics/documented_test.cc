// docs/deviceplugin.md against the program: metrics, reasons.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "deviceplugin/pool/rejection.h"
#include "tests/deviceplugin/metrics/full_node.h"

namespace fairlead::deviceplugin {
namespace {

using Families = std::map<std::string, std::set<std::string>>;  // their labels by name

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Of rows such as "| `devices{resource,health}` | ... |" below the heading "## Metrics".
Families DocumentedFamilies() {
  std::string text = Contents("docs/deviceplugin.md");
  text.erase(0, text.find("## Metrics"));
  text.erase(text.find("\n## ", 1));
  Families families;
  const std::regex row(R"(\n\| `([a-z_]+)(?:\{([a-z_,]+)\})?` \|)");
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    std::istringstream labels((*it)[2].str());
    auto& family = families[(*it)[1].str()];
    for (std::string label; std::getline(labels, label, ',');) family.insert(label);
  }
  return families;
}

TEST(DocumentedTest, EveryFamilyWithItsLabels) {
  const std::string prefix = "fairlead_deviceplugin_";
  Families families;
  for (const auto& family : FullNode().Collect()) {
    ASSERT_TRUE(family.name.starts_with(prefix)) << family.name;
    auto& labels = families[family.name.substr(prefix.size())];
    for (const auto& metric : family.metric) {
      for (const auto& label : metric.label) labels.insert(label.name);
    }
  }
  EXPECT_EQ(families, DocumentedFamilies());
}

// What a FullNode would miss is still named in the source.
TEST(DocumentedTest, EveryFamilyThatTheSourceNames) {
  std::set<std::string> named;
  const std::regex call(R"(out\.(?:Gauge|Counter|Histogram)\(\s*\"([a-z_]+)\")");
  for (const char* file :
       {"deviceplugin/metrics/device_families.cc", "deviceplugin/metrics/node_metrics.cc",
        "deviceplugin/metrics/verdict_families.cc", "common/metrics/reload_families.cc"}) {
    const std::string text = Contents(file);
    for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
      named.insert((*it)[1].str());
    }
  }
  std::set<std::string> documented;
  for (const auto& [name, labels] : DocumentedFamilies()) documented.insert(name);
  EXPECT_EQ(named, documented);
}

TEST(DocumentedTest, EveryReason) {
  const std::string text = Contents("docs/deviceplugin.md");
  std::set<std::string> words{"removed"};
  for (int reason = 0; reason <= static_cast<int>(RejectReason::kFunction); ++reason) {
    words.emplace(RejectReasonName(static_cast<RejectReason>(reason)));
  }
  const std::string source = Contents("deviceplugin/health/ailment.cc");
  const std::regex ailment(R"((?:return |Ailment)\{\"([a-z_]+)\")");
  for (std::sregex_iterator it(source.begin(), source.end(), ailment), end; it != end; ++it) {
    words.insert((*it)[1].str());
  }
  EXPECT_EQ(words.size(), 16U);  // no_port is a reason of both kinds
  for (const std::string& word : words) {
    EXPECT_THAT(text, testing::HasSubstr("\n| `" + word + "` |"));
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
