// A value that may not be known.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace fairlead::deviceplugin {

// A value, or in a few words why there is none: "needs root", "no DCB in the driver". What is not
// known is neither good nor bad.
template <class T>
class Known {
 public:
  Known() = default;
  Known(T value) : value_(std::move(value)) {}
  static Known Not(std::string why) {
    Known none;
    none.why_not_ = std::move(why);
    return none;
  }

  explicit operator bool() const { return value_.has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }
  // Only where there is no value.
  const std::string& why_not() const { return why_not_; }

 private:
  std::optional<T> value_;
  std::string why_not_ = "not read";
};

}  // namespace fairlead::deviceplugin
