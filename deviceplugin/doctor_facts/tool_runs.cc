#include "deviceplugin/doctor_facts/tool_runs.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <optional>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "common/units/duration.h"

extern char** environ;

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;
using Output = Known<std::string>;

struct Tool {
  pid_t process = -1;  // and its process group
  FileDescriptor out;  // empty: it has said all
  std::string text;
  std::string failure;  // why there is no output
};

// A new process group, so that all that it starts can be killed with it.
int Spawn(const ToolCall& call, int out, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& argument : call) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const int error =
      posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

Tool Begin(const ToolCall& call) {
  Tool tool;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    tool.failure = ErrnoText(errno);
    return tool;
  }
  tool.out = FileDescriptor(ends[0]);
  const FileDescriptor theirs(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  if (const int error = Spawn(call, ends[1], tool.process); error != 0) {
    tool.process = -1;
    tool.out = FileDescriptor();
    tool.failure =
        error == ENOENT ? call[0] + " is not installed" : call[0] + ": " + ErrnoText(error);
  }
  return tool;
}

void Drain(Tool& tool, const std::string& name) {
  std::array<char, 16384> buffer;
  while (true) {
    const ssize_t got = read(tool.out.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got > 0) {
      tool.text.append(buffer.data(), static_cast<std::size_t>(got));
      if (tool.text.size() <= kMostBytes) continue;
      tool.failure = name + " prints more than a MiB";
    } else if (got < 0) {
      tool.failure = name + ": " + ErrnoText(errno);
    }
    tool.out = FileDescriptor();
    return;
  }
}

// Until all have said what they had to say, or `deadline`.
void ReadAll(std::vector<Tool>& tools, std::span<const ToolCall> calls, MonotonicTime deadline) {
  const SystemClock clock;
  while (true) {
    std::vector<pollfd> waiting;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < tools.size(); ++i) {
      if (!tools[i].out) continue;
      waiting.push_back({tools[i].out.get(), POLLIN, 0});
      whose.push_back(i);
    }
    const Nanoseconds left = deadline - clock.Now();
    if (waiting.empty() || left <= Nanoseconds(0)) return;
    const auto milliseconds = std::chrono::ceil<Milliseconds>(left).count();
    if (poll(waiting.data(), waiting.size(), static_cast<int>(milliseconds)) < 0 &&
        errno != EINTR) {
      return;
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents != 0) Drain(tools[whose[i]], calls[whose[i]][0]);
    }
  }
}

// Its exit status; nothing where it has not ended after a tenth of a second.
std::optional<int> Reap(pid_t process) {
  for (int i = 0; i < 20; ++i) {
    int status = 0;
    const pid_t got = waitpid(process, &status, WNOHANG);
    if (got == process) return status;
    if (got < 0 && errno != EINTR) return 0;
    const timespec pause{0, 5'000'000};
    nanosleep(&pause, nullptr);
  }
  return std::nullopt;
}

Output Finish(Tool& tool, const std::string& name, Nanoseconds patience) {
  if (tool.process < 0) return Output::Not(tool.failure);
  const bool late = static_cast<bool>(tool.out);
  if (late || !tool.failure.empty()) kill(-tool.process, SIGKILL);
  auto status = Reap(tool.process);
  if (!status) {
    kill(-tool.process, SIGKILL);
    Reap(tool.process);
  }
  if (!tool.failure.empty()) return Output::Not(tool.failure);
  if (late || !status) {
    return Output::Not(name + " had not ended after " + HumanDuration(patience));
  }
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return Output::Not(name + " failed");
  return std::move(tool.text);
}

}  // namespace

std::vector<Output> RunTools(std::span<const ToolCall> calls, Nanoseconds patience) {
  const SystemClock clock;
  const MonotonicTime deadline = clock.Now() + patience;
  std::vector<Tool> tools;
  for (const ToolCall& call : calls) tools.push_back(Begin(call));
  ReadAll(tools, calls, deadline);
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    outputs.push_back(Finish(tools[i], calls[i][0], patience));
  }
  return outputs;
}

}  // namespace fairlead::deviceplugin
