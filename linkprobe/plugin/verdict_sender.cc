#include "linkprobe/plugin/verdict_sender.h"

#include <sys/socket.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/local_address.h"
#include "common/base/log.h"
#include "linkprobe/plugin/verdict_message.h"

namespace fairlead::linkprobe {

VerdictSender::VerdictSender(std::string socket, Judge judge, Lines lines, const Clock& clock,
                             Nanoseconds every)
    : socket_(std::move(socket)),
      judge_(std::move(judge)),
      lines_(std::move(lines)),
      clock_(clock),
      every_(every) {
  if (!socket_.empty()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
}

VerdictSender::~VerdictSender() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void VerdictSender::Run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  VerdictStatus status;
  while (!stop.stop_requested()) {
    Tell(status);
    status_.Publish(status);
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, every_, [] { return false; });
  }
}

void VerdictSender::Tell(VerdictStatus& status) {
  std::vector<NicOpinion> opinions = judge_(status.opinions);
  for (const NicOpinion& opinion : opinions) {
    bool was_bad = false;
    for (const NicOpinion& before : status.opinions) {
      if (before.nic == opinion.nic) was_bad = before.bad;
    }
    if (opinion.bad == was_bad) continue;
    Log(opinion.bad ? LogLevel::kWarning : LogLevel::kInfo,
        opinion.bad ? "this node's NIC is bad" : "this node's NIC is not bad any more",
        {{"device", opinion.nic.device},
         {"port", opinion.nic.port},
         {"evidence", opinion.sentence}});
  }
  status.opinions = std::move(opinions);
  Send(EncodeVerdicts(status.opinions, lines_(), clock_.Now()), status);
}

void VerdictSender::Send(const std::string& message, VerdictStatus& status) {
  const auto address = MakeLocalAddress(socket_);
  if (!fd_) fd_ = FileDescriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const ssize_t sent =
      !address || !fd_
          ? -1
          : ::sendto(fd_.get(), message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                     reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  const int error = errno;
  if (sent >= 0) {
    ++status.sent;
    last_error_.clear();
  } else if (address && (error == ENOENT || error == ECONNREFUSED)) {
    ++status.absent;
  } else if (address && (error == EAGAIN || error == ENOBUFS)) {
    ++status.busy;
  } else {
    ++status.failed;
    const std::string text = address ? ErrnoText(error) : address.error().message;
    if (text != last_error_) {
      LogWarning("the device plugin can't be told of this node's NICs",
                 {{"socket", socket_}, {"error", text}});
    }
    last_error_ = text;
  }
}

}  // namespace fairlead::linkprobe
