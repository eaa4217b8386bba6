#include "common/base/quote.h"
#include "deviceplugin/doctor/knob.h"
#include "deviceplugin/doctor/wrapped_text.h"
#include "deviceplugin/doctor_cli/explain_view.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kIndent = 4;

std::string All() {
  std::string text;
  for (const Knob& knob : AllKnobs()) {
    const std::string title = std::string(knob.name) + " (" + std::string(KnobKindText(knob.kind));
    text += Wrapped("", 0, title + ")") + Wrapped("", kIndent, knob.what);
  }
  return text;
}

}  // namespace

Result<std::string> ExplainAsText(const std::string& name) {
  if (name.empty()) return All();
  const Knob* const knob = FindKnob(name);
  if (knob == nullptr) {
    std::string similar;
    for (const std::string_view other : SimilarKnobs(name)) {
      similar += (similar.empty() ? "; similar: " : ", ") + std::string(other);
    }
    return Fail(ErrorCode::kNotFound, "nothing is known here of " + Quoted(name) + similar);
  }
  return std::string(knob->name) + ": " + std::string(KnobKindText(knob->kind)) + "\n" +
         Wrapped("", kIndent, knob->what) + Wrapped("  do", kIndent + 2, knob->does);
}

}  // namespace fairlead::deviceplugin
