// What kinds of owners look like to the API server.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

struct OwnerShape {
  enum class Suspend { kNone, kSpec, kRunPolicy };

  std::string_view api_group;
  std::string_view kind;
  std::string_view version;  // the one asked for where no object tells another
  Suspend suspend = Suspend::kNone;
  std::array<std::string_view, 2> ends{};  // conditions: it is complete, it has failed
  std::string_view pods_label{};           // its pods have it, with its name or uid
  bool labelled_by_uid = false;
  std::string_view jobs_label{};     // Jobs between it and its pods have it, with its name
  std::string_view replica_specs{};  // the field of spec with the members by role
};

// Every kind that has a lever.
std::span<const OwnerShape> AllOwnerShapes();
// Null where the kind has none.
const OwnerShape* ShapeOf(const OwnerFacts& owner);

// "PyTorchJob" is served as "pytorchjobs", and so are all kinds here.
std::string PluralOf(std::string_view kind);
// "Job \"train\"", for people.
std::string Named(const OwnerFacts& owner);

}  // namespace fairlead::extender
