// What a check says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fairlead::deviceplugin {

// The worse the later.
enum class CheckStatus {
  kNotApplicable,  // nothing here that the check is about
  kOk,
  kUnknown,  // something could not be read, and what could is fine
  kNote,     // worth knowing
  kWarning,  // costs bandwidth or time
  kFault,    // keeps traffic from passing, or will
};

// Stable words: "not_applicable", "ok", "unknown", "note", "warning", "fault".
std::string_view CheckStatusName(CheckStatus status);

// One thing that somebody should know. Every text is one or more whole sentences, but for the
// subject and the remedy, which begins with what to do and may hold commands in backquotes.
struct Finding {
  CheckStatus severity = CheckStatus::kNote;
  std::string subject;   // "mlx5_0 port 1 (ens1f0np0)"; empty: the host
  std::string what;      // the matter
  std::string evidence;  // the values that were read, with their names
  std::string why;       // what it costs here, on this node's lines where they are known
  std::string remedy;
};

// Something that could not be looked at.
struct Gap {
  std::string subject;
  std::string why;
};

struct CheckReport {
  std::string_view name;
  CheckStatus status = CheckStatus::kNotApplicable;
  std::vector<Finding> findings;  // the worst first
  std::vector<Gap> gaps;
};

// Where a check puts what it finds. Used by one thread.
class Findings {
 public:
  explicit Findings(std::string_view check) { report_.name = check; }

  void Add(Finding finding);
  void NotKnown(std::string subject, std::string why);
  // Something was looked at and is as it should be.
  void Fine() { Raise(CheckStatus::kOk); }

  CheckReport Take();

 private:
  void Raise(CheckStatus status);

  CheckReport report_;
};

}  // namespace fairlead::deviceplugin
