// What the plans in force have promised, gathered by what pods need.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "extender/gang/gang_key.h"
#include "extender/gang_plan/capacity.h"
#include "extender/gang_plan/node_capacity.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// Reading it costs by the shapes of pods and their sites, however many gangs there are. Members of
// gangs whose pods need the same are one promise; where a gang's own pods keep off each other's
// nodes, those of each gang are one of their own. Single-threaded.
class PromiseBook {
 public:
  // The gang, which is not in the book, will send such pods; none as yet.
  void Add(const GangKey& gang, const PodNeeds& needs);
  // What the gang, which is in the book, will send from now on, by site.
  void Set(const GangKey& gang, SiteCounts members);
  void Erase(const GangKey& gang);

  // What all other gangs will send: by needs, then by site, none of 0 members. Pointers are valid
  // until the book is next changed.
  std::vector<PromisedMembers> Without(const GangKey& except) const;

 private:
  struct Shape {
    PodNeeds needs;
    GangKey owner;  // empty: of any gang

    auto operator<=>(const Shape&) const = default;
  };
  struct Totals {
    std::map<std::string, std::uint64_t, std::less<>> by_site;  // never 0
    std::size_t gangs = 0;
  };
  using Shapes = std::map<Shape, Totals>;
  struct Promise {
    Shapes::iterator shape;
    SiteCounts members;
  };

  static void Take(Promise& promise);

  Shapes shapes_;
  std::map<GangKey, Promise> gangs_;
};

}  // namespace fairlead::extender
