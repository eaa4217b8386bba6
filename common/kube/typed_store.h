// An ObjectStore for an owner that wants values of one type.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/kube/object_store.h"

namespace fairlead::kube {

// Decodes each object into a T and hands that on. Used by the reflector's thread; so are the
// functions.
template <class T>
class TypedStore final : public ObjectStore {
 public:
  struct Owner {
    // Only what is needed of the object; an Error says which field is wrong.
    std::function<Result<T>(const ObjectId&, std::string_view json)> decode;
    std::function<void(std::vector<T>)> replace;
    std::function<void(T)> upsert;
    std::function<void(const ObjectId&)> remove;
    std::function<void()> settle;  // may be empty
  };

  explicit TypedStore(Owner owner) : owner_(std::move(owner)) {}

  void BeginList() override { listed_ = {}; }
  Status AddToList(const ObjectId& id, std::string_view json) override {
    Result<T> value = owner_.decode(id, json);
    if (!value) return Fail(std::move(value.error()));
    listed_.push_back(*std::move(value));
    return {};
  }
  void CommitList() override { owner_.replace(std::exchange(listed_, {})); }
  Status Upsert(const ObjectId& id, std::string_view json) override {
    Result<T> value = owner_.decode(id, json);
    if (!value) return Fail(std::move(value.error()));
    owner_.upsert(*std::move(value));
    return {};
  }
  void Remove(const ObjectId& id) override { owner_.remove(id); }
  void Settle() override {
    if (owner_.settle) owner_.settle();
  }

 private:
  const Owner owner_;
  std::vector<T> listed_;
};

}  // namespace fairlead::kube
