#include "common/config/parse.h"

#include <utility>

#include "common/config/document.h"
#include "common/config/problems.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"

namespace fairlead {

Result<Config> ParseConfig(std::string_view yaml, std::string_view file_name) {
  return ParseLocatedConfig(yaml, file_name).map([](LocatedConfig&& located) {
    return std::move(located.config);
  });
}

Result<LocatedConfig> ParseLocatedConfig(std::string_view yaml, std::string_view file_name) {
  Problems problems;
  const DocumentNode root = ReadDocument(yaml, problems);
  if (root.kind == DocumentNode::Kind::kNull) {
    if (problems.empty()) {
      problems.Add(0, "", "is empty; write at least one key, for example sites:");
    }
    return Fail(problems.ToError(file_name));
  }
  Config config;
  SectionReader reader(root, "", problems);
  const auto section = [&](std::string_view key, auto read) {
    if (const DocumentNode* node = reader.Child(key)) read(*node, config, problems);
  };
  section("site", ReadSite);
  ReadSites(reader.List("sites"), config, problems);
  ReadLines(reader.List("lines"), config, problems);
  ReadNodes(reader.List("nodes"), config, problems);
  section("tls", ReadTls);
  section("detector", ReadDetector);
  section("linkprobe", ReadLinkprobe);
  section("extender", ReadExtender);
  section("migration", ReadMigration);
  section("deviceplugin", ReadDeviceplugin);
  reader.Finish();
  if (!problems.empty()) return Fail(problems.ToError(file_name));
  return LocatedConfig{.config = std::move(config), .lines = KeyLines(root)};
}

}  // namespace fairlead
