// Settings that guides name, and what there is to them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::deviceplugin {

enum class KnobKind {
  kReal,     // there is such a setting, and it does what it is said to do
  kPartly,   // there is one, and it does something else, or not for everyone
  kNotReal,  // nothing has such a setting
  kClaim,    // no setting: a statement
};

// "real", "real, but", "not real", "a claim".
std::string_view KnobKindText(KnobKind kind);

struct Knob {
  std::string_view name;   // as guides write it
  std::string_view other;  // other spellings, separated by blanks
  KnobKind kind = KnobKind::kReal;
  std::string_view what;  // what it is, or is not
  std::string_view does;  // what does the job, or how to set it
};

// All, by family. The facts are those of the kernel's, rdma-core's, NCCL's (2.30), PyTorch's,
// mstflint's (4.36) and iproute2's sources and manuals.
std::span<const Knob> AllKnobs();

// The one with this name, without regard to case, blanks, '-' and '_', whether alone or as the last
// part of a path or of an assignment; null where there is none.
const Knob* FindKnob(std::string_view name);

// Up to five with a similar name.
std::vector<std::string_view> SimilarKnobs(std::string_view name);

}  // namespace fairlead::deviceplugin
