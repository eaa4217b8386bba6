#include "common/config/line_ends.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/base/quote.h"
#include "common/config/suggest.h"

namespace fairlead {

bool IsSite(const Config& config, const std::string& name) {
  return std::any_of(config.sites.begin(), config.sites.end(),
                     [&](const SiteConfig& site) { return site.name == name; });
}

std::string UnknownSite(const Config& config, const std::string& name) {
  if (IsSite(config, name)) return "";
  std::vector<std::string_view> known;
  for (const SiteConfig& site : config.sites) known.push_back(site.name);
  if (known.empty()) return "site " + Quoted(name) + " is unknown; list it under sites";
  return "site " + Quoted(name) + " is unknown" + Suggest(name, known);
}

std::pair<std::string, std::string> ReadLineEnds(SectionReader& reader, const Config& config) {
  reader.Require("between");
  const std::vector<DocumentNode>& ends = reader.List("between");
  if (ends.size() != 2) {
    if (reader.Has("between")) {
      reader.Complain("between", "names " + std::to_string(ends.size()) +
                                     " sites, expected two: between: [hk, sg]");
    }
    return {};
  }
  for (const DocumentNode& end : ends) {
    if (end.kind != DocumentNode::Kind::kScalar) {
      reader.Complain("between", "holds something other than site names: between: [hk, sg]");
      return {};
    }
    if (const std::string complaint = UnknownSite(config, end.text); !complaint.empty()) {
      reader.Complain("between", complaint);
      return {};
    }
  }
  if (ends[0].text == ends[1].text) {
    reader.Complain("between",
                    "names " + Quoted(ends[0].text) + " twice; a line joins two different sites");
    return {};
  }
  return {ends[0].text, ends[1].text};
}

}  // namespace fairlead
