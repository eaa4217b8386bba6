// What holds for the configuration of either scheduler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "extender/scheduler_config/endpoint.h"
#include "extender/scheduler_config/finding.h"
#include "extender/scheduler_config/settings.h"

namespace fairlead::extender {

inline constexpr std::string_view kHcaResource = "rdma/hca";

// Null where the key is not there.
const Scalar* FindScalar(const Scalars& values, std::string_view key);
// "key: value", the value shown safely.
std::string Shown(std::string_view key, const Scalar& value);
// YAML's words for yes and no as Go reads them; nothing for another text.
std::optional<bool> ReadFlag(const Scalar& value);
std::optional<std::int64_t> ReadInteger(const Scalar& value);

// Adds findings about one scheduler.
class Judge {
 public:
  explicit Judge(const Surroundings& around) : around_(around) {}

  void Add(Severity severity, int line, std::string what, std::string why, std::string remedy);
  // A urlPrefix that does not lead to `path` of this extender, goes through a proxy, or crosses the
  // network in plain text.
  void Url(std::string_view key, const Scalar& url, std::string_view path);
  // A timeout that is not there (where `absent` seconds count), cannot be read, or does not suit.
  void Timeout(std::string_view key, int line, const Scalar* value, int absent_seconds);
  // An `ignorable` that is not true, with what then happens when the extender is away.
  void Ignorable(std::string_view key, int line, const Scalar* value, std::string_view consequence);

  const Surroundings& around() const { return around_; }
  // Sorted by line.
  Findings Take();

 private:
  void Proxy(std::string_view key, const Scalar& url, const Endpoint& endpoint);

  const Surroundings& around_;
  Findings findings_;
};

}  // namespace fairlead::extender
