#include "deviceplugin/allocation/assignment.h"

#include <limits>

namespace fairlead::deviceplugin {
namespace {

constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max();

// Rows are added one at a time; each time a shortest augmenting path re-seats the earlier ones.
// Potentials keep the reduced costs from being negative. Row and column 0 stand for none.
class Hungarian {
 public:
  explicit Hungarian(const std::vector<std::vector<std::int64_t>>& cost)
      : cost_(cost),
        columns_(cost.empty() ? 0 : cost.front().size()),
        row_potential_(cost.size() + 1),
        column_potential_(columns_ + 1),
        row_of_(columns_ + 1) {}

  void AddRow(std::size_t row) {
    std::vector<std::size_t> came_from(columns_ + 1);
    std::vector<std::int64_t> least(columns_ + 1, kInfinite);
    std::vector<bool> reached(columns_ + 1);
    row_of_[0] = row;
    std::size_t column = 0;
    while (row_of_[column] != 0) {
      reached[column] = true;
      column = Extend(column, reached, least, came_from);
    }
    for (; column != 0; column = came_from[column]) row_of_[column] = row_of_[came_from[column]];
  }
  std::size_t RowOf(std::size_t column) const { return row_of_[column]; }

 private:
  // The unreached column nearest to the tree, after the potentials have made it adjacent.
  std::size_t Extend(std::size_t from, const std::vector<bool>& reached,
                     std::vector<std::int64_t>& least, std::vector<std::size_t>& came_from) {
    const std::size_t row = row_of_[from];
    std::int64_t delta = kInfinite;
    std::size_t nearest = 0;
    for (std::size_t j = 1; j <= columns_; ++j) {
      if (reached[j]) continue;
      const std::int64_t reduced =
          cost_[row - 1][j - 1] - row_potential_[row] - column_potential_[j];
      if (reduced < least[j]) {
        least[j] = reduced;
        came_from[j] = from;
      }
      if (least[j] < delta) {
        delta = least[j];
        nearest = j;
      }
    }
    for (std::size_t j = 0; j <= columns_; ++j) {
      if (reached[j]) {
        row_potential_[row_of_[j]] += delta;
        column_potential_[j] -= delta;
      } else if (least[j] != kInfinite) {
        least[j] -= delta;
      }
    }
    return nearest;
  }

  const std::vector<std::vector<std::int64_t>>& cost_;
  const std::size_t columns_;
  std::vector<std::int64_t> row_potential_;
  std::vector<std::int64_t> column_potential_;
  std::vector<std::size_t> row_of_;
};

}  // namespace

std::vector<std::size_t> CheapestAssignment(const std::vector<std::vector<std::int64_t>>& cost) {
  Hungarian hungarian(cost);
  for (std::size_t row = 1; row <= cost.size(); ++row) hungarian.AddRow(row);
  std::vector<std::size_t> column_of(cost.size());
  for (std::size_t j = 1; !cost.empty() && j <= cost.front().size(); ++j) {
    if (hungarian.RowOf(j) != 0) column_of[hungarian.RowOf(j) - 1] = j - 1;
  }
  return column_of;
}

}  // namespace fairlead::deviceplugin
