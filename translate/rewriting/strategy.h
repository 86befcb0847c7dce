// Strategies: where and in which order rules are applied. The combinators are those of Visser's Stratego.
//
//   file     ::= ('def' id '{' sequence '}')* sequence
//   sequence ::= choice (';' choice)* ';'?              -- one after the other
//   choice   ::= prefix ('<+' prefix)*                  -- the first that applies
//   prefix   ::= ('try' | 'repeat' | 'topDown' | 'bottomUp' | 'all' | 'one') prefix | 'at' place prefix | atom
//   atom     ::= '(' sequence ')' | 'id' | 'fail' | 'assume' fact | id argument*
//   place    ::= '.' | number ('.' number)* | id        -- a path of children from here, or the first loop or view of
//   that name argument ::= number | id | '(' size ')' | '(' place ')'
//
// Comments run from `--`. id is a rule (rules.h) or a strategy defined above.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep::rewriting {

struct Strategy;
using StrategyRef = Ref<Strategy>;

struct RuleCall {
  std::string rule;
  std::vector<std::string> arguments;
  friend bool operator==(const RuleCall&, const RuleCall&) = default;
};
struct Sequence {
  std::vector<StrategyRef> parts;
  friend bool operator==(const Sequence&, const Sequence&) = default;
};
struct Choice {
  std::vector<StrategyRef> parts;
  friend bool operator==(const Choice&, const Choice&) = default;
};
enum class Combinator { Try, Repeat, TopDown, BottomUp, All, One };
struct Combined {
  Combinator combinator;
  StrategyRef inside;
  friend bool operator==(const Combined&, const Combined&) = default;
};
struct At {
  Place path;
  std::string name;  // "" for the path
  StrategyRef inside;
  friend bool operator==(const At&, const At&) = default;
};
struct Identity {
  friend bool operator==(const Identity&, const Identity&) = default;
};
struct Fail {
  friend bool operator==(const Fail&, const Fail&) = default;
};
struct Strategy {
  std::variant<RuleCall, Sequence, Choice, Combined, At, Identity, Fail> node;
  Region region{};
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

// Names and numbers of arguments are checked against the rules.
Checked<StrategyRef> parse_strategy(const SourceRef& source, const RuleList& rules);

std::string show(const Place& path);  // "2.0"; "." for the root

}  // namespace lockstep::rewriting
