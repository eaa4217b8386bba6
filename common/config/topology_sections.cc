// `site`, `sites`, `lines` and `nodes`: where things are.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "common/base/quote.h"
#include "common/config/line_ends.h"
#include "common/config/names.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"

namespace fairlead {
namespace {

constexpr std::uint32_t kMostHcas = 1024;

std::string ItemPath(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

bool SameLine(const LineConfig& a, const LineConfig& b) {
  return std::minmax(a.site_a, a.site_b) == std::minmax(b.site_a, b.site_b);
}

}  // namespace

void ReadSite(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "site", problems);
  reader.Value("nodeLabel", config.site_node_label, ParseLabelKey);
  reader.Finish();
}

void ReadSites(const std::vector<DocumentNode>& items, Config& config, Problems& problems) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    SectionReader reader(items[i], ItemPath("sites", i), problems);
    SiteConfig site;
    reader.Require("name");
    reader.Value("name", site.name, ParseSiteName);
    Coordinates place;
    reader.Number("latitude", place.latitude_degrees, -90, 90);
    reader.Number("longitude", place.longitude_degrees, -180, 180);
    if (reader.Has("latitude") && reader.Has("longitude")) {
      site.coordinates = place;
    } else if (reader.Has("latitude")) {
      reader.Complain("latitude", "needs longitude beside it");
    } else if (reader.Has("longitude")) {
      reader.Complain("longitude", "needs latitude beside it");
    }
    reader.Finish();
    if (site.name.empty()) continue;
    if (IsSite(config, site.name)) {
      reader.Complain("name", "site " + Quoted(site.name) + " is listed twice; keep one");
      continue;
    }
    config.sites.push_back(std::move(site));
  }
}

void ReadLines(const std::vector<DocumentNode>& items, Config& config, Problems& problems) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    SectionReader reader(items[i], ItemPath("lines", i), problems);
    LineConfig line;
    std::tie(line.site_a, line.site_b) = ReadLineEnds(reader, config);
    reader.Rate("capacity", line.capacity_bits_per_second);
    if (line.capacity_bits_per_second == 0U) {
      reader.Complain("capacity", "is 0; remove the key if the capacity is not known");
    }
    reader.Finish();
    if (line.site_a.empty()) continue;
    const bool doubled =
        std::any_of(config.lines.begin(), config.lines.end(),
                    [&](const LineConfig& other) { return SameLine(line, other); });
    if (doubled) {
      reader.Complain("between",
                      "the line " + line.site_a + "-" + line.site_b + " is listed twice; keep one");
      continue;
    }
    config.lines.push_back(std::move(line));
  }
}

void ReadNodes(const std::vector<DocumentNode>& items, Config& config, Problems& problems) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    SectionReader reader(items[i], ItemPath("nodes", i), problems);
    NodeConfig node;
    for (const std::string_view key : {"name", "site", "hcas"}) reader.Require(key);
    reader.Value("name", node.name, ParseNodeName);
    reader.Value("site", node.site, ParseSiteName);
    reader.Count("hcas", node.hcas, 0, kMostHcas);
    reader.Finish();
    if (!node.site.empty()) {
      if (const std::string complaint = UnknownSite(config, node.site); !complaint.empty()) {
        reader.Complain("site", complaint);
      }
    }
    const bool doubled =
        std::any_of(config.nodes.begin(), config.nodes.end(),
                    [&](const NodeConfig& other) { return other.name == node.name; });
    if (doubled && !node.name.empty()) {
      reader.Complain("name", "node " + Quoted(node.name) + " is listed twice; keep one");
      continue;
    }
    config.nodes.push_back(std::move(node));
  }
}

}  // namespace fairlead
