#include "common/kube/micro_time.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace fairlead::kube {

std::string MicroTime(WallTime time) {
  const auto micros = std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(micros);
  const std::time_t whole = seconds.count();
  std::tm parts{};
  gmtime_r(&whole, &parts);
  char text[48];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + size, sizeof text - size, ".%06dZ",
                static_cast<int>((micros - seconds).count()));
  return text;
}

}  // namespace fairlead::kube
