// Sectors and turns of a warp's access (warp_access.h). In: the lanes' indices; out: how many, and whether exactly.
#include "semantics/kernel/warp_access.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "semantics/core/size_limit.h"

namespace lockstep::kernel {
namespace {

std::vector<Size> by_lane(const WarpIndex& w, const SizeContext& known) {
  std::vector<Size> out;
  for (const std::int64_t l : w.lanes) out.push_back(known.simplify(substitute(*w.index, {{w.lane, Size(l)}})));
  return out;
}

// Lanes whose indices differ by numbers.
struct Rows {
  Size first;                              // index of the first of them
  std::vector<std::int64_t> lanes, apart;  // which they are; how far each is from the first
};
std::vector<Rows> rows_of(const WarpIndex& w, const SizeContext& known) {
  const std::vector<Size> indices = by_lane(w, known);
  std::vector<Rows> out;
  for (std::size_t l = 0; l < indices.size(); ++l) {
    const std::int64_t lane = w.lanes[l];
    std::optional<std::int64_t> d;
    for (Rows& r : out) {
      if (!(d = (indices[l] - r.first).constant())) continue;
      r.lanes.push_back(lane), r.apart.push_back(*d);
      break;
    }
    if (!d) out.push_back({indices[l], {lane}, {0}});
  }
  return out;
}

// What s can be modulo m.
std::vector<std::int64_t> remainders(const Size& s, std::int64_t m) {
  std::int64_t step = m, known = 0;
  for (const SizeTerm& t : s.terms()) {
    if (t.powers.empty())
      known = ((t.coefficient % m) + m) % m;
    else
      step = std::gcd(step, t.coefficient);
  }
  std::vector<std::int64_t> out;
  for (std::int64_t r = known % step; r < m; r += step) out.push_back(r);
  return out;
}

// At least so much wherever the names that are positive are; nothing where not even the sign is known.
std::int64_t least_distance(const Size& d, const std::set<std::string>& positive) {
  const bool falls = !d.terms().empty() && d.terms().front().coefficient < 0;
  std::int64_t least = 0;
  for (const SizeTerm& t : d.terms()) {
    if ((t.coefficient < 0) != falls) return 0;
    if (std::all_of(t.powers.begin(), t.powers.end(),
                    [&](const auto& p) { return !p.first.division && positive.contains(p.first.name); }))
      least += std::abs(t.coefficient);
  }
  return least;
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// How far apart two rows must be, the one that begins at `first` below, to have no sector in common: its last element
// is `to` from there, the other row's first one `from` from where that begins. Rows that are whole sectors apart lie in
// their sectors alike.
std::int64_t needed_distance(const Size& first, std::int64_t to, std::int64_t from, bool whole, std::int64_t sector) {
  if (!whole) return to - from + sector;
  std::int64_t most = 0;
  for (const std::int64_t r : remainders(first, sector))
    most = std::max(most, floor_of(r + to, sector) - floor_of(r + from, sector));
  return (most + 1) * sector;
}

// Whether no two rows have a sector in common, whichever is the lower.
bool apart(const std::vector<Rows>& rows, const WarpIndex& w, std::int64_t sector) {
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Rows &x = rows[a], &y = rows[b];
      const Size d = x.first - y.first;
      const bool whole = remainders(d, sector) == std::vector<std::int64_t>{0};
      const auto [low_x, high_x] = std::minmax_element(x.apart.begin(), x.apart.end());
      const auto [low_y, high_y] = std::minmax_element(y.apart.begin(), y.apart.end());
      const std::int64_t least = least_distance(d, w.positive);
      if (least < needed_distance(y.first, *high_y + w.elements - 1, *low_x, whole, sector) ||
          least < needed_distance(x.first, *high_x + w.elements - 1, *low_y, whole, sector))
        return false;
    }
  return true;
}

// The same count at each remainder of the first lane's index, or the most.
template <class Count>
WarpCost over_remainders(const std::vector<std::int64_t>& remainders, Count count) {
  std::vector<std::int64_t> all;
  for (const std::int64_t r : remainders) all.push_back(count(r));
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return {*most, *least == *most};
}

// Pieces of `piece` bytes that the lanes of a row in [from, to) touch, its first element at `first`.
std::set<std::int64_t> touched(const Rows& row, std::int64_t from, std::int64_t to, std::int64_t first,
                               const WarpIndex& w, std::int64_t piece) {
  std::set<std::int64_t> out;
  for (std::size_t k = 0; k < row.lanes.size(); ++k)
    for (std::int64_t e = 0; e < w.elements; ++e)
      if (from <= row.lanes[k] && row.lanes[k] < to) out.insert(floor_of((first + row.apart[k] + e) * w.bytes, piece));
  return out;
}

std::int64_t fullest_bank(const std::set<std::int64_t>& words, std::int64_t banks) {
  std::map<std::int64_t, std::int64_t> of;
  std::int64_t most = 0;
  for (const std::int64_t word : words) most = std::max(most, ++of[((word % banks) + banks) % banks]);
  return most;
}

// Pieces of one lane, wherever it begins.
std::int64_t most_pieces(const WarpIndex& w, std::int64_t piece) {
  const std::int64_t whole = (w.elements * w.bytes + piece - 1) / piece;
  return w.elements == 1 ? whole : whole + 1;
}

// A lane's own words are neighbours, in banks of their own where there are as many.
WarpCost most_turns(const WarpIndex& w, const GpuModel& m) {
  const std::int64_t of_lane = (most_pieces(w, m.bank_bytes) + m.banks - 1) / m.banks;
  const auto lanes = static_cast<std::int64_t>(w.lanes.size());
  return {lanes * of_lane, lanes == 1 && of_lane == 1};
}

WarpCost both(const WarpCost& a, const WarpCost& b) { return {a.count + b.count, a.exact && b.exact}; }

std::int64_t lanes_of_group(std::int64_t bytes_of_lane, const GpuModel& m) {
  return std::max<std::int64_t>(1, m.banks * m.bank_bytes / bytes_of_lane);
}

}  // namespace

WarpCost sectors(const WarpIndex& w, const SizeContext& known, const GpuModel& m) {
  const auto lanes = static_cast<std::int64_t>(w.lanes.size());
  const WarpCost bound{lanes * most_pieces(w, m.sector_bytes), lanes == 1 && w.elements == 1};
  try {
    if (!w.index) return bound;
    const std::int64_t sector = std::max<std::int64_t>(1, m.sector_bytes / w.bytes);  // in elements
    const std::vector<Rows> rows = rows_of(w, known);
    WarpCost all{0, apart(rows, w, sector)};
    for (const Rows& row : rows)
      all = both(all, over_remainders(remainders(row.first, sector), [&](std::int64_t r) {
                   return static_cast<std::int64_t>(touched(row, 0, w.lanes.back() + 1, r, w, m.sector_bytes).size());
                 }));
    return all;
  } catch (const SizeTooLarge&) {
    return bound;
  }
}

namespace {

// Without what is a multiple of all banks: it does not change the bank, but it may change the word, so that each lane
// counts as one that asks for a word of its own. As many as there are groups of lanes are none too many.
std::optional<WarpCost> turns_by_banks(const WarpIndex& w, const SizeContext& known, const GpuModel& m) {
  if (w.elements != 1 || w.bytes < m.bank_bytes) return {};
  const std::int64_t all_banks = m.banks * m.bank_bytes / w.bytes;  // in elements
  const std::int64_t group = lanes_of_group(w.bytes, m);
  std::vector<Size> rests;
  for (const Size& index : by_lane(w, known)) {
    Size rest = 0;
    for (const SizeTerm& t : index.terms())
      if (t.coefficient % all_banks != 0) rest = rest + product_of(t.coefficient, t);
    rests.push_back(rest);
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> asking;  // by group and place among the banks
  std::map<std::int64_t, std::int64_t> most;
  for (std::size_t k = 0; k < rests.size(); ++k) {
    const auto apart = (rests[k] - rests[0]).constant();
    if (!apart) return {};
    const std::int64_t g = w.lanes[k] / group, place = ((*apart % all_banks) + all_banks) % all_banks;
    most[g] = std::max(most[g], ++asking[{g, place}]);
  }
  std::int64_t sum = 0;
  for (const auto& [g, n] : most) sum += n;
  return WarpCost{sum, sum == static_cast<std::int64_t>(most.size())};
}

}  // namespace

WarpCost turns(const WarpIndex& w, const SizeContext& known, const GpuModel& m) {
  const WarpCost bound = most_turns(w, m);
  try {
    if (!w.index) return bound;
    const std::vector<Rows> rows = rows_of(w, known);
    const std::int64_t group = lanes_of_group(w.bytes * w.elements, m);
    const std::int64_t word = std::max<std::int64_t>(1, m.bank_bytes / w.bytes);  // in elements
    WarpCost all{0, rows.size() == 1};
    for (const Rows& row : rows)
      all = both(all, over_remainders(remainders(row.first, word), [&](std::int64_t r) {
                   std::int64_t sum = 0;
                   for (std::int64_t l = 0; l <= w.lanes.back(); l += group)
                     sum += fullest_bank(touched(row, l, l + group, r, w, m.bank_bytes), m.banks);
                   return sum;
                 }));
    if (!all.exact)
      if (const auto by_banks = turns_by_banks(w, known, m); by_banks && by_banks->count <= all.count) return *by_banks;
    return all;
  } catch (const SizeTooLarge&) {
    return bound;
  }
}

std::int64_t fewest_turns(const std::vector<std::int64_t>& lanes, std::int64_t bytes_of_lane, const GpuModel& m) {
  std::set<std::int64_t> groups;
  for (const std::int64_t l : lanes) groups.insert(l / lanes_of_group(bytes_of_lane, m));
  return static_cast<std::int64_t>(groups.size());
}

}  // namespace lockstep::kernel
