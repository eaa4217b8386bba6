// Resource lists in JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/json/json_cursor.h"
#include "extender/cluster/quantity.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender::json {

using namespace fairlead::json;

// Of one resource: a string or a number. What is no quantity is an error, null is none.
inline error_code ReadAmount(od::value& value, std::int64_t scale, std::int64_t& amount) {
  std::string_view text = value.raw_json_token();
  if (text[0] == 'n') return simdjson::SUCCESS;
  if (text[0] == '"') {
    if (const error_code error = ReadText(value, text)) return error;
  } else {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  }
  const auto parsed = ParseAmount(text, scale);
  if (!parsed) return simdjson::NUMBER_ERROR;
  amount = *parsed;
  return simdjson::SUCCESS;
}

// `{"cpu": "4", "rdma/hca": "8", ...}`. The number of pods, which nodes have, goes to `pods`.
inline error_code ReadAmounts(od::value& list, std::size_t limit, Amounts& amounts,
                              std::int64_t& pods) {
  return ForEachField(list, limit, [&](std::string_view name, od::value value) {
    if (name == "cpu") return ReadAmount(value, 1000, amounts.milli_cpu);
    if (name == "memory") return ReadAmount(value, 1, amounts.memory_bytes);
    if (name == "ephemeral-storage") {
      return ReadAmount(value, 1, amounts.ephemeral_storage_bytes);
    }
    if (name == "pods") return ReadAmount(value, 1, pods);
    std::int64_t amount = 0;
    if (const error_code error = ReadAmount(value, 1, amount)) return error;
    if (amount > 0) amounts.extended[std::string(name)] = amount;
    return simdjson::SUCCESS;
  });
}

}  // namespace fairlead::extender::json
