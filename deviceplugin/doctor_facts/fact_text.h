// Reading one fact from one file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

// Why the file's fact is not known: "/proc/1/limits: permission denied (errno 13)".
std::string WhyNot(const FileError& error);

// The file's first line without white space at its ends; not known where it cannot be read or is
// no text.
Known<std::string> ReadLine(const HostFiles& files, const std::string& path);

// The same as a whole number, decimal or with 0x.
Known<std::uint64_t> ReadCount(const HostFiles& files, const std::string& path);

// A whole number, decimal or with 0x, and nothing else.
std::optional<std::uint64_t> ParseCount(std::string_view text);

// The words between white space.
std::vector<std::string_view> WordsOf(std::string_view line);

// Each line, without its end.
std::vector<std::string_view> LinesOf(std::string_view text);

// Without white space at the ends.
std::string_view Trimmed(std::string_view text);

}  // namespace fairlead::deviceplugin
