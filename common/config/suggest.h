// What a mistyped word was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fairlead {

// "; did you mean X?" for the known word nearest to `word` (case, - and _ do not count, and at most
// a third of it may differ), else "; known: ..." with all of them.
std::string Suggest(std::string_view word, std::span<const std::string_view> known);

}  // namespace fairlead
