// What the test library plays: GPUs, failures and events from a text file.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "deviceplugin/gpu/nvml_abi.h"

namespace fairlead::deviceplugin {

// The file is read again whenever it has changed; replace it by a rename. Its lines:
//
//   # comment
//   gpu GPU-8f6d0c2a-... pci=0000:3b:00.0 minor=0 product=H200 mig=0 recovery=0 events=0xff9f
//   fail nvmlDeviceGetUUID 1 15    a call fails with NVML's error 15 for GPU 1; * is every call
//   fail nvmlInit * 9              or every GPU
//   xid 0 79                       an event of GPU 0; `x 1000` after it: so many of them
//   event 0 0x8000                 an event of another type
//
// Every key=value may be left out. Events are played in their order as lines are appended; those
// that were there before anybody listened are past.
class NvmlScript {
 public:
  struct ScriptedGpu {
    std::string uuid;
    std::string pci = "0000:01:00.0";
    std::string product = "Test_GPU";
    std::uint32_t minor = 0;
    std::uint32_t mig = 0;
    std::uint32_t recovery = 0;
    std::uint64_t events = 0xff9f;
  };
  struct ScriptedEvent {
    std::uint32_t gpu = 0;
    std::uint64_t type = 0;
    std::uint64_t data = 0;
  };
  struct Play {
    std::vector<ScriptedGpu> gpus;
    std::vector<std::vector<std::string>> failures;  // call, GPU, error
    std::vector<ScriptedEvent> events;

    // NVML's answer to this call before anything else is looked at.
    nvml::Return Failure(const std::string& call, const std::string& gpu) const;
  };

  // From the file that FAIRLEAD_NVML_SCRIPT names, else from the one beside this library with its
  // name and ".txt". No file: no driver.
  NvmlScript();

  // Null where there is no file. Thread-safe.
  std::shared_ptr<const Play> Get();

 private:
  std::string file_;
  std::mutex mutex_;
  std::string text_;
  std::shared_ptr<const Play> play_;
};

}  // namespace fairlead::deviceplugin
