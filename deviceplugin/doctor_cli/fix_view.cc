#include "deviceplugin/doctor_cli/fix_view.h"

#include "deviceplugin/doctor/wrapped_text.h"

namespace fairlead::deviceplugin {

std::string PlanAsText(const FixPlan& plan, const std::vector<std::string>& values_now) {
  std::string text = "Would write:\n";
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    text += "  " + plan.steps[i].path + "\n      now  " + values_now[i] + "\n      then " +
            plan.steps[i].value + "\n";
  }
  return text + Wrapped("", 0, plan.caution) +
         "Nothing was changed; --yes does it, until the next reboot.\n";
}

std::string AppliedAsText(const std::vector<OldValue>& values, const std::string& check,
                          const std::string& undo_file) {
  std::string text = "Wrote:\n";
  for (const OldValue& value : values) {
    text += "  " + value.path + "\n      was  " + value.old_value + "\n      now  " +
            value.new_value + "\n";
  }
  return text + "The old values are kept in " + undo_file +
         "; `fairlead-deviceplugin doctor fix --check " + check + " --undo` takes them back.\n";
}

std::string UndoneAsText(const Undone& undone) {
  std::string text;
  for (const OldValue& value : undone.restored) {
    text += "  " + value.path + " is " + value.old_value + " again\n";
  }
  for (const OldValue& value : undone.left) {
    text += "  " + value.path + " is left: it no longer holds " + value.new_value +
            ", so somebody has changed it since; it was " + value.old_value + "\n";
  }
  return text.empty() ? "All is as it was.\n" : "Taken back:\n" + text;
}

}  // namespace fairlead::deviceplugin
