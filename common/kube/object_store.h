// Who keeps the objects that a reflector follows.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "common/kube/object_id.h"

namespace fairlead::kube {

// Called on the reflector's thread only. A failed Status says what is wrong with the object: it is
// counted and named in the reflector's status, and the others go on. `json` is valid during the
// call and has kJsonPadding readable bytes behind it.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  // A list begins; what an earlier one added and has not been committed is void.
  virtual void BeginList() = 0;
  virtual Status AddToList(const ObjectId& id, std::string_view json) = 0;
  // What was added since BeginList replaces all objects. What is not among it is gone.
  virtual void CommitList() = 0;

  // One object is new or has changed. Where that fails, the version known before stays.
  virtual Status Upsert(const ObjectId& id, std::string_view json) = 0;
  // It is gone. An object that was never known may go, too.
  virtual void Remove(const ObjectId& id) = 0;

  // All that came together has been handed over; the moment to publish a snapshot of it.
  virtual void Settle() {}
};

}  // namespace fairlead::kube
