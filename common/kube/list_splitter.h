// A list as the API server answers it, cut into its items while its bytes come.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/json_extent_scanner.h"
#include "common/kube/kept_text.h"

namespace fairlead::kube {

// Memory is that of the largest item, however long the list is. Not thread-safe.
class ListSplitter {
 public:
  // Called for each item with its JSON, kJsonPadding readable bytes behind it. An item of more
  // than `most_item_bytes` comes cut off, with `whole` false.
  using OnItem = std::function<void(std::string_view json, bool whole)>;

  ListSplitter(std::size_t most_item_bytes, OnItem on_item);

  // The next bytes of the body. kInvalidArgument where they are no JSON object with an array of
  // items; whatever comes after that is refused too.
  Status Take(std::string_view bytes);
  // After the last byte: fails where the object is not complete. Else the JSON of its `metadata`,
  // empty where it has none, padded as an item and valid until the next call.
  Result<std::string_view> Finish();

 private:
  // What comes next outside of values, and which value is being read.
  enum class Expect { kBegin, kKey, kColon, kValue, kItem, kNothing, kBroken };
  enum class Inside { kNone, kKey, kMetadata, kOther, kItem };

  tl::unexpected<Error> Refuse(std::string_view why);
  void TakeInside(std::string_view& bytes);
  Status TakeBetween(std::string_view& bytes);
  Status BeginValue(std::string_view& bytes);

  const OnItem on_item_;
  Expect expect_ = Expect::kBegin;
  Inside inside_ = Inside::kNone;
  JsonExtentScanner scanner_;
  std::string why_;
  KeptText key_;
  KeptText item_;
  KeptText metadata_;
  bool has_items_ = false;
};

}  // namespace fairlead::kube
