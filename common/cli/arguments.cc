#include "common/cli/arguments.h"

#include <getopt.h>

#include <charconv>

namespace fairlead {

OptionRules operator+(OptionRules a, const OptionRules& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string Arguments::Get(const std::string& name, const std::string& absent) const {
  const auto found = options.find(name);
  return found == options.end() ? absent : found->second;
}

Result<Arguments> ReadArguments(int argc, char** argv, const OptionRules& rules) {
  std::vector<option> known;
  for (const OptionRule& rule : rules) {
    known.push_back({rule.name, rule.has_value ? required_argument : no_argument, nullptr, 0});
  }
  known.push_back({nullptr, 0, nullptr, 0});
  Arguments found;
  opterr = 0;
  optind = 1;
  while (true) {
    int index = 0;
    const int code = ::getopt_long(argc, argv, ":", known.data(), &index);
    if (code == -1) break;
    const std::string shown = argv[optind - 1];
    if (code == ':') return Fail(ErrorCode::kInvalidArgument, shown + " needs a value");
    if (code != 0) {
      return Fail(ErrorCode::kInvalidArgument, "option " + shown + " is not known here");
    }
    found.options[known[static_cast<std::size_t>(index)].name] = optarg != nullptr ? optarg : "";
  }
  for (int i = optind; i < argc; ++i) found.operands.emplace_back(argv[i]);
  return found;
}

Result<std::uint64_t> NumberArgument(const Arguments& from, const std::string& name,
                                     std::uint64_t absent, std::uint64_t least,
                                     std::uint64_t most) {
  if (!from.Has(name)) return absent;
  const std::string text = from.Get(name);
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return Fail(ErrorCode::kInvalidArgument,
                "--" + name + " " + text + " is not a whole number in " + std::to_string(least) +
                    ".." + std::to_string(most));
  }
  return value;
}

Result<LogLevel> LogLevelArgument(const Arguments& from) {
  const std::map<std::string, LogLevel> levels{{"debug", LogLevel::kDebug},
                                               {"info", LogLevel::kInfo},
                                               {"warning", LogLevel::kWarning},
                                               {"error", LogLevel::kError}};
  const std::string text = from.Get("log-level", "info");
  const auto level = levels.find(text);
  if (level != levels.end()) return level->second;
  return Fail(ErrorCode::kInvalidArgument,
              "--log-level " + text + " is not one of debug, info, warning, error");
}

}  // namespace fairlead
