// The counters of RDMA ports as the kernel's files show them.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

// Reads sys/class/infiniband below `root` ("" or "/" for the host itself), and sys/class/net for
// ports without a folder counters/. Whatever is there or not, there is a reading: a file that
// cannot be read, or holds no number, is left out and counted; beyond 64 devices, 64 ports a
// device, 512 files a folder and 64 bytes a file nothing is read, nor what has a name that is not
// printable ASCII. No device is no fault. A pipe is never waited for. `clock` tells when each port
// was read.
CounterReading ReadSysfsCounters(const std::string& root, const Clock& clock);

}  // namespace fairlead::linkprobe
