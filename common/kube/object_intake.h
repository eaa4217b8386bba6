// Hands the objects of lists and watches to their store, and counts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/kube/object_reader.h"
#include "common/kube/object_store.h"
#include "common/kube/reflect/reflector_machine.h"
#include "common/kube/resource.h"
#include "common/kube/status_board.h"
#include "common/kube/watch_reader.h"

namespace fairlead::kube {

// Used by the reflector's thread.
class ObjectIntake final : public WatchEvents {
 public:
  ObjectIntake(const Resource& resource, ObjectReader& reader, ObjectStore& store,
               ReflectorMachine& machine, StatusBoard& board, const Clock& clock);

  void BeginList();
  // One item of a list, cut off where it is not `whole`.
  void OnItem(std::string_view json, bool whole);

  void OnObject(WatchEvent::Kind kind, std::string_view object) override;
  void OnBookmark(const std::string& resource_version) override;
  void OnUnknown() override;

 private:
  void PassOver(const std::string& which, const std::string& why);

  const Resource& resource_;
  ObjectReader& reader_;
  ObjectStore& store_;
  ReflectorMachine& machine_;
  StatusBoard& board_;
  const Clock& clock_;
  std::size_t items_ = 0;  // of the list under way
};

}  // namespace fairlead::kube
