#include "deviceplugin/doctor_cli/nccl_view.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "deviceplugin/doctor/wrapped_text.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kIndent = 6;

std::string LineHead(const NcclAdvice& advice) {
  if (!advice.line) {
    return "No line: what depends on one is left to NCCL. Give --config with `sites` and `lines`, "
           "--site and --rtt.\n";
  }
  return "For " + LineText(*advice.line) + ": " + BytesText(advice.line->bytes_in_flight) +
         (advice.line->at_least ? " at least" : "") + " must be under way to fill it.\n";
}

}  // namespace

std::string NcclAsText(const NcclAdvice& advice) {
  std::string set;
  std::string left;
  for (const NcclSetting& setting : advice.settings) {
    if (setting.value.empty()) {
      left += "  " + setting.variable + "\n" + Wrapped("", kIndent, setting.why);
    } else {
      set +=
          "  " + setting.variable + "=" + setting.value + "\n" + Wrapped("", kIndent, setting.why);
    }
  }
  std::string guides;
  for (const GuideValue& guide : advice.guides) {
    guides += "  " + guide.assignment + (guide.holds ? ": holds here" : ": not here") + "\n" +
              Wrapped("", kIndent, guide.why);
  }
  return LineHead(advice) + "\nSet:\n" + set + "\nLeave to NCCL:\n" + left +
         "\nWhat guides give for every line:\n" + guides;
}

std::string NcclAsJson(const NcclAdvice& advice) {
  using Json = nlohmann::ordered_json;
  Json line = nullptr;
  if (advice.line) {
    line = {{"peer", advice.line->peer},
            {"rtt_seconds", std::chrono::duration<double>(advice.line->rtt).count()},
            {"rtt_at_least", advice.line->at_least},
            {"bits_per_second", advice.line->bits_per_second},
            {"bytes_in_flight", advice.line->bytes_in_flight}};
  }
  Json settings = Json::array();
  for (const NcclSetting& setting : advice.settings) {
    settings.push_back({{"variable", setting.variable},
                        {"value", setting.value.empty() ? Json(nullptr) : Json(setting.value)},
                        {"why", setting.why}});
  }
  Json guides = Json::array();
  for (const GuideValue& guide : advice.guides) {
    guides.push_back(
        {{"assignment", guide.assignment}, {"holds", guide.holds}, {"why", guide.why}});
  }
  const Json document{
      {"line", std::move(line)}, {"settings", std::move(settings)}, {"guides", std::move(guides)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fairlead::deviceplugin
