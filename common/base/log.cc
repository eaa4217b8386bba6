#include "common/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <cstdio>
#include <memory>

namespace fairlead {
namespace {

// A peer's words must not fill the disk.
constexpr std::size_t kMostValueBytes = 4096;

void AppendEscaped(std::string& out, std::string_view text) {
  const bool cut = text.size() > kMostValueBytes;
  text = text.substr(0, kMostValueBytes);
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      // Outside ASCII a byte may not be UTF-8; a log line must stay valid JSON whatever was sent.
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", byte);
      out += buffer;
    } else {
      out += c;
    }
  }
  if (cut) out += "...";
  out += '"';
}

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>("fairlead",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                      spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *logger;
}

}  // namespace

LogField::LogField(std::string_view k, double v) : key(k), quoted(!std::isfinite(v)) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", v);
  text = buffer;
}

void SetLogLevel(LogLevel level) { Logger().set_level(ToSpdlog(level)); }

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!Logger().should_log(ToSpdlog(level))) return;
  std::string line = "\"message\":";
  AppendEscaped(line, message);
  for (const LogField& field : fields) {
    line += ',';
    AppendEscaped(line, field.key);
    line += ':';
    if (field.quoted) {
      AppendEscaped(line, field.text);
    } else {
      line += field.text;
    }
  }
  Logger().log(ToSpdlog(level), spdlog::string_view_t(line));
}

}  // namespace fairlead
