#include "linkprobe/saturate/spent_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "common/base/file.h"
#include "common/units/rate.h"
#include "linkprobe/bandwidth/daily_ledger.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kLargestLedger = 1024 * 1024;

Result<DailyLedger> Read(const std::string& path) {
  const auto text = ReadFile(path, kLargestLedger);
  if (!text && text.error().code == ErrorCode::kNotFound) return DailyLedger();
  if (!text) return Fail(text.error());
  auto ledger = DailyLedger::Parse(*text);
  if (!ledger) {
    return Fail(ErrorCode::kInvalidArgument, path + ": " + ledger.error().message +
                                                 "; put it right, or remove the file to forget "
                                                 "what was sent today");
  }
  return ledger;
}

// A disk or a host without room is no quota that is spent.
tl::unexpected<Error> NotOfBytes(const Error& error) {
  const bool room = error.code == ErrorCode::kResourceExhausted;
  return Fail(room ? ErrorCode::kUnavailable : error.code,
              "what a test may send is kept before it is sent: " + error.message);
}

}  // namespace

Result<SpentFile> SpentFile::Open(const std::string& path, SpentFileNames names) {
  const std::string remedy = "; name another file by " + names.file;
  if (path.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "neither XDG_STATE_HOME nor HOME says where to keep what was sent" + remedy);
  }
  std::error_code code;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, code);
  if (code) {
    return Fail(ErrorCode::kPermissionDenied,
                "make folder " + folder.string() + ": " + code.message() + remedy);
  }
  // A file of its own, since the ledger is replaced at each change.
  const std::string lock_path = path + ".lock";
  FileDescriptor lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock) {
    return Fail(ErrorCode::kPermissionDenied,
                "open " + lock_path + ": " + std::strerror(errno) + remedy);
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return Fail(ErrorCode::kResourceExhausted,
                "another bandwidth test runs on this node (it holds " + lock_path + ")");
  }
  if (const auto ledger = Read(path); !ledger) return Fail(ledger.error());
  return SpentFile(path, std::move(names), std::move(lock));
}

Result<std::uint64_t> SpentFile::Reserve(const std::string& line, std::uint64_t wanted,
                                         std::uint64_t limit, WallTime now) {
  auto ledger = Read(path_);
  if (!ledger) return NotOfBytes(ledger.error());
  const std::uint64_t reserved = ledger->Reserve(line, DayOf(now), wanted, limit);
  if (reserved == 0) {
    return Fail(ErrorCode::kResourceExhausted,
                "today's " + FormatBytes(limit) + " for line " + line +
                    " are spent; the next day begins at 0:00 UTC, or raise " + names_.limit);
  }
  if (auto written = ReplaceFile(path_, ledger->Format()); !written) {
    return NotOfBytes(written.error());
  }
  return reserved;
}

Result<DailyLedger> SpentFile::Ledger() const { return Read(path_); }

Status SpentFile::Return(const std::string& line, std::uint64_t unused, WallTime reserved_at) {
  auto ledger = Read(path_);
  if (!ledger) return Fail(ledger.error());
  ledger->Return(line, DayOf(reserved_at), unused);
  return ReplaceFile(path_, ledger->Format());
}

std::string DefaultSpentFile() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && *state != '\0') return std::string(state) + "/fairlead/bandwidth-spent";
  if (home != nullptr && *home != '\0') {
    return std::string(home) + "/.local/state/fairlead/bandwidth-spent";
  }
  return {};
}

}  // namespace fairlead::linkprobe
