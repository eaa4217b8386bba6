// Resource lists in JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "common/json/json_cursor.h"
#include "extender/cluster/quantity.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender::json {

using namespace fairlead::json;

// Of one resource: a string or a number. Null is none. What is no quantity leaves `amount` as it is
// and is named in `unreadable`, where that is still empty: `cpu "much"`.
inline error_code ReadAmount(std::string_view name, od::value& value, std::int64_t scale,
                             std::int64_t& amount, std::string& unreadable) {
  std::string_view text = value.raw_json_token();
  if (text[0] == 'n') return simdjson::SUCCESS;
  if (text[0] == '"') {
    if (const error_code error = ReadText(value, text)) return error;
  } else {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  }
  if (const auto parsed = ParseAmount(text, scale)) {
    amount = *parsed;
  } else if (unreadable.empty()) {
    unreadable = std::string(name) + " " + Quoted(text);
  }
  return simdjson::SUCCESS;
}

// `{"cpu": "4", "rdma/hca": "8", ...}`. The number of pods, which nodes have, goes to `pods`.
inline error_code ReadAmounts(od::value& list, std::size_t limit, Amounts& amounts,
                              std::int64_t& pods, std::string& unreadable) {
  return ForEachField(list, limit, [&](std::string_view name, od::value value) {
    const auto read = [&](std::int64_t scale, std::int64_t& amount) {
      return ReadAmount(name, value, scale, amount, unreadable);
    };
    if (name == "cpu") return read(1000, amounts.milli_cpu);
    if (name == "memory") return read(1, amounts.memory_bytes);
    if (name == "ephemeral-storage") return read(1, amounts.ephemeral_storage_bytes);
    if (name == "pods") return read(1, pods);
    std::int64_t amount = 0;
    if (const error_code error = read(1, amount)) return error;
    if (amount > 0) amounts.extended[std::string(name)] = amount;
    return simdjson::SUCCESS;
  });
}

}  // namespace fairlead::extender::json
