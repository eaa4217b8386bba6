#include "linkprobe/engine/wake_up.h"

#include <sys/eventfd.h>

#include <cstdint>
#include <cstdlib>

#include "common/base/log.h"

namespace fairlead::linkprobe {

WakeUp::WakeUp() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (fd_) return;
  // Out of descriptors before the first session: nothing useful can follow.
  LogError("no descriptor left for an eventfd; raise the limit of open files");
  std::abort();
}

void WakeUp::Signal() const {
  const std::uint64_t one = 1;
  // A full counter means that the reader has been signalled already.
  [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);
}

void WakeUp::Clear() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = ::read(fd_.get(), &count, sizeof count);
}

}  // namespace fairlead::linkprobe
