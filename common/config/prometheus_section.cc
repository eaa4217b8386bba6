// `extender.prometheus`: which queries tell of which lines.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "common/config/choice.h"
#include "common/config/line_ends.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"

namespace fairlead {
namespace {

Result<std::string> ParseUrl(std::string_view text) {
  const bool scheme = text.starts_with("https://") || text.starts_with("http://");
  if (scheme && text.find_first_of(" \t\r\n") == std::string_view::npos) return std::string(text);
  return Fail(ErrorCode::kInvalidArgument,
              Quoted(text) + " is no address of a Prometheus; write https://HOST:PORT");
}

void CheckLine(SectionReader& reader, const Config& config, const PrometheusQuery& query) {
  const bool by_label = reader.Has("fromLabel") || reader.Has("toLabel");
  const bool fixed = reader.Has("from") || reader.Has("to");
  if (by_label == fixed) {
    reader.Complain("from",
                    "says the line with from and to, or with fromLabel and toLabel: one of them");
    return;
  }
  for (const std::string_view key :
       {by_label ? "fromLabel" : "from", by_label ? "toLabel" : "to"}) {
    if (!reader.Has(key)) reader.Complain(key, "is missing; both ends are needed");
  }
  if (by_label || query.from_site.empty() || query.to_site.empty()) return;
  if (query.from_site == query.to_site) {
    reader.Complain("to", "is the same site as from; a line joins two");
  }
  if (!IsSite(config, query.from_site)) {
    reader.Complain("from", Quoted(query.from_site) + " is not one of the sites");
  }
  if (!IsSite(config, query.to_site)) {
    reader.Complain("to", Quoted(query.to_site) + " is not one of the sites");
  }
}

PrometheusQuery ReadQuery(const DocumentNode& node, const std::string& path, const Config& config,
                          Problems& problems) {
  SectionReader reader(node, path, problems);
  PrometheusQuery query;
  reader.Text("name", query.name);
  reader.Value("value", query.value,
               OneOf<PrometheusValue>("value", {{"rtt", PrometheusValue::kRtt},
                                                {"loss", PrometheusValue::kLoss},
                                                {"utilisation", PrometheusValue::kUtilisation}}));
  reader.Text("query", query.query);
  reader.Text("fromLabel", query.from_label);
  reader.Text("toLabel", query.to_label);
  reader.Text("from", query.from_site);
  reader.Text("to", query.to_site);
  reader.Require("name");
  reader.Require("value");
  reader.Require("query");
  reader.Finish();
  CheckLine(reader, config, query);
  return query;
}

}  // namespace

void ReadPrometheus(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "extender.prometheus", problems);
  PrometheusConfig& prometheus = config.extender.prometheus;
  reader.Value("url", prometheus.url, ParseUrl);
  reader.Text("caFile", prometheus.ca_file);
  reader.Text("tokenFile", prometheus.token_file);
  reader.Flag("plaintext", prometheus.plaintext);
  reader.Duration("interval", prometheus.interval, Seconds(1), Seconds(3600));
  reader.Duration("timeout", prometheus.timeout, Milliseconds(100), Seconds(300));
  if (reader.Has("interval")) prometheus.stale_after = 3 * prometheus.interval;
  reader.Duration("staleAfter", prometheus.stale_after, Seconds(1), Seconds(3 * 3600));
  std::set<std::string> names;
  const auto& queries = reader.List("queries");
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string path = reader.PathOf("queries") + "[" + std::to_string(i) + "]";
    PrometheusQuery query = ReadQuery(queries[i], path, config, problems);
    if (!query.name.empty() && !names.insert(query.name).second) {
      reader.Complain("queries",
                      "two are named " + Quoted(query.name) + "; give each its own name");
    }
    prometheus.queries.push_back(std::move(query));
  }
  reader.Finish();
  if (!reader.Has("url") && !prometheus.queries.empty()) {
    reader.Complain("url", "is missing; write https://HOST:PORT of the Prometheus to ask");
  }
  if (reader.Has("url") && prometheus.queries.empty()) {
    reader.Complain("queries", "are none; a Prometheus that is asked nothing tells nothing");
  }
  if (prometheus.stale_after <= prometheus.interval) {
    reader.Complain("staleAfter",
                    "is not longer than interval; each value would be forgotten "
                    "before it is renewed");
  }
}

}  // namespace fairlead
