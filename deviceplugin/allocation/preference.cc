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
  std::size_t thing = 0;
  std::vector<std::string> free;  // ids, sorted
  std::size_t used = 0;           // ids that others have
};

// How good a set is; the smaller the better.
struct Cost {
  std::size_t doubled = 0;
  std::size_t apart = 0;  // sum of distances between each two
  std::size_t from_gpu = 0;
  std::size_t used = 0;

  auto operator<=>(const Cost&) const = default;
};

// Stocks are told by their position.
class Selection {
 public:
  Selection(const std::vector<Stock>& stocks, const Closeness& closeness)
      : stocks_(stocks),
        closeness_(closeness),
        taken_(stocks.size()),
        apart_(stocks.size()),
        chosen_(closeness.between.size()) {}

  // A thing that must be included: it is there already, whatever it costs.
  void Include(std::size_t thing) {
    if (chosen_[thing]) return;
    chosen_[thing] = true;
    for (std::size_t i = 0; i < stocks_.size(); ++i) {
      if (stocks_[i].thing == thing) continue;
      apart_[i] += static_cast<std::size_t>(closeness_.between[thing][stocks_[i].thing]);
    }
  }

  void Take(std::size_t stock) {
    cost_ = CostOf(stock);
    ids_.push_back(stocks_[stock].free[taken_[stock]++]);
    Include(stocks_[stock].thing);
  }

  // The cheapest next one each time; the first of equal ones.
  void Fill(std::size_t size) {
    while (ids_.size() < size) {
      std::optional<std::size_t> best;
      Cost least;
      for (std::size_t i = 0; i < stocks_.size(); ++i) {
        if (taken_[i] == stocks_[i].free.size()) continue;
        const Cost cost = CostOf(i);
        if (best && !(cost < least)) continue;
        best = i;
        least = cost;
      }
      if (!best) return;
      Take(*best);
    }
  }

  const Cost& cost() const { return cost_; }
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  Cost CostOf(std::size_t stock) const {
    const std::size_t thing = stocks_[stock].thing;
    Cost cost = cost_;
    if (chosen_[thing]) ++cost.doubled;
    cost.apart += apart_[stock];
    if (!closeness_.to_gpu.empty()) {
      cost.from_gpu += static_cast<std::size_t>(closeness_.to_gpu[thing]);
    }
    cost.used += stocks_[stock].used;
    return cost;
  }

  const std::vector<Stock>& stocks_;
  const Closeness& closeness_;
  std::vector<std::size_t> taken_;  // of each stock
  std::vector<std::size_t> apart_;  // from each stock to what is chosen
  std::vector<bool> chosen_;        // of each thing
  std::vector<std::string> ids_;
  Cost cost_;
};

// What is available of each thing, without what must be included; sorted.
std::vector<Stock> StocksOf(const std::vector<std::string>& available,
                            const std::set<std::string>& must, const OfferedIds& ids) {
  std::map<std::size_t, Stock> by_thing;
  for (const std::string& id : std::set<std::string>(available.begin(), available.end())) {
    const std::size_t* thing = ids.Find(id);
    if (thing != nullptr && !must.contains(id)) by_thing[*thing].free.push_back(id);
  }
  std::vector<Stock> stocks;
  for (auto& [thing, stock] : by_thing) {
    stock.thing = thing;
    stock.used = ids.CountOf(thing) - stock.free.size();
    stocks.push_back(std::move(stock));
  }
  return stocks;
}

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
  const std::vector<Stock> stocks = StocksOf(question.available, must, ids);
  const std::size_t missing = question.size - chosen.size();
  if (missing == 0 || stocks.empty()) return chosen;
  Selection start(stocks, closeness);
  for (const std::string& id : chosen) start.Include(*ids.Find(id));
  std::size_t free = 0;
  for (const Stock& stock : stocks) free += stock.free.size();
  // Where all are taken, or something is there already, there is no first one to choose.
  const bool open = chosen.empty() && missing < free;
  std::optional<Selection> best;
  for (std::size_t seed = 0; seed < (open ? stocks.size() : 1); ++seed) {
    Selection selection = start;
    if (chosen.empty()) selection.Take(seed);
    selection.Fill(missing);
    if (!best || selection.cost() < best->cost()) best.emplace(selection);
  }
  chosen.insert(chosen.end(), best->ids().begin(), best->ids().end());
  return chosen;
}

}  // namespace fairlead::deviceplugin
