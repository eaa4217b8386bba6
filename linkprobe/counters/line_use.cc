#include "linkprobe/counters/line_use.h"

#include <algorithm>

#include "common/units/human.h"

namespace fairlead::linkprobe {
namespace {

std::string Describe(const LineConfig& line, const LineUse& use, double used) {
  const std::string name = "line " + line.site_a + "-" + line.site_b;
  const std::string set = "set `capacity` of it under `lines`";
  const double declared = use.declared_bytes_per_second.value_or(0);
  switch (use.doubt) {
    case DeclaredRateDoubt::kNone:
      return "";
    case DeclaredRateDoubt::kAbsent:
      return name + " has no declared capacity, so its use can't be told as a share; " + set;
    case DeclaredRateDoubt::kZero:
      return name + " has a declared capacity of 0; " + set + ", or remove it where not known";
    case DeclaredRateDoubt::kExceeded:
      return "this node alone carries " + HumanRate(used * 8) + ", and " + name +
             " is declared as " + HumanRate(declared * 8) +
             ": most of it stays in the site, or the declaration is wrong";
    case DeclaredRateDoubt::kNotReached:
      return name + " is declared as " + HumanRate(declared * 8) +
             " and a test found a tenth of it or less: correct the declaration";
  }
  return "";
}

}  // namespace

std::vector<LineUse> UseOfLines(std::string_view site, const std::vector<LineConfig>& lines,
                                const std::optional<NodeTraffic>& traffic) {
  std::vector<LineUse> uses;
  for (const LineConfig& line : lines) {
    if (site.empty() || (line.site_a != site && line.site_b != site)) continue;
    LineUse use{.other_site = line.site_a == site ? line.site_b : line.site_a};
    if (line.capacity_bits_per_second) {
      use.declared_bytes_per_second = static_cast<double>(*line.capacity_bits_per_second) / 8;
    }
    LineRates rates{.declared = use.declared_bytes_per_second};
    if (traffic) {
      rates.used = std::max(traffic->transmit_bytes_per_second, traffic->receive_bytes_per_second);
    }
    if (traffic && rates.declared.value_or(0) > 0) {
      use.transmit_ratio = traffic->transmit_bytes_per_second / *rates.declared;
      use.receive_ratio = traffic->receive_bytes_per_second / *rates.declared;
    }
    use.doubt = JudgeDeclaredRate(rates);
    use.sentence = Describe(line, use, rates.used.value_or(0));
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace fairlead::linkprobe
