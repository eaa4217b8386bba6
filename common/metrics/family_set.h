// Metric families as they are filled during one scrape.
#pragma once

#include <prometheus/metric_family.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead {

using Labels = std::vector<prometheus::ClientMetric::Label>;

// Keeps one family per name, whatever order values come in. Names are given without the program's
// prefix ("fairlead_linkprobe_"). Not thread-safe.
class FamilySet {
 public:
  explicit FamilySet(std::string prefix) : prefix_(std::move(prefix)) {}

  void Gauge(std::string_view name, std::string_view help, const Labels& labels, double value);
  void Counter(std::string_view name, std::string_view help, const Labels& labels, double value);
  void Histogram(std::string_view name, std::string_view help, const Labels& labels,
                 prometheus::ClientMetric::Histogram value);

  std::vector<prometheus::MetricFamily> Take();

 private:
  prometheus::ClientMetric& Add(prometheus::MetricType type, std::string_view name,
                                std::string_view help, const Labels& labels);

  const std::string prefix_;
  std::map<std::string, prometheus::MetricFamily> families_;
};

// `labels` with one more.
Labels With(Labels labels, std::string name, std::string_view value);

}  // namespace fairlead
