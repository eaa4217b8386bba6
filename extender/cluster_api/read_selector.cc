#include "extender/cluster_api/read_selector.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace fairlead::extender::json {

using namespace fairlead::json;

namespace {

constexpr std::array<std::pair<std::string_view, SelectorOperator>, 6> kOperators{
    {{"In", SelectorOperator::kIn},
     {"NotIn", SelectorOperator::kNotIn},
     {"Exists", SelectorOperator::kExists},
     {"DoesNotExist", SelectorOperator::kDoesNotExist},
     {"Gt", SelectorOperator::kGreater},
     {"Lt", SelectorOperator::kLess}}};

// As the API documents LabelSelectorRequirement.
bool Holds(const SelectorExpression& expression, const StringMap& labels) {
  const auto label = labels.find(expression.key);
  const bool there = label != labels.end();
  const bool listed =
      there && std::ranges::find(expression.values, label->second) != expression.values.end();
  switch (expression.op) {
    case SelectorOperator::kIn:
      return listed;
    case SelectorOperator::kNotIn:
      return !listed;
    case SelectorOperator::kExists:
      return there;
    case SelectorOperator::kDoesNotExist:
      return !there;
    case SelectorOperator::kGreater:
    case SelectorOperator::kLess:
      return false;
  }
  return false;
}

}  // namespace

error_code ReadExpressions(od::value& list, std::size_t limit,
                           std::vector<SelectorExpression>& expressions) {
  return ForEachElement(list, [&](od::value& item) {
    SelectorExpression expression;
    std::string_view op;
    const error_code error = ForEachField(item, limit, [&](auto key, od::value value) {
      if (key == "key") return ReadText(value, expression.key);
      if (key == "operator") return ReadText(value, op);
      if (key != "values") return simdjson::SUCCESS;
      return ForEachElement(
          value, [&](od::value& text) { return ReadText(text, expression.values.emplace_back()); });
    });
    if (error) return error;
    const auto known =
        std::ranges::find_if(kOperators, [&](const auto& o) { return o.first == op; });
    if (known != kOperators.end()) {
      expression.op = known->second;
    } else {
      expression.values.clear();  // In nothing
    }
    expressions.push_back(std::move(expression));
    return simdjson::SUCCESS;
  });
}

error_code ReadSelects(od::value& selector, std::size_t limit, const StringMap& labels,
                       bool& selects) {
  selects = Kind(selector) != 'n';
  return ForEachField(selector, limit, [&](auto key, od::value value) {
    if (key == "matchLabels") {
      return ForEachField(value, limit, [&](auto label, od::value text) {
        std::string wanted;
        const error_code error = ReadText(text, wanted);
        const auto found = labels.find(label);
        selects &= found != labels.end() && found->second == wanted;
        return error;
      });
    }
    if (key != "matchExpressions") return simdjson::SUCCESS;
    std::vector<SelectorExpression> expressions;
    const error_code error = ReadExpressions(value, limit, expressions);
    for (const SelectorExpression& expression : expressions) selects &= Holds(expression, labels);
    return error;
  });
}

}  // namespace fairlead::extender::json
