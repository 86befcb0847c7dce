// Networks with wrong steps: what slices, bases, counted constants, clusters, distributions, loops and pieces must not
// do.
#include <algorithm>

#include "props/snesl/mutant_parts.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::props::stream {
namespace {

using transducer::Kernel;
using transducer::LineFunction;
using transducer::Network;
using transducer::OnLines;
using transducer::Program;
using NetworkStep = transducer::Step;

Mutant changed_program(const std::string& stage, const std::string& name, const std::string& description,
                       std::function<void(Program&)> change, std::vector<std::string> directed) {
  Mutant m = mutant(
      "steps", name, description,
      [&](Toolchain& t) {
        t.alter_network(stage, [change](Program after, const Program&) {
          change(after);
          return after;
        });
      },
      std::move(directed));
  m.stage = stage;
  return m;
}
Mutant network(const std::string& stage, const std::string& name, const std::string& description,
               void (*change)(Network&), std::vector<std::string> directed = {}) {
  return changed_program(
      stage, name, description, [change](Program& p) { change(p.whole); }, std::move(directed));
}
Mutant pieces(const std::string& stage, const std::string& name, const std::string& description,
              void (*change)(transducer::Pieces&), std::vector<std::string> directed) {
  return changed_program(
      stage, name, description,
      [change](Program& p) {
        if (p.pieces) change(*p.pieces);
      },
      std::move(directed));
}

// The steps of a kind, and of more than so many operands.
template <class F>
void each(Network& n, Kernel kernel, std::size_t operands, F change) {
  for (NetworkStep& s : n.steps)
    if (s.kernel == kernel && s.operands.size() > operands) change(s);
}

const char* const sliced =
    "fun main() = {let v = tab(&x); w = tab({y * y : y in &x}); h = x / 2 in {v ! (i < h ? x - 1 - i : i) + w ! i : i "
    "in &x} "
    ": x in &9}";
const char* const strided = "fun main() = {let v = tab(&(2 * x + 1)) in {v ! (i * 2 + 1) : i in &x} : x in &9}";
const char* const outside = "fun main() = {let v = tab(&x) in {v ! (i + 1) : i in &x} : x in &4}";
const char* const mapped = "fun main() = {(x * x + 3) % 7 - x : x in &20}";
const char* const two_clocks = "fun main() = ({x * 2 + 1 : x in &7}, {y * 3 : y in &5})";
const char* const behind =
    "fun main() = let s = sep({(x, x % 5 == 4) : x in &20}) in {#w : w in s} ++ {sum(w) : w in s}";
const char* const distributed =
    "fun main() = {{a * 10 + b + i : i in &n} : n in &6; a in {1, 2, 3, 4, 5, 6}; b in {0, 1, 0, 2, 0, 3}}";
const char* const vectors = "fun main() = {let v = tab({y + x : y in &5}) in {v ! (i % 5) : i in &x} : x in &9}";
const char* const of_vectors =
    "fun main() = {let vs = tab({tab({y * k : y in &k}) : k in &5}) in {{e + 0 : e in seq(vs ! (j % 5))} : j in &x} : "
    "x in "
    "&6}";
const char* const seldom =
    "fun main() = sum({let v = tab({x * i % 7 : x in &10}) in if i % 2000 == 1999 then v ! 5 else 0 : i in &4000})";
const char* const words =
    "fun main() = {sum({int(c) : c in l}) : l in sep({(c, c == '\\n' || c == ' ') : c in read_file(\"words\")})}";
const char* const ranged = "fun main() = sum({int(c) * 3 % 7 : c in read_file(\"words\")})";
const char* const ranged_two =
    "fun main() = let cs = read_file(\"words\") in (sum({int(c) * 3 % 7 : c in cs}), sum({int(c) * 5 % 11 : c in cs}))";

// Of each operator on lines.
Mutant lines(const std::string& name, const std::string& description, void (*change)(OnLines&)) {
  Mutant m = changed_program("slices", name, description,
                             [change](Program& p) {
                               for (auto& [first, slices] : p.whole.slices)
                                 for (auto& [id, how] : slices.lines) change(how);
                             },
                             {sliced, strided});
  m.in_row = true;
  return m;
}

std::vector<Mutant> wrong_slices() {
  return {
      network("slices", "parameters exchanged", "what is distributed to slices in another order",
              [](Network& n) {
                each(n, Kernel::Slices, 2, [](NetworkStep& s) { std::swap(s.operands[1], s.operands[2]); });
              },
              {sliced}),
      network("slices", "bases exchanged", "gathers from each other's vectors",
              [](Network& n) {
                each(n, Kernel::Slices, 2, [](NetworkStep& s) {
                  if (s.instructions.size() > 1) std::swap(s.operands.back(), *(s.operands.end() - 2));
                });
              },
              {"fun main() = {let v = tab({(y, 100 + y) : y in &x}) in {v ! (x - 1 - i) : i in &x} : x in &9}"}),
      network("slices", "a slice is not checked", "the check of an index is left out",
              [](Network& n) {
                for (auto& [first, slices] : n.slices)
                  std::erase_if(slices.body, [](const Instr* i) { return i->opcode == Opcode::Check; });
              },
              {outside}),
      network("slices", "a descriptor in the wrong form", "positions by a short form that is none",
              [](Network& n) {
                each(n, Kernel::Slices, 0, [](NetworkStep& s) { s.operands[0].is_short = !s.operands[0].is_short; });
              },
              {sliced}),
      lines("a comparison is denied", "a Bool on lines is the opposite",
            [](OnLines& how) {
              if (how.function == LineFunction::Less) how.denied = !how.denied;
            }),
      lines("a difference the other way", "operands of lines in another order",
            [](OnLines& how) {
              if (how.function == LineFunction::Difference) how.exchanged = !how.exchanged;
            }),
      lines("an equality for an order", "a Bool changes elsewhere",
            [](OnLines& how) {
              if (how.function == LineFunction::Less) how.function = LineFunction::Equal;
            }),
      lines("a product is a sum", "lines of another slope",
            [](OnLines& how) {
              if (how.function == LineFunction::Product) how.function = LineFunction::Sum;
            }),
      network("slices", "a gather is lost", "one of several gathers is not given",
              [](Network& n) { each(n, Kernel::Slices, 0, [](NetworkStep& s) { s.produces.pop_back(); }); }, {sliced}),
  };
}

std::vector<Mutant> wrong_bases() {
  return {
      network("bases", "groups are never let go of", "neither groups nor what lies ahead is known",
              [](Network& n) { n.groups.clear(), n.ahead.clear(); }, {vectors}),
      network("bases", "bases do not grow", "a group must fit into a window",
              [](Network& n) { n.forms.unbounded.clear(); }, {vectors}),
      network("bases", "groups of nothing", "who reads groups is told of another stream",
              [](Network& n) {
                for (auto& [reader, segtab] : n.groups) segtab = reader;
              },
              {of_vectors}),
      network("bases", "a vector is its descriptor", "who reads at places reads the flags",
              [](Network& n) {
                for (NetworkStep& s : n.steps)
                  for (transducer::Operand& o : s.operands)
                    for (const auto& [segtab, base] : n.bases)
                      if (o.stream == base && n.at(base).type == svcode::Prim::Int)
                        o.stream = n.at(segtab).arguments[1];
              },
              {vectors}),
      network("bases", "requests under way are forgotten", "all before what the sum of lengths has come to is let go",
              [](Network& n) {
                for (auto& [reader, ahead] : n.ahead) ahead.readers.clear();
              },
              {seldom, "fun main() = {let v = tab({y + x : y in &50}) in {v ! ((i * i) % 50) : i in &x} : x in &90}"}),
      network("bases", "groups are those of a run", "inner vectors in any order let go of what is behind",
              [](Network& n) {
                for (auto& [reader, ahead] : n.ahead) ahead.in_groups = false;
              },
              {"fun main() = {let vs = tab({tab({y * k : y in &k}) : k in &9}) in {{e + 0 : e in seq(vs ! ((j * j) % "
               "9))} : "
               "j in &x} : x in &30}"}),
      changed_program("counted", "windows are wide", "windows hold 500 elements more than the program's slack",
                      [](Program& p) { p.slack += 500; }, {"fun main() = sum({x * x % 7 : x in &4000})"}),
      network("bases", "late streams do not grow", "only vectors may fill more than their window",
              [](Network& n) {
                std::set<StreamId> bases;
                for (const Instr& i : n.code->instructions)
                  if (svcode::is_base(i.opcode, 2)) bases.insert(n.stored(i.arguments[2]));
                n.forms.unbounded = bases;
              },
              {"fun main() = {let cs = seq(tab(w)); m = sum(w) in {c - m : c in cs} : w in sep({(x, x % 3000 == 2999) "
               ": x in &6000})}"}),
  };
}

std::vector<Mutant> wrong_clusters() {
  return {
      network("fuse", "an instruction too many", "what nobody reads is made",
              [](Network& n) {
                svcode::Program code = *n.code;
                const auto map = std::find_if(code.instructions.begin(), code.instructions.end(),
                                              [](const Instr& i) { return i.opcode == Opcode::Map; });
                if (map == code.instructions.end()) return;
                Instr again = *map;
                again.id = code.instructions.back().id + 1;
                code.instructions.push_back(again);
                n = Network(std::move(code), n.forms);
              },
              {mapped}),
      network("counted", "everything is counted", "streams of which each element is needed are only counted",
              [](Network& n) {
                for (const NetworkStep& s : n.steps)
                  if (s.instructions[0]->opcode == Opcode::Map) n.repeated.insert(s.id());
              },
              {mapped}),
      network("clusters", "a cluster gives too little", "the last of what is read of a cluster is left out",
              [](Network& n) {
                each(n, Kernel::Cluster, 0, [](NetworkStep& s) {
                  if (!s.produces.empty()) s.produces.pop_back();
                });
              },
              {mapped}),
      network("clusters", "a cluster in reverse", "instructions before their operands",
              [](Network& n) {
                each(n, Kernel::Cluster, 0,
                     [](NetworkStep& s) { std::reverse(s.instructions.begin(), s.instructions.end()); });
              },
              {mapped}),
      network("clusters", "an operand is lost", "what a cluster reads is not waited for",
              [](Network& n) { each(n, Kernel::Cluster, 0, [](NetworkStep& s) { s.operands.pop_back(); }); }, {mapped}),
      network("clusters", "two clocks in one loop", "instructions of different lengths run together",
              [](Network& n) {
                NetworkStep* first = nullptr;
                for (NetworkStep& s : n.steps)
                  if (s.kernel == Kernel::Cluster) {
                    if (first) {
                      first->instructions.insert(first->instructions.end(), s.instructions.begin(),
                                                 s.instructions.end());
                      first->operands.insert(first->operands.end(), s.operands.begin(), s.operands.end());
                    }
                    first = first ? first : &s;
                  }
              },
              {two_clocks}),
      network("clusters", "a cluster too early", "a step before those that it reads",
              [](Network& n) {
                const auto c = std::find_if(n.steps.begin(), n.steps.end(),
                                            [](const NetworkStep& s) { return s.kernel == Kernel::Cluster; });
                if (c != n.steps.end()) std::rotate(n.steps.begin(), c, c + 1);
              },
              {mapped}),
      network("clusters", "a step is lost", "what is left out is not read, as it seems",
              [](Network& n) {
                const auto last = std::find_if(n.steps.rbegin(), n.steps.rend(),
                                               [](const NetworkStep& s) { return s.kernel == Kernel::Cluster; });
                if (last != n.steps.rend()) n.steps.erase(last.base() - 1);
              },
              {mapped}),
  };
}

std::vector<Mutant> wrong_loops() {
  return {
      network("distributions", "parts exchanged", "one distribution's elements in the other's place",
              [](Network& n) {
                each(n, Kernel::Distribute, 2, [](NetworkStep& s) { std::swap(s.operands[1], s.operands[2]); });
              },
              {distributed}),
      network("distributions", "another descriptor", "distributions by the flags of what is distributed",
              [](Network& n) {
                each(n, Kernel::Distribute, 0,
                     [](NetworkStep& s) { s.operands[0].is_short = !s.operands[0].is_short; });
              },
              {distributed}),
      network("distributions", "a part is lost", "the last of several distributions is not given",
              [](Network& n) { each(n, Kernel::Distribute, 0, [](NetworkStep& s) { s.produces.pop_back(); }); },
              {distributed}),
      changed_program("loops", "no slack", "windows hold no more than an element at a time",
                      [](Program& p) { p.slack = 0; }, {behind}),
      network("loops", "results are narrow", "a result in a window of a loop",
              [](Network& n) {
                for (const StreamId s : n.results()) n.narrow.insert(s);
              },
              {mapped}),
      network("loops", "a loop without its beginning", "what a loop's steps read in little windows is made outside",
              [](Network& n) {
                for (auto& loop : n.loops) loop.erase(loop.begin());
              },
              {distributed}),
  };
}

std::vector<Mutant> wrong_pieces() {
  return {
      pieces("pieces", "cut anywhere", "a file is cut inside of its lines",
             [](transducer::Pieces& p) { p.cut.fill(true); }, {words}),
      pieces("pieces", "two streams exchanged", "the tail takes one of the bodies' streams for the other",
             [](transducer::Pieces& p) {
               if (p.given.size() > 1) std::swap(p.given[0], p.given[1]);
             },
             {words, ranged_two}),
      pieces("pieces", "a stream is not given", "the tail waits for what no body gives",
             [](transducer::Pieces& p) { p.given.pop_back(); }, {ranged}),
      pieces("pieces", "every piece is the first", "bodies are given another stream for the root",
             [](transducer::Pieces& p) {
               svcode::Program body = *p.body.code;
               for (Instr& i : body.instructions)
                 if (i.opcode == Opcode::Map && i.arguments.size() == 2) i.arguments[1] = i.arguments[0];
               p.body = Network(std::move(body), p.body.forms);
             },
             {ranged}),
      pieces("pieces", "the head is the root's end", "the root is a piece shorter",
             [](transducer::Pieces& p) {
               svcode::Program head = *p.head.code;
               for (Instr& i : head.instructions)
                 if (i.opcode == Opcode::Constant && i.type == svcode::Prim::Int && i.atom().integer > 1)
                   --i.atom().integer;
               p.head = Network(std::move(head), p.head.forms);
             },
             {"fun main() = sum({x * x : x in &40})"}),
      pieces("bodies", "bodies give in another order", "what a body gives last comes first",
             [](transducer::Pieces& p) { std::reverse(p.given.begin(), p.given.end()); }, {ranged_two}),
      pieces("bodies", "bodies give too little", "the last that the tail asks for is left out",
             [](transducer::Pieces& p) { p.given.pop_back(); }, {ranged}),
  };
}

}  // namespace

std::vector<Mutant> step_mutants() {
  std::vector<Mutant> all = wrong_slices();
  for (auto more : {wrong_bases, wrong_clusters, wrong_loops, wrong_pieces})
    for (Mutant& m : more()) all.push_back(std::move(m));
  return all;
}

}  // namespace lockstep::props::stream
