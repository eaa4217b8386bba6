// Metric families as they are filled during one scrape.
#pragma once

#include <prometheus/metric_family.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::linkprobe {

using Labels = std::vector<prometheus::ClientMetric::Label>;

// Keeps one family per name, whatever order values come in. Names are given without the program's
// prefix "fairlead_linkprobe_".
class FamilySet {
 public:
  void Gauge(std::string_view name, std::string_view help, const Labels& labels, double value);
  void Counter(std::string_view name, std::string_view help, const Labels& labels, double value);
  void Histogram(std::string_view name, std::string_view help, const Labels& labels,
                 prometheus::ClientMetric::Histogram value);

  std::vector<prometheus::MetricFamily> Take();

 private:
  prometheus::ClientMetric& Add(prometheus::MetricType type, std::string_view name,
                                std::string_view help, const Labels& labels);

  std::map<std::string, prometheus::MetricFamily> families_;
};

// `labels` with one more.
Labels With(Labels labels, std::string name, std::string_view value);

}  // namespace fairlead::linkprobe
