// Any bytes as a configuration file: never a crash or a hang, and a refusal always says why.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "common/config/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const fairlead::Result<fairlead::Config> config = fairlead::ParseConfig(text, "f.yaml");
  if (config) {
    // What validation promises to every reader.
    const fairlead::DetectorSettings& detector = config->detector;
    if (detector.windows_bad > detector.windows_considered || detector.window.count() <= 0 ||
        !(detector.band_ratio >= 0 && detector.band_ratio <= 1)) {
      std::abort();
    }
    return 0;
  }
  const std::string& message = config.error().message;
  if (!message.starts_with("f.yaml")) std::abort();
  for (const char c : message) {
    // Untrusted bytes are shown escaped.
    if (c != '\n' &&
        (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)) {
      std::abort();
    }
  }
  return 0;
}
