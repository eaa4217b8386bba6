#include "common/metrics/family_set.h"

#include <utility>

namespace fairlead {

prometheus::ClientMetric& FamilySet::Add(prometheus::MetricType type, std::string_view name,
                                         std::string_view help, const Labels& labels) {
  const std::string full = prefix_ + std::string(name);
  prometheus::MetricFamily& family = families_[full];
  if (family.name.empty()) {
    family.name = full;
    family.help = help;
    family.type = type;
  }
  prometheus::ClientMetric& metric = family.metric.emplace_back();
  metric.label = labels;
  return metric;
}

void FamilySet::Gauge(std::string_view name, std::string_view help, const Labels& labels,
                      double value) {
  Add(prometheus::MetricType::Gauge, name, help, labels).gauge.value = value;
}

void FamilySet::Counter(std::string_view name, std::string_view help, const Labels& labels,
                        double value) {
  Add(prometheus::MetricType::Counter, name, help, labels).counter.value = value;
}

void FamilySet::Histogram(std::string_view name, std::string_view help, const Labels& labels,
                          prometheus::ClientMetric::Histogram value) {
  Add(prometheus::MetricType::Histogram, name, help, labels).histogram = std::move(value);
}

std::vector<prometheus::MetricFamily> FamilySet::Take() {
  std::vector<prometheus::MetricFamily> all;
  for (auto& [name, family] : families_) all.push_back(std::move(family));
  families_.clear();
  return all;
}

Labels With(Labels labels, std::string name, std::string_view value) {
  labels.push_back({std::move(name), std::string(value)});
  return labels;
}

}  // namespace fairlead
