// `extender.bandwidth`: when lines are tested.
#include <cstdint>
#include <string>

#include "common/config/section_reader.h"
#include "common/config/sections.h"
#include "common/units/rate.h"

namespace fairlead {

void ReadBandwidth(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "extender.bandwidth", problems);
  BandwidthConfig& bandwidth = config.extender.bandwidth;
  reader.Flag("trains", bandwidth.trains);
  reader.Flag("saturation", bandwidth.saturation);
  reader.Duration("trainInterval", bandwidth.train_interval, Seconds(60), Seconds(7 * 24 * 3600));
  reader.Duration("saturationInterval", bandwidth.saturation_interval, Seconds(60),
                  Seconds(30 * 24 * 3600));
  reader.Ratio("mostUse", bandwidth.most_use);
  reader.Value("bytesPerDay", bandwidth.bytes_per_day, ParseBytes);
  reader.Value("saturationBytes", bandwidth.saturation_bytes, ParseBytes);
  reader.Finish();
  const auto need = [&](const char* key, std::uint64_t bytes, std::uint64_t needed) {
    if (bytes >= needed) return;
    reader.Complain(key, FormatBytes(bytes) + " does not suffice for one test, which takes up to " +
                             FormatBytes(needed));
  };
  if (bandwidth.trains) need("bytesPerDay", bandwidth.bytes_per_day, kTrainLeaseBytes);
  if (bandwidth.saturation) {
    need("saturationBytes", bandwidth.saturation_bytes, 1'000'000);
    need("bytesPerDay", bandwidth.bytes_per_day, bandwidth.saturation_bytes);
  }
}

}  // namespace fairlead
