#include "deviceplugin/doctor_facts/firmware_tools.h"

#include <cstddef>
#include <utility>

#include "deviceplugin/doctor_facts/firmware_text.h"
#include "deviceplugin/doctor_facts/kernel_questions.h"
#include "deviceplugin/doctor_facts/queue_pairs.h"
#include "deviceplugin/doctor_facts/tool_runs.h"

namespace fairlead::deviceplugin {
namespace {

std::vector<ToolCall> Calls(const std::vector<std::string>& functions, const std::string& family) {
  std::vector<ToolCall> calls;
  for (const std::string& function : functions) {
    calls.push_back({family + "config", "-d", function, "-e", "query"});
    calls.push_back({family + "reg", "-d", function, "--reg_name", "ROCE_ACCL", "--get"});
  }
  return calls;
}

bool IsMissing(const Known<std::string>& output) {
  return !output && output.why_not().ends_with("is not installed");
}

FirmwareAnswers Parsed(const Known<std::string>& settings, const Known<std::string>& acceleration) {
  using Settings = std::map<std::string, FirmwareSetting>;
  using Fields = std::map<std::string, std::uint32_t>;
  return {.settings = settings ? ParseFirmwareSettings(*settings)
                               : Known<Settings>::Not(settings.why_not()),
          .acceleration = acceleration ? ParseRegister(*acceleration)
                                       : Known<Fields>::Not(acceleration.why_not())};
}

}  // namespace

std::vector<FirmwareAnswers> AskFirmwareTools(const std::vector<std::string>& functions,
                                              Nanoseconds patience) {
  std::vector<Known<std::string>> outputs;
  for (const char* family : {"mlx", "mst"}) {
    outputs = RunTools(Calls(functions, family), patience);
    if (!outputs.empty() && !IsMissing(outputs.front())) break;
  }
  std::vector<FirmwareAnswers> answers;
  for (std::size_t i = 0; i + 1 < outputs.size(); i += 2) {
    answers.push_back(Parsed(outputs[i], outputs[i + 1]));
  }
  return answers;
}

LiveSources LiveSourcesHere(bool tools) {
  LiveSources live;
  if (tools) live.firmware = [](const auto& functions) { return AskFirmwareTools(functions); };
  live.queue_pairs = AskQueuePairs;
  live.dcb = AskDcb;
  live.pause = AskPause;
  return live;
}

}  // namespace fairlead::deviceplugin
