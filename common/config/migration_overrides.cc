#include "common/config/migration_overrides.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "common/base/quote.h"
#include "common/config/choice.h"
#include "common/config/line_ends.h"
#include "common/config/names.h"

namespace fairlead {
namespace {

constexpr Nanoseconds kLongestDelay = Seconds(60);

void ReadDelay(SectionReader& reader, std::string_view key, std::optional<Nanoseconds>& out) {
  if (!reader.Has(key)) {
    reader.Child(key);
    return;
  }
  Nanoseconds value{};
  reader.Duration(key, value, Nanoseconds(1000), kLongestDelay);
  out = value;
}

void ReadMode(SectionReader& reader, std::optional<MigrationMode>& out) {
  MigrationMode mode = MigrationMode::kDryRun;
  reader.Value("mode", mode, ParseMigrationMode);
  if (reader.Has("mode")) out = mode;
}

// A reader for each item of the list; `read` names all its keys.
template <class Read>
void ReadItems(SectionReader& reader, std::string_view key, Problems& problems, Read read) {
  const auto& items = reader.List(key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    SectionReader item(items[i], reader.PathOf(key) + "[" + std::to_string(i) + "]", problems);
    read(item);
    item.Finish();
  }
}

void RefuseTwice(SectionReader& item, std::string_view key, const std::string& name,
                 std::set<std::string>& seen) {
  if (name.empty() || seen.insert(name).second) return;
  item.Complain(key, Quoted(name) + " is listed twice; keep one");
}

}  // namespace

Result<MigrationMode> ParseMigrationMode(std::string_view text) {
  return OneOf<MigrationMode>("mode", {{"off", MigrationMode::kOff},
                                       {"dry-run", MigrationMode::kDryRun},
                                       {"enforce", MigrationMode::kEnforce}})(text);
}

void ReadThresholds(SectionReader& reader, LineThresholds& thresholds) {
  ReadDelay(reader, "maxRtt", thresholds.max_rtt);
  ReadDelay(reader, "maxJitter", thresholds.max_jitter);
  double loss = 0;
  reader.Ratio("maxLoss", loss);
  if (reader.Has("maxLoss")) thresholds.max_loss = loss;
  reader.Rate("minBandwidth", thresholds.min_bandwidth_bits_per_second);
  if (thresholds.min_bandwidth_bits_per_second == 0U) {
    reader.Complain("minBandwidth", "is 0, which no line is below; remove the key");
  }
  if (thresholds.max_rtt && thresholds.max_jitter && *thresholds.max_jitter > *thresholds.max_rtt) {
    reader.Complain("maxJitter",
                    "is more than maxRtt, so it could never be exceeded alone; lower it");
  }
}

void ReadNamespaceModes(SectionReader& reader, MigrationConfig& migration, Problems& problems) {
  std::set<std::string> seen;
  ReadItems(reader, "namespaces", problems, [&](SectionReader& item) {
    NamespaceMode entry;
    item.Require("name");
    item.Require("mode");
    item.Value("name", entry.name, ParseNodeName);
    item.Value("mode", entry.mode, ParseMigrationMode);
    RefuseTwice(item, "name", entry.name, seen);
    migration.namespaces.push_back(std::move(entry));
  });
}

void ReadClassOverrides(SectionReader& reader, MigrationConfig& migration, Problems& problems) {
  std::set<std::string> seen;
  ReadItems(reader, "classes", problems, [&](SectionReader& item) {
    ClassOverride entry;
    item.Require("priorityClass");
    item.Value("priorityClass", entry.priority_class, ParseNodeName);
    ReadMode(item, entry.mode);
    double margin = 0;
    item.Number("margin", margin, 0, 100);
    if (item.Has("margin")) entry.margin = margin;
    Nanoseconds runtime{};
    item.Duration("minRuntime", runtime, Nanoseconds(0), Seconds(30 * 24 * 3600));
    if (item.Has("minRuntime")) entry.min_runtime = runtime;
    if (!entry.mode && !entry.margin && !entry.min_runtime) {
      item.Complain("priorityClass", "changes nothing; give mode, margin or minRuntime beside it");
    }
    RefuseTwice(item, "priorityClass", entry.priority_class, seen);
    migration.classes.push_back(std::move(entry));
  });
}

void ReadLineOverrides(SectionReader& reader, Config& config, Problems& problems) {
  std::set<std::string> seen;
  ReadItems(reader, "lines", problems, [&](SectionReader& item) {
    LineOverride entry;
    entry.line = ReadLineEnds(item, config);
    if (entry.line.second < entry.line.first) std::swap(entry.line.first, entry.line.second);
    ReadMode(item, entry.most);
    ReadThresholds(item, entry.thresholds);
    if (entry.line.first.empty()) return;
    if (!entry.most && !entry.thresholds.any()) {
      item.Complain("between", "has nothing beside it; give mode or a limit of the line");
    }
    RefuseTwice(item, "between", entry.line.first + "-" + entry.line.second, seen);
    config.migration.lines.push_back(std::move(entry));
  });
}

}  // namespace fairlead
