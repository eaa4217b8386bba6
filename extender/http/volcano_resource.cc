#include "extender/http/volcano_resource.h"

namespace fairlead::extender::json {
namespace {

constexpr double kMilli = 1000;

// More than the resources of any node; bounds the work of looking one up.
constexpr std::size_t kMostResources = 256;

bool IsNumber(od::value& value) {
  const char kind = Kind(value);
  return kind == '-' || (kind >= '0' && kind <= '9');
}

error_code ReadNumber(od::value& value, double& out) {
  return IsNumber(value) ? value.get_double().get(out) : simdjson::SUCCESS;
}

}  // namespace

error_code ReadResource(od::value& resource, std::size_t limit, IdleCapacity& out) {
  out.milli_cpu = 0;
  out.memory_bytes = 0;
  out.others.clear();
  return ForEachField(resource, limit, [&](auto key, od::value value) {
    if (SameKey(key, "MilliCPU")) return ReadNumber(value, out.milli_cpu);
    if (SameKey(key, "Memory")) return ReadNumber(value, out.memory_bytes);
    if (!SameKey(key, "ScalarResources") || Kind(value) != '{') return simdjson::SUCCESS;
    return ForEachField(value, limit, [&](auto name, od::value amount) {
      if (!IsNumber(amount) || out.others.size() >= kMostResources) return simdjson::SUCCESS;
      double number = 0;
      if (const error_code error = ReadNumber(amount, number)) return error;
      out.others.emplace_back(name, name == "pods" ? number : number / kMilli);
      return simdjson::SUCCESS;
    });
  });
}

}  // namespace fairlead::extender::json
