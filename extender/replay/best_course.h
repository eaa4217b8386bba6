// What one who knew the future would have done with one gang.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/clock.h"

namespace fairlead::extender {

// One gang over a recording, cut into segments in which nothing changes. Tables are by segment,
// then by place.
class PlaceCosts {
 public:
  // `first`: the place where it begins. `move_seconds`: what a move costs; absent: none is
  // possible.
  PlaceCosts(std::size_t places, std::size_t first, std::optional<double> move_seconds)
      : places_(places), first_(first), move_seconds_(move_seconds) {}

  struct Here {
    double lost = 0;         // share of the time, against the best of the places
    bool may_leave = false;  // a move may begin from here
    bool may_enter = false;  // there is room
  };
  // `here`: one a place. `taken`: the place where the gang was in truth.
  void Add(WallTime at, double seconds, const std::vector<Here>& here, std::size_t taken);

  std::size_t places() const { return places_; }
  std::size_t segments() const { return segments_.size(); }
  std::size_t first() const { return first_; }
  std::optional<double> move_seconds() const { return move_seconds_; }
  WallTime at(std::size_t segment) const { return segments_[segment].at; }
  std::size_t taken(std::size_t segment) const { return segments_[segment].taken; }
  const Here& Of(std::size_t segment, std::size_t place) const {
    return table_[segment * places_ + place];
  }
  // Seconds lost in the segment.
  double Lost(std::size_t segment, std::size_t place) const {
    return Of(segment, place).lost * segments_[segment].seconds;
  }

 private:
  struct Segment {
    WallTime at{};
    double seconds = 0;
    std::size_t taken = 0;
  };
  std::size_t places_;
  std::size_t first_;
  std::optional<double> move_seconds_;
  std::vector<Segment> segments_;
  std::vector<Here> table_;
};

struct CourseChange {
  std::size_t segment = 0;
  std::size_t to = 0;
};

struct BestCourse {
  double lost_seconds = 0;  // moves included
  std::vector<CourseChange> changes;
};

// The least that could be lost with any number of moves, each from a place that may be left to one
// that may be entered, at the beginning of a segment. Exact, by dynamic programming; of equals the
// one with fewer moves.
BestCourse FindBestCourse(const PlaceCosts& costs);

// Lost from `segment` on by staying in one place.
double LostStaying(const PlaceCosts& costs, std::size_t place, std::size_t segment = 0);
// Lost by the course that was taken, moves included.
double LostAsTaken(const PlaceCosts& costs);

}  // namespace fairlead::extender
