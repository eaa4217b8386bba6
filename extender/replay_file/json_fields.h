// Members of a JSON object, read one by one, with the first that is wrong.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead::extender {

// Null, or not there, is absent. What is of another type is absent, too, and is the fault, if there
// was none before. Single-threaded; object and fault outlive it.
class JsonFields {
 public:
  // `path` is what a fault calls the object, "links[2].forward."; empty for a document.
  JsonFields(const nlohmann::json& object, std::string path, std::string& fault)
      : object_(object), path_(std::move(path)), fault_(fault) {}

  std::optional<double> Number(const char* name) const;
  std::optional<Nanoseconds> Span(const char* name) const;  // of seconds
  std::optional<std::string> Text(const char* name) const;
  bool Flag(const char* name) const;  // false where absent
  // The object of that name; one without members where absent.
  JsonFields Object(const char* name) const;
  // Null where absent.
  const nlohmann::json* Array(const char* name) const;
  bool Has(const char* name) const;

  // Notes that this member is wrong.
  void Complain(const char* name, const std::string& what) const;
  // Notes a fault where the value is absent.
  template <class T>
  T Needed(const char* name, std::optional<T> value) const {
    if (!value) Complain(name, "is missing");
    return value.value_or(T{});
  }

 private:
  const nlohmann::json* Find(const char* name) const;

  const nlohmann::json& object_;
  std::string path_;
  std::string& fault_;
};

}  // namespace fairlead::extender
