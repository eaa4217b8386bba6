// How writing Links to the API server goes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/kube/api_error.h"

namespace fairlead::extender {

// Counters never fall.
struct LinkPublishStatus {
  std::uint64_t written = 0;
  std::uint64_t removed = 0;
  std::array<std::uint64_t, kube::kApiFailures> failures{};  // by ApiFailure; lists too
  bool defined = false;     // whether the API server knows the kind; false while it does not lead
  std::size_t objects = 0;  // Links there, as far as this replica knows; 0 while it does not lead
  std::string trouble;      // what fails now, with the remedy; empty where nothing does
};

}  // namespace fairlead::extender
