// Warps' accesses and branches, from what their threads do.
#include "semantics/fcl/cost_warps.h"

#include <algorithm>
#include <set>

namespace lockstep::fcl::costing {
namespace {

using Asked = std::vector<std::pair<std::int64_t, const Access*>>;  // by lane, ascending

// Distinct aligned segments.
std::int64_t segments_of(const Asked& asked) {
  std::set<std::pair<std::size_t, std::int64_t>> out;
  for (const auto& [lane, a] : asked) out.emplace(a->array, a->index * a->bytes / segment_bytes);
  return static_cast<std::int64_t>(out.size());
}

// As many lanes are served together as ask for a word of each bank: of words of 8 bytes half a warp.
std::int64_t conflicts_of(const Asked& asked) {
  const std::int64_t bytes = asked.front().second->bytes;
  const std::int64_t together = banks * bank_bytes / std::max(bytes, bank_bytes);
  std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::pair<std::size_t, std::int64_t>>> words;
  for (const auto& [lane, a] : asked)
    for (std::int64_t word = a->index * bytes / bank_bytes; word * bank_bytes < (a->index + 1) * bytes; ++word)
      words[{lane / together, word % banks}].emplace(a->array, word);
  std::map<std::int64_t, std::int64_t> most;
  for (const auto& [key, of_bank] : words)
    most[key.first] = std::max(most[key.first], static_cast<std::int64_t>(of_bank.size()) - 1);
  std::int64_t sum = 0;
  for (const auto& [served, n] : most) sum += n;
  return sum;
}

void issue(const Asked& asked, Costs& costs) {
  ArrayAccesses& row = costs.accesses[asked.front().second->row];
  const std::int64_t n = row.memory == Memory::Global ? segments_of(asked) : conflicts_of(asked);
  row.least = row.issues == 0 ? n : std::min(row.least, n);
  row.most = std::max(row.most, n);
  row.total += n;
  row.lanes += static_cast<std::int64_t>(asked.size());
  ++row.issues;
}

struct Standing {  // of a lane, at an item
  std::int64_t lane;
  const Item* item;
};

void branch(const std::vector<Standing>& at, Costs& costs) {
  std::map<std::int64_t, std::vector<Lane>> ways;
  for (const Standing& s : at) {
    const Branch& b = std::get<Branch>(s.item->node);
    ways[b.way].push_back({s.lane, &b.inside});
  }
  ++costs.branches;
  costs.parted += ways.size() > 1;
  for (const auto& [way, lanes] : ways) issue_together(lanes, costs);
}

void loop(const std::vector<Standing>& at, Costs& costs) {
  for (std::size_t round = 0;; ++round) {
    std::vector<Lane> here;
    std::size_t going_on = 0;
    bool is_while = false;
    for (const Standing& s : at) {
      const Loop& l = std::get<Loop>(s.item->node);
      if (l.rounds.size() <= round) continue;
      here.push_back({s.lane, &l.rounds[round]});
      going_on += l.rounds.size() > round + 1;
      is_while = l.is_while;
    }
    if (here.empty()) return;
    if (is_while) {
      ++costs.branches;
      costs.parted += going_on > 0 && going_on < here.size();
    }
    issue_together(here, costs);
  }
}

// What can be issued at once: accesses of the same kind to the same array, branches, loops.
std::pair<std::size_t, std::size_t> kind_of(const Item& i) {
  const auto* a = std::get_if<Access>(&i.node);
  return {i.node.index(), a ? a->row : 0};
}

}  // namespace

void issue_together(const std::vector<Lane>& lanes, Costs& costs) {
  for (std::size_t k = 0;; ++k) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Standing>> kinds;
    for (const Lane& l : lanes)
      if (k < l.does->size()) kinds[kind_of((*l.does)[k])].push_back({l.lane, &(*l.does)[k]});
    if (kinds.empty()) return;
    for (const auto& kind : kinds) {
      const std::vector<Standing>& at = kind.second;
      match(
          at.front().item->node,
          [&](const Access&) {
            Asked asked;
            for (const Standing& s : at) asked.emplace_back(s.lane, &std::get<Access>(s.item->node));
            issue(asked, costs);
          },
          [&](const Branch&) { branch(at, costs); }, [&](const Loop&) { loop(at, costs); });
    }
  }
}

void issue_alone(const Access& access, Costs& costs) { issue({{0, &access}}, costs); }

}  // namespace lockstep::fcl::costing
