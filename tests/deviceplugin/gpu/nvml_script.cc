#include "tests/deviceplugin/gpu/nvml_script.h"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace fairlead::deviceplugin {
namespace {

// A lookup key for dladdr.
const char kHere = 0;

void ReadGpu(std::istringstream& words, NvmlScript::Play& play) {
  NvmlScript::ScriptedGpu& gpu = play.gpus.emplace_back();
  gpu.minor = static_cast<std::uint32_t>(play.gpus.size() - 1);
  words >> gpu.uuid;
  if (gpu.uuid == "-") gpu.uuid.clear();
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    const auto number = std::strtoull(value.c_str(), nullptr, 0);
    if (key == "pci") gpu.pci = value;
    if (key == "product") gpu.product = value;
    if (key == "minor") gpu.minor = static_cast<std::uint32_t>(number);
    if (key == "mig") gpu.mig = static_cast<std::uint32_t>(number);
    if (key == "recovery") gpu.recovery = static_cast<std::uint32_t>(number);
    if (key == "events") gpu.events = number;
  }
}

void ReadEvent(const std::string& kind, std::istringstream& words, NvmlScript::Play& play) {
  NvmlScript::ScriptedEvent event;
  std::string number;
  words >> event.gpu >> number;
  const auto value = std::strtoull(number.c_str(), nullptr, 0);
  event.type = kind == "xid" ? nvml::kEventXid : value;
  event.data = kind == "xid" ? value : 0;
  std::string x;
  std::size_t times = 1;
  if (words >> x) words >> times;
  play.events.insert(play.events.end(), times, event);
}

}  // namespace

NvmlScript::NvmlScript() {
  if (const char* const named = std::getenv("FAIRLEAD_NVML_SCRIPT")) {
    file_ = named;
    return;
  }
  Dl_info info{};
  if (dladdr(&kHere, &info) != 0 && info.dli_fname) file_ = std::string(info.dli_fname) + ".txt";
}

nvml::Return NvmlScript::Play::Failure(const std::string& call, const std::string& gpu) const {
  for (const auto& failure : failures) {
    if (failure.size() != 3) continue;
    const bool this_call = failure[0] == "*" ? !gpu.empty() : failure[0] == call;
    if (this_call && (failure[1] == "*" || failure[1] == gpu)) return std::atoi(failure[2].c_str());
  }
  return nvml::kSuccess;
}

std::shared_ptr<const NvmlScript::Play> NvmlScript::Get() {
  std::ifstream stream(file_);
  if (!stream) return nullptr;
  std::ostringstream text;
  text << stream.rdbuf();
  std::lock_guard lock(mutex_);
  if (play_ && text.str() == text_) return play_;
  text_ = text.str();
  const auto play = std::make_shared<Play>();
  std::istringstream lines(text_);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "gpu") ReadGpu(words, *play);
    if (kind == "xid" || kind == "event") ReadEvent(kind, words, *play);
    if (kind == "fail") {
      auto& failure = play->failures.emplace_back();
      for (std::string word; words >> word;) failure.push_back(word);
    }
  }
  play_ = play;
  return play;
}

}  // namespace fairlead::deviceplugin
