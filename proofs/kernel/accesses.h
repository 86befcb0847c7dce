// What a kernel program touches, read off its tree in the order in which one thread would run it: each access with its
// place, index, loops and what is known there. From this the obligations of obligations.h are stated.
#pragma once
#include <map>

#include "proofs/kernel/guards.h"

namespace lockstep::proofs::kernels {

// A buffer or a variable (count 1, index 0), one for each declaration.
struct Place {
  std::string name;
  kernel::KType type;
  Term count;  // in scalars
  Space space = Space::Global;
  bool variable = false, input = false, output = false;
  std::vector<int> loops;       // around its declaration: an iteration of these has its own
  std::optional<Term> below{};  // of an input of indices
};

struct LoopFrame {
  enum class Kind { Sequential, Parallel, While };
  int id = 0;
  Kind kind = Kind::Sequential;
  Level level = Level::Seq;
  std::string symbol;  // of its variable, unique in the program; of the number of the iteration for a while loop
  Term extent;         // meaningless for a while loop
  std::string text;    // "parallel par i < n"
  Region body{};       // in the source
  std::optional<Term> units{};  // a parallel loop's: how many it is dealt out to, each of which runs its own in order
  int through = -1;             // a while loop's of two rounds: the branch in which it ends
};

// Holds for all values of the variables (in [0, extent)): a loop that has run has checked it, or the caller has kept it
// of an input's elements.
struct Universal {
  std::vector<std::pair<std::string, Term>> variables;
  Term condition;
  friend bool operator==(const Universal&, const Universal&) = default;
};

struct Situation {
  int at = 0;                 // position in the program's text
  std::vector<int> loops;     // outermost first
  std::vector<int> branches;  // of ifs, outermost first
  Guards guards;
  std::vector<Universal> universals;
  bool first_thread = false;  // in a store between local loops: the block's first thread alone, or the warp's
};
struct Access {
  Situation where;
  int place = 0;
  bool write = false;
  Term index;
  int width = 1;
  Region from{};                // where in the source it stands
  std::string by{};             // of an atomic update, which reads and writes: its operator
  std::optional<int> copied{};  // of a write: the place of which it writes what stands at this index, and nothing else
};
// Two atomic updates by one operator are no race.
inline bool commute(const Access& x, const Access& y) { return !x.by.empty() && x.by == y.by; }
// Something that must hold where it stands: a division's operands, a lane's number in a vector or in a warp, a count's
// sign, that there is a unit; of what a narrow program computes, at the sizes for which it is, that the width holds it.
struct Demand {
  enum class Kind { Division, Lane, Count, Units, Width };
  Situation where;
  Kind kind;
  Term goal;
  std::string text;
  Region from{};
};
struct BarrierAt {
  Situation where;
  Level scope;
  Region from{};
};
struct ShuffleAt {
  Situation where;
  int loop;  // over the lanes; -1: in none
  int width;
  std::string name;  // of what it makes
  Region from{};
};
struct CheckAt {  // where it does not hold the program stops
  Situation where;
  Term ok;
  Region from{};
};

struct Accesses {
  int warp = 1;  // lanes
  std::vector<std::string> sizes;
  std::vector<Term> facts;
  std::vector<SizeFact> size_facts;
  std::vector<Place> places;
  std::vector<LoopFrame> loops;                    // by id
  std::vector<Access> accesses;                    // in order
  std::vector<std::vector<std::size_t>> of_place;  // which of them, by place
  std::vector<Demand> demands;
  std::vector<BarrierAt> barriers;
  std::vector<ShuffleAt> shuffles;
  std::vector<CheckAt> checks;
  std::map<std::string, std::set<std::string>> sources;  // by name: what its values were computed from
  std::map<std::string, std::vector<int>> symbols;       // the loops around what each data name stands for
  Situation end;
};

// How far values are followed: what grows beyond so many nodes is unknown, and so is arithmetic of i64 in data that may
// wrap, unless it is assumed that none does.
struct Followed {
  std::size_t nodes = 80;
  bool wraps = true;
};
Accesses accesses_of(const kernel::Program& p, const Followed& how = {});

// "i < n, i_1 < 4"
std::string show_loops(const Accesses& a, const Situation& s);
std::string show_access(const Accesses& a, const Access& x);

}  // namespace lockstep::proofs::kernels
