// The probe's histograms as Prometheus' client takes them.
#pragma once

#include <prometheus/client_metric.h>

#include "linkprobe/estimate/excess_histogram.h"

namespace fairlead::linkprobe {

// Bounds and sum in seconds.
prometheus::ClientMetric::Histogram ToHistogram(const ExcessHistogram& excess);

}  // namespace fairlead::linkprobe
