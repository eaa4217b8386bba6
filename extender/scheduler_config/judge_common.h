// What holds for the configuration of either scheduler.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "extender/scheduler_config/endpoint.h"
#include "extender/scheduler_config/finding.h"
#include "extender/scheduler_config/settings.h"

namespace fairlead::extender {

inline constexpr std::string_view kHcaResource = "rdma/hca";

// Null where the key is not there.
const Scalar* FindScalar(const Scalars& values, std::string_view key);
// "key: value", the value shown safely; "key is a list" where it is one.
std::string Shown(std::string_view key, const Scalar& value);

// Adds findings about one scheduler.
class Judge {
 public:
  explicit Judge(const Surroundings& around) : around_(around) {}

  // Passed over where `Refuse` had the same to say of the line.
  void Add(Severity severity, int line, std::string what, std::string why, std::string remedy);
  // An error that stops the scheduler at its start, after which no other is worth a word.
  void Refuse(int line, std::string what, std::string why, std::string remedy);
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
  std::set<std::pair<int, std::string>> refused_;
};

}  // namespace fairlead::extender
