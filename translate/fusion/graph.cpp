// Statements and blocks, and what is asked of the way between two.
#include "translate/fusion/graph.h"

#include <algorithm>

namespace lockstep::fusion {
namespace {

std::uint64_t key(BlockId b, Name n) { return (std::uint64_t{b} << 32) | n; }

}  // namespace

BlockId Graph::block(StatementId owner, bool is_body) {
  const auto made = static_cast<BlockId>(blocks_.size());
  blocks_.push_back({owner, is_body});
  if (owner != none) (is_body ? statements_[owner].bodies : statements_[owner].branches).push_back(made);
  return made;
}

StatementId Graph::add(BlockId in, Statement s) {
  const auto made = static_cast<StatementId>(statements_.size());
  s.block = in;
  s.place = static_cast<std::uint32_t>(blocks_[in].statements.size());
  blocks_[in].statements.push_back(made);
  statements_.push_back(std::move(s));
  index(made);
  return made;
}

void Graph::index(StatementId id) {
  const Statement& s = statements_[id];
  for (const Name n : s.outputs) producers_.emplace(n, id);
  for (const Name n : s.consumed) consumptions_[key(s.block, n)].push_back(s.place);
}

Graph Graph::changed(const std::function<void(Statement&)>& statement, const std::function<void(Block&)>& block) const {
  Graph out;
  out.blocks_ = blocks_;
  out.statements_ = statements_;
  for (Block& b : out.blocks_) block(b);
  for (StatementId s = 0; s < out.statements_.size(); ++s) {
    statement(out.statements_[s]);
    out.index(s);
  }
  return out;
}

StatementId Graph::producer(Name n) const {
  const auto at = producers_.find(n);
  return at == producers_.end() ? none : at->second;
}

StatementId Graph::consumed_between(Name n, StatementId from, StatementId to) const {
  const BlockId last = statements_[from].block;
  BlockId b = statements_[to].block;
  std::uint32_t end = statements_[to].place;  // not looked at
  for (;;) {
    if (const auto at = consumptions_.find(key(b, n)); at != consumptions_.end()) {
      const std::uint32_t begin = b == last ? statements_[from].place + 1 : 0;
      const auto first = std::lower_bound(at->second.begin(), at->second.end(), begin);
      if (first != at->second.end() && *first < end) return blocks_[b].statements[*first];
    }
    if (b == last) return none;
    const Statement& owner = statements_[blocks_[b].owner];
    end = owner.place + (blocks_[b].is_body ? 1 : 0);
    b = owner.block;
  }
}

template <class F>
bool Graph::any_block_between(StatementId from, StatementId to, const F& is) const {
  for (BlockId b = statements_[to].block; b != statements_[from].block; b = statements_[blocks_[b].owner].block)
    if (is(blocks_[b])) return true;
  return false;
}
bool Graph::is_repeated(StatementId from, StatementId to) const {
  return any_block_between(from, to, [](const Block& b) { return b.is_body; });
}
bool Graph::is_in_branch(StatementId from, StatementId to) const {
  return any_block_between(from, to, [](const Block& b) { return !b.is_body; });
}

bool Graph::are_alternatives(StatementId a, StatementId b) const {
  const auto way = [&](StatementId s) {
    std::vector<BlockId> out{statements_[s].block};
    while (blocks_[out.back()].owner != none) out.push_back(statements_[blocks_[out.back()].owner].block);
    return out;
  };
  const std::vector<BlockId> x = way(a), y = way(b);
  auto i = x.rbegin(), j = y.rbegin();
  while (i != x.rend() && j != y.rend() && *i == *j) ++i, ++j;
  if (i == x.rend() || j == y.rend()) return false;
  return blocks_[*i].owner == blocks_[*j].owner && !blocks_[*i].is_body && !blocks_[*j].is_body;
}

}  // namespace lockstep::fusion
