// Words of which a key takes one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/quote.h"
#include "common/base/result.h"
#include "common/config/suggest.h"

namespace fairlead {

// A parser of one of `words` for SectionReader::Value; `what` names the key in the complaint.
template <class T>
auto OneOf(std::string_view what, std::vector<std::pair<std::string_view, T>> words) {
  return [what, words = std::move(words)](std::string_view text) -> Result<T> {
    std::vector<std::string_view> known;
    for (const auto& [word, value] : words) {
      if (word == text) return value;
      known.push_back(word);
    }
    return Fail(ErrorCode::kInvalidArgument,
                std::string(what) + " " + Quoted(text) + " is unknown" + Suggest(text, known));
  };
}

}  // namespace fairlead
