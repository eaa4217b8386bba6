// Which object of a resource.
#pragma once

#include <string>

namespace fairlead::kube {

// Of its metadata. An object made anew under the same name has another uid.
struct ObjectId {
  std::string namespace_name;  // empty for what belongs to no namespace
  std::string name;
  std::string uid;

  bool operator==(const ObjectId&) const = default;
  // "namespace/name", or the name alone.
  std::string Text() const { return namespace_name.empty() ? name : namespace_name + "/" + name; }
};

}  // namespace fairlead::kube
