#include "common/kube/list_splitter.h"

#include <utility>

namespace fairlead::kube {
namespace {

// Keys of a list are short words; its metadata holds a version and a token.
constexpr std::size_t kMostKeyBytes = 64;
constexpr std::size_t kMostMetadataBytes = 64U << 10;

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

ListSplitter::ListSplitter(std::size_t most_item_bytes, OnItem on_item)
    : on_item_(std::move(on_item)),
      key_(kMostKeyBytes),
      item_(most_item_bytes),
      metadata_(kMostMetadataBytes) {}

Status ListSplitter::Take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (inside_ != Inside::kNone) {
      TakeInside(bytes);
    } else if (Status status = TakeBetween(bytes); !status) {
      return status;
    }
  }
  return {};
}

Result<std::string_view> ListSplitter::Finish() {
  if (expect_ == Expect::kBroken) return Fail(ErrorCode::kInvalidArgument, why_);
  if (expect_ != Expect::kNothing) return Refuse("the list ends before its JSON does");
  if (!metadata_.whole()) return Refuse("the list's metadata is longer than 64 KiB");
  return metadata_.Padded();
}

tl::unexpected<Error> ListSplitter::Refuse(std::string_view why) {
  expect_ = Expect::kBroken;
  why_ = why;
  return Fail(ErrorCode::kInvalidArgument, why_);
}

void ListSplitter::TakeInside(std::string_view& bytes) {
  const std::size_t taken = scanner_.Take(bytes);
  const std::string_view part = bytes.substr(0, taken);
  bytes.remove_prefix(taken);
  if (inside_ == Inside::kKey) key_.Append(part);
  if (inside_ == Inside::kMetadata) metadata_.Append(part);
  if (inside_ == Inside::kItem) item_.Append(part);
  if (!scanner_.done()) return;
  expect_ = inside_ == Inside::kKey    ? Expect::kColon
            : inside_ == Inside::kItem ? Expect::kItem
                                       : Expect::kKey;
  if (std::exchange(inside_, Inside::kNone) == Inside::kItem) {
    on_item_(item_.Padded(), item_.whole());
  }
}

Status ListSplitter::TakeBetween(std::string_view& bytes) {
  const char c = bytes.front();
  if (expect_ == Expect::kBroken) return Fail(ErrorCode::kInvalidArgument, why_);
  if (!IsSpace(c)) {
    switch (expect_) {
      case Expect::kBegin:
        if (c != '{') return Refuse("the answer is no JSON object");
        expect_ = Expect::kKey;
        break;
      case Expect::kKey:
        if (c == '"') {
          key_.Clear();
          inside_ = Inside::kKey;
          return {};
        }
        if (c == '}') {
          if (!has_items_) return Refuse("the answer is no list: it has no items");
          expect_ = Expect::kNothing;
        } else if (c != ',') {
          return Refuse("a key of the list is no string");
        }
        break;
      case Expect::kColon:
        if (c != ':') return Refuse("a key of the list has no value");
        expect_ = Expect::kValue;
        break;
      case Expect::kValue:
        return BeginValue(bytes);
      case Expect::kItem:
        if (c == '}' || c == ':') return Refuse("the array of items does not end");
        if (c == ']') {
          expect_ = Expect::kKey;
        } else if (c != ',') {
          item_.Clear();
          inside_ = Inside::kItem;
          return {};
        }
        break;
      case Expect::kNothing:
        return Refuse("the list has ended, but more follows it");
      case Expect::kBroken:
        break;
    }
  }
  bytes.remove_prefix(1);
  return {};
}

Status ListSplitter::BeginValue(std::string_view& bytes) {
  const char c = bytes.front();
  if (c == '}' || c == ']' || c == ',' || c == ':') return Refuse("a key of the list has no value");
  const std::string_view key = key_.Padded();
  inside_ = Inside::kOther;
  if (key == "\"items\"") {
    if (has_items_) return Refuse("the list has items twice");
    has_items_ = true;
    if (c == '[') {
      bytes.remove_prefix(1);
      inside_ = Inside::kNone;
      expect_ = Expect::kItem;
    } else if (c != 'n') {
      return Refuse("the items of the list are no array");
    }
  } else if (key == "\"metadata\"") {
    metadata_.Clear();
    inside_ = Inside::kMetadata;
  }
  return {};
}

}  // namespace fairlead::kube
