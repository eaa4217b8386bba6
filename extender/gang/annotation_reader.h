// Reads a pod's fairlead.dev annotations, with what is wrong about each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/names.h"
#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

// Single-threaded; pod and errors must outlive it.
class AnnotationReader {
 public:
  // `what_then`: what becomes of one that cannot be read, "is ignored".
  AnnotationReader(const PodFacts& pod, std::string_view what_then,
                   std::vector<std::string>& errors)
      : pod_(pod), what_then_(what_then), errors_(errors) {}

  // Calls `take` with the value of fairlead.dev/`word` when it is there and `parse`, which returns
  // a Result, accepts it; else adds a sentence with name, value and remedy to the errors.
  template <class Parse, class Take>
  void Read(std::string_view word, Parse parse, Take take) {
    const std::string name = AnnotationName(word);
    const auto found = pod_.annotations.find(name);
    if (found == pod_.annotations.end()) return;
    const auto value = parse(std::string_view(found->second));
    if (value) {
      take(*value);
    } else {
      errors_.push_back("annotation " + name + " " + what_then_ + ": " + value.error().message);
    }
  }

 private:
  const PodFacts& pod_;
  const std::string what_then_;
  std::vector<std::string>& errors_;
};

}  // namespace fairlead::extender
