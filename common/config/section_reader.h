// Strict reading of one mapping of the configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/config/document.h"
#include "common/config/problems.h"

namespace fairlead {

// Each call names one key that the section knows, writes the value if the key is there and right,
// leaves `out` alone if it is not there, and adds to the problems if it is wrong. A number with a
// leading zero is wrong everywhere: YAML 1.1 reads 010 as eight, YAML 1.2 as ten. Not thread-safe;
// the node and the problems outlive the reader.
class SectionReader {
 public:
  // A null node is an empty section; anything but a mapping is a problem.
  SectionReader(const DocumentNode& node, std::string path, Problems& problems);

  // Any scalar, read by `parse`: Result<T>(std::string_view).
  template <class T, class Parse>
  void Value(std::string_view key, T& out, Parse parse) {
    const DocumentNode* node = Scalar(key);
    if (node == nullptr) return;
    if (auto value = parse(std::string_view(node->text))) {
      out = *std::move(value);
    } else {
      Complain(key, value.error().message);
    }
  }
  void Text(std::string_view key, std::string& out);
  void Flag(std::string_view key, bool& out);
  void Count(std::string_view key, std::uint32_t& out, std::uint32_t least, std::uint32_t most);
  void Number(std::string_view key, double& out, double least, double most);
  void Ratio(std::string_view key, double& out);
  void Duration(std::string_view key, Nanoseconds& out, Nanoseconds least, Nanoseconds most);
  void Rate(std::string_view key, std::optional<std::uint64_t>& bits_per_second);

  // The value as it stands, null if the key is not there.
  const DocumentNode* Child(std::string_view key);
  // The elements of a list; none, with a problem, for any other value.
  const std::vector<DocumentNode>& List(std::string_view key);

  // A problem if the key is not there.
  void Require(std::string_view key);
  bool Has(std::string_view key) const;
  // A problem with this key, or with the section where the key is not there.
  void Complain(std::string_view key, std::string message);
  std::string PathOf(std::string_view key) const;

  // Call last: every key that no call has named is a problem.
  void Finish();

 private:
  const DocumentNode* Find(std::string_view key) const;
  const DocumentNode* Scalar(std::string_view key);
  const DocumentNode* PlainScalar(std::string_view key, std::string_view expected);
  // The node where its number has no leading zero, else null and a problem.
  const DocumentNode* Decimal(std::string_view key, const DocumentNode* node);

  const DocumentNode& node_;
  const std::string path_;
  Problems& problems_;
  std::vector<std::string_view> known_;
};

}  // namespace fairlead
