#include "deviceplugin/allocation/preference.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace fairlead::deviceplugin {
namespace {

PciDistance Distance(const std::optional<PciPath>& a, int numa_a, const std::optional<PciPath>& b,
                     int numa_b) {
  if (!a || !b) return PciDistance::kSystem;
  return DistanceBetween(*a, numa_a, *b, numa_b);
}

// What one thing still has to give.
struct Stock {
  std::vector<std::string> free;  // ids, sorted
  std::size_t used = 0;           // ids that others have
};

using Stocks = std::map<std::size_t, Stock>;  // by thing

// How good a set is; the smaller the better.
struct Cost {
  std::size_t doubled = 0;
  std::size_t apart = 0;  // sum of distances between each two
  std::size_t from_gpu = 0;
  std::size_t used = 0;

  auto operator<=>(const Cost&) const = default;
};

class Selection {
 public:
  Selection(const Stocks& stocks, const Closeness& closeness)
      : stocks_(stocks), closeness_(closeness) {}

  // A thing that must be included: it is there already, whatever it costs.
  void Include(std::size_t thing) { ++chosen_[thing]; }

  bool CanTake(std::size_t thing) const { return taken_.at(thing) < stocks_.at(thing).free.size(); }

  Cost CostOf(std::size_t thing) const {
    Cost cost = cost_;
    if (chosen_.contains(thing)) ++cost.doubled;
    for (const auto& [other, count] : chosen_) {
      if (other != thing) cost.apart += static_cast<std::size_t>(closeness_.between[other][thing]);
    }
    if (!closeness_.to_gpu.empty()) {
      cost.from_gpu += static_cast<std::size_t>(closeness_.to_gpu[thing]);
    }
    cost.used += stocks_.at(thing).used;
    return cost;
  }

  void Take(std::size_t thing) {
    cost_ = CostOf(thing);
    ids_.push_back(stocks_.at(thing).free[taken_[thing]++]);
    ++chosen_[thing];
  }

  // The cheapest next one each time; the first of equal ones.
  void Fill(std::size_t size) {
    while (ids_.size() < size) {
      const std::size_t* best = nullptr;
      Cost least;
      for (const auto& [thing, stock] : stocks_) {
        if (!CanTake(thing)) continue;
        const Cost cost = CostOf(thing);
        if (best != nullptr && !(cost < least)) continue;
        best = &thing;
        least = cost;
      }
      if (best == nullptr) return;
      Take(*best);
    }
  }

  void Prepare() {
    for (const auto& [thing, stock] : stocks_) taken_[thing] = 0;
  }
  const Cost& cost() const { return cost_; }
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  const Stocks& stocks_;
  const Closeness& closeness_;
  std::map<std::size_t, std::size_t> taken_;
  std::map<std::size_t, std::size_t> chosen_;
  std::vector<std::string> ids_;
  Cost cost_;
};

}  // namespace

PciDistance DistanceBetween(const Hca& a, const Hca& b) {
  return Distance(a.pci_path, a.numa_node, b.pci_path, b.numa_node);
}

PciDistance DistanceBetween(const Gpu& a, const Gpu& b) {
  return Distance(a.pci_path, a.numa_node, b.pci_path, b.numa_node);
}

std::vector<std::string> Choose(const Preference& question, const OfferedIds& ids,
                                const Closeness& closeness) {
  std::vector<std::string> chosen;
  std::set<std::string> must;
  for (const std::string& id : question.must_include) {
    if (chosen.size() == question.size) break;
    if (ids.Find(id) != nullptr && must.insert(id).second) chosen.push_back(id);
  }
  Stocks stocks;
  const std::set<std::string> available(question.available.begin(), question.available.end());
  for (const std::string& id : available) {
    const std::size_t* thing = ids.Find(id);
    if (thing != nullptr && !must.contains(id)) stocks[*thing].free.push_back(id);
  }
  for (auto& [thing, stock] : stocks) stock.used = ids.CountOf(thing) - stock.free.size();

  const std::size_t missing = question.size - chosen.size();
  if (missing == 0 || stocks.empty()) return chosen;
  Selection start(stocks, closeness);
  start.Prepare();
  for (const std::string& id : chosen) start.Include(*ids.Find(id));
  std::optional<Selection> best;
  for (const auto& [seed, stock] : stocks) {
    Selection selection = start;
    if (chosen.empty()) selection.Take(seed);
    selection.Fill(missing);
    if (!best || selection.cost() < best->cost()) best.emplace(selection);
    if (!chosen.empty()) break;
  }
  chosen.insert(chosen.end(), best->ids().begin(), best->ids().end());
  return chosen;
}

}  // namespace fairlead::deviceplugin
