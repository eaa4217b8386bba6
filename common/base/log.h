// Structured log lines to stderr, one JSON object each.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace fairlead {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// One named value of a log line. Strings are escaped and cut after 4 KiB; numbers stay numbers.
struct LogField {
  LogField(std::string_view k, std::string_view v) : key(k), text(v), quoted(true) {}
  LogField(std::string_view k, const std::string& v) : LogField(k, std::string_view(v)) {}
  LogField(std::string_view k, const char* v) : LogField(k, std::string_view(v)) {}
  LogField(std::string_view k, bool v) : key(k), text(v ? "true" : "false") {}
  LogField(std::string_view k, double v);  // nine digits; JSON has no number for nan and inf
  template <std::integral Integer>
  LogField(std::string_view k, Integer v) : key(k), text(std::to_string(v)) {}

  std::string_view key;
  std::string text;
  bool quoted = false;
};

// Lines below `level` are dropped from now on. Thread-safe.
void SetLogLevel(LogLevel level);

// Writes one line: time, level, message, fields. The message is lower case and without values;
// values go into fields. Thread-safe; never throws.
void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

inline void LogDebug(std::string_view m, std::initializer_list<LogField> f = {}) {
  Log(LogLevel::kDebug, m, f);
}
inline void LogInfo(std::string_view m, std::initializer_list<LogField> f = {}) {
  Log(LogLevel::kInfo, m, f);
}
inline void LogWarning(std::string_view m, std::initializer_list<LogField> f = {}) {
  Log(LogLevel::kWarning, m, f);
}
inline void LogError(std::string_view m, std::initializer_list<LogField> f = {}) {
  Log(LogLevel::kError, m, f);
}

}  // namespace fairlead
