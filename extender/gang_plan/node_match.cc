#include "extender/gang_plan/node_match.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace fairlead::extender {
namespace {

constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  // Go's ParseInt takes a plus sign, from_chars does not.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

// Whether a is on the right side of b; numbers only.
bool Compares(std::string_view a, std::string_view b, bool greater) {
  const auto left = WholeNumber(a);
  const auto right = WholeNumber(b);
  if (!left || !right) return false;
  return greater ? *left > *right : *left < *right;
}

bool Holds(const SelectorExpression& expression, std::optional<std::string_view> value) {
  const auto listed = [&] { return std::ranges::find(expression.values, *value); };
  switch (expression.op) {
    case SelectorOperator::kIn:
      return value && listed() != expression.values.end();
    case SelectorOperator::kNotIn:
      if (expression.values.empty()) return false;
      return !value || listed() == expression.values.end();
    case SelectorOperator::kExists:
      return value && expression.values.empty();
    case SelectorOperator::kDoesNotExist:
      return !value && expression.values.empty();
    case SelectorOperator::kGreater:
    case SelectorOperator::kLess:
      return value && expression.values.size() == 1 &&
             Compares(*value, expression.values[0], expression.op == SelectorOperator::kGreater);
  }
  return false;
}

bool Holds(const SelectorTerm& term, const NodeCapacity& node) {
  if (term.labels.empty() && term.fields.empty()) return false;
  const auto of_label = [&](const SelectorExpression& expression) {
    return Holds(expression, node.labels.Find(expression.key));
  };
  const auto of_field = [&](const SelectorExpression& expression) {
    const bool one_of = expression.op == SelectorOperator::kIn;
    if (expression.key != "metadata.name" || expression.values.size() != 1) return false;
    return (one_of || expression.op == SelectorOperator::kNotIn) && Holds(expression, node.name);
  };
  return std::ranges::all_of(term.labels, of_label) && std::ranges::all_of(term.fields, of_field);
}

bool Tolerated(const PodNeeds& needs, const Taint& taint) {
  return std::ranges::any_of(needs.tolerations,
                             [&](const Toleration& one) { return Tolerates(one, taint); });
}

// What spec.unschedulable stands for.
bool ToleratesUnschedulable(const PodNeeds& needs) {
  return Tolerated(needs, {std::string(kUnschedulableTaint), {}, TaintEffect::kNoSchedule});
}

bool Selected(const PodNeeds& needs, const NodeCapacity& node) {
  return std::ranges::all_of(needs.node_selector, [&](const auto& wanted) {
    return node.labels.Find(wanted.first) == wanted.second;
  });
}

}  // namespace

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  const bool every_key = toleration.key.empty() && toleration.op == TolerationOperator::kExists;
  if (!every_key && toleration.key != taint.key) return false;
  switch (toleration.op) {
    case TolerationOperator::kEqual:
      return toleration.value == taint.value;
    case TolerationOperator::kExists:
      return true;
    case TolerationOperator::kLess:
    case TolerationOperator::kGreater:
      return Compares(taint.value, toleration.value, toleration.op == TolerationOperator::kGreater);
  }
  return false;
}

NodeMatch MatchNode(const PodNeeds& needs, const NodeCapacity& node) {
  if (node.site.empty()) return NodeMatch::kNoSite;
  if (!node.room_known || !needs.unreadable.empty()) return NodeMatch::kRoomUnknown;
  if (!node.ready) return NodeMatch::kNotReady;
  if (!node.schedulable && !ToleratesUnschedulable(needs)) return NodeMatch::kUnschedulable;
  for (const Taint& taint : node.taints) {
    if (taint.effect != TaintEffect::kPreferNoSchedule && !Tolerated(needs, taint)) {
      return NodeMatch::kTaint;
    }
  }
  if (!Selected(needs, node)) return NodeMatch::kSelector;
  const bool affine = !needs.node_affinity ||
                      std::ranges::any_of(*needs.node_affinity,
                                          [&](const auto& term) { return Holds(term, node); });
  if (!affine) return NodeMatch::kAffinity;
  if (needs.one_per_host && node.has_member) return NodeMatch::kHasMember;
  return NodeMatch::kMatches;
}

}  // namespace fairlead::extender
