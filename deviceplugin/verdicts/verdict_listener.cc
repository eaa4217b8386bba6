#include "deviceplugin/verdicts/verdict_listener.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "common/base/log.h"

namespace fairlead::deviceplugin {
namespace {

// A sender that never stops must not keep the stop, or the socket's care, waiting.
constexpr int kMostAtOnce = 64;

}  // namespace

VerdictListener::VerdictListener(VerdictListenerOptions options, Hear hear, const Clock& clock)
    : options_(std::move(options)),
      hear_(std::move(hear)),
      clock_(clock),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!options_.socket.empty()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
}

VerdictListener::~VerdictListener() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void VerdictListener::Run(const std::stop_token& stop) {
  const std::stop_callback wake_up(stop, [this] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
  });
  MonotonicTime look_again = clock_.Now();
  while (!stop.stop_requested()) {
    const MonotonicTime now = clock_.Now();
    if (now >= look_again) {
      LookAfterSocket();
      look_again = now + options_.look_after_socket;
    }
    counts_.Publish(count_);
    Wait(look_again);
    TakeMessages();
    if (heard_.Expire(clock_.Now())) hear_({heard_.verdicts(), count_.lines}, true);
    count_.verdicts = heard_.verdicts();
    count_.lines = FreshLines(count_.lines, clock_.Now());
  }
}

void VerdictListener::LookAfterSocket() {
  if (socket_ && socket_->IsAtPath()) return;
  socket_.reset();
  auto bound = ProbeSocket::Bind(options_.socket, kLongestMessage);
  count_.listening = bound.has_value();
  if (bound) {
    socket_.emplace(*std::move(bound));
    last_error_.clear();
    LogInfo("listening for linkprobe", {{"socket", options_.socket}});
    return;
  }
  if (bound.error().message != last_error_) {
    LogInfo("not listening for linkprobe", {{"error", bound.error().message}});
  }
  last_error_ = bound.error().message;
}

void VerdictListener::Wait(MonotonicTime look_again) const {
  const MonotonicTime until = std::min(look_again, heard_.NextExpiry().value_or(look_again));
  const auto left = std::chrono::ceil<Milliseconds>(std::max(until - clock_.Now(), Nanoseconds(0)));
  pollfd fds[] = {{wake_.get(), POLLIN, 0}, {socket_ ? socket_->fd() : -1, POLLIN, 0}};
  poll(fds, std::size(fds), static_cast<int>(left.count()));
}

void VerdictListener::TakeMessages() {
  ProbeDatagram datagram;
  for (int i = 0; socket_ && i < kMostAtOnce && socket_->Take(datagram); ++i) Take(datagram);
}

void VerdictListener::Take(const ProbeDatagram& datagram) {
  if (!datagram.trusted) return Refuse(VerdictRefusal::kSender);
  if (datagram.truncated) return Refuse(VerdictRefusal::kTooLong);
  const MonotonicTime now = clock_.Now();
  auto word = ReadVerdicts(datagram.bytes, now);
  if (!word) return Refuse(word.error());
  ++count_.heard;
  count_.lines = Merge(count_.lines, std::move(word->lines), now);
  const bool changed = heard_.Hear(std::move(word->verdicts), now);
  hear_({heard_.verdicts(), count_.lines}, changed);
}

void VerdictListener::Refuse(VerdictRefusal why) {
  const std::uint64_t before = count_.refused[static_cast<std::size_t>(why)]++;
  if (before == 0) {
    LogWarning("a message to linkprobe's socket is refused; later ones are counted only",
               {{"reason", VerdictRefusalName(why)}, {"socket", options_.socket}});
  }
}

}  // namespace fairlead::deviceplugin
