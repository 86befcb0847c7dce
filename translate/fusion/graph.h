// The dependency graph of a program's array operations (Henriksen, Oancea, FHPC 2013, §3.1), whichever language's:
// statements in blocks, what each makes, goes over, uses and consumes. A language writes its programs down as this;
// what is fused is decided on it (reduction.h).
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "semantics/core/diagnostic.h"

namespace lockstep::fusion {

using Name = std::uint32_t;  // of a variable: in a graph each is bound once
using StatementId = std::uint32_t;
using BlockId = std::uint32_t;
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Use {
  Name name;
  Region at{};
};

// What a statement is to fusion. Combinator: it has rules. Copies: it makes so many of one value, and can be written
// where each is wanted. Other: it has no rules.
enum class Kind : unsigned char { Combinator, Copies, Other };

struct Statement {
  Kind kind = Kind::Other;
  Region at{};
  std::vector<Name> outputs{};      // arrays that it binds
  std::vector<Use> inputs{};        // arrays that it goes over, an element at a time
  std::vector<Use> uses{};          // arrays that it uses otherwise, outside its branches and bodies
  std::vector<Use> lengths{};       // arrays of which it asks the length alone
  std::vector<Name> reads{};        // what else it reads, all that is free in its bodies
  std::vector<Name> consumed{};     // what it consumes, and what may share data with that (A*)
  std::vector<Name> consumes{};     // those of its inputs that it consumes itself
  std::vector<BlockId> branches{};  // of which one is run, once
  std::vector<BlockId> bodies{};    // of functions and loops: run any number of times
  BlockId block = none;             // in which it stands, and where
  std::uint32_t place = 0;
};
struct Block {
  StatementId owner = none;  // whose branch or body it is; none of the outermost
  bool is_body = false;
  std::vector<StatementId> statements{};
  std::vector<Use> results{};  // arrays that it gives
};

class Graph {
 public:
  // A block is made before what stands in it, a statement before its branches and bodies.
  BlockId block(StatementId owner, bool is_body);
  StatementId add(BlockId in, Statement s);
  void give(BlockId b, std::vector<Use> results) { blocks_[b].results = std::move(results); }

  // The same with other statements and blocks in their places: for mistakes, and to ask what would be.
  Graph changed(const std::function<void(Statement&)>& statement, const std::function<void(Block&)>& block) const;

  const Block& operator[](BlockId b) const { return blocks_[b]; }
  const Statement& statement(StatementId s) const { return statements_[s]; }
  std::size_t size() const { return statements_.size(); }
  StatementId producer(Name n) const;  // the statement that makes it; none where none does
  // What consumes it on the way from one statement to another behind it, in its block or in one within it: what stands
  // between, and what a body stands in, not the two; none where nothing does.
  StatementId consumed_between(Name n, StatementId from, StatementId to) const;
  // The blocks between them: whether one is the body of a function or loop; whether one is a branch.
  bool is_repeated(StatementId from, StatementId to) const;
  bool is_in_branch(StatementId from, StatementId to) const;
  // They stand in two branches of one statement: no run has both.
  bool are_alternatives(StatementId a, StatementId b) const;

 private:
  template <class F>
  bool any_block_between(StatementId from, StatementId to, const F& is) const;

  void index(StatementId s);

  std::vector<Block> blocks_;
  std::vector<Statement> statements_;
  std::unordered_map<Name, StatementId> producers_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> consumptions_;  // of a name in a block: places
};

}  // namespace lockstep::fusion
