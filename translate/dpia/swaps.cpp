// Swapped states (ours): of a loop whose round makes the next state in an array of its own and then copies all of it
// back, every second round goes from that array to the state, and nothing is copied but behind an odd number of rounds.
// What the rounds read and write is as it was. In: a kernel without barriers, after in-place, which drops the array
// where the state can be written at once; out: the same with such loops of two rounds.
#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/copies.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

// A round that is longer stands once: loops around loops that have two rounds would double it again.
constexpr std::size_t longest_round = 1000;

std::size_t mentions_of(const Stmt& s, const std::string& name) {
  std::size_t n = 0;
  each_node(
      s, [&](const Stmt& x) { n += is_write_of(x, name); }, [&](const Expr& e) { n += is_read_of(e, name); });
  return n;
}

// A round without its copies, from the states to what they were copied from, and in the end these copies.
struct Round {
  std::vector<Stmt> statements, copies;
  std::vector<std::pair<std::string, std::string>> states;  // with where the next one is made
};

class Swaps {
 public:
  explicit Swaps(const Program& p) : program_(p), names_(names_of(p)), numbers_(p.sizes.begin(), p.sizes.end()) {
    const auto allocated = [&](const Allocate& a) {
      arrays_.emplace(a.name, &a);
      mentions_.emplace(a.name, mentions_of(p.body, a.name));
    };
    each_statement(p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) allocated(*a);
      if (const auto* loop = std::get_if<For>(&s.node)) numbers_.insert(loop->name);
      const auto* loop = std::get_if<ParallelFor>(&s.node);
      if (!loop) return;
      numbers_.insert(loop->name);
      for (const Allocate& a : loop->scratch) allocated(a);
    });
  }

  Stmt run() {
    return rewritten(
        program_.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
          const auto* until = std::get_if<While>(&s.node);
          const auto* counted = std::get_if<For>(&s.node);
          auto swapped = until ? in_two(*until, s.region) : counted ? in_pairs(*counted, s.region) : Swapped();
          if (!swapped) return {s};
          for (auto& [name, n] : mentions_) {
            n -= mentions_of(s, name);
            for (const Stmt& x : *swapped) n += mentions_of(x, name);
          }
          return *swapped;
        }));
  }

 private:
  using Swapped = std::optional<std::vector<Stmt>>;

  Swapped in_two(const While& loop, const Region& at) {
    const auto round = round_of(*loop.body);
    if (!round) return {};
    for (const auto& [state, next] : round->states)
      if (reads(loop.condition, state) || reads(loop.condition, next)) return {};
    const Stmt branch{If{loop.condition, back(*round, at), Stmt{Block{round->copies}, at}}, at};
    return {{{While{loop.condition, Stmt{Block{{there(*round, at), branch}}, at}}, at}}};
  }

  // Of 2*j and 2*j + 1, and what is left as it was.
  Swapped in_pairs(const For& loop, const Region& at) {
    if (loop.unroll || constant_of(loop.extent) == 1 || !is_known(loop.extent) || !is_counted(*loop.body)) return {};
    const auto round = round_of(*loop.body);
    if (!round) return {};
    const Expr two = constant(2), half = arith(ArithOp::Divide, loop.extent, two);
    const std::string pair = names_.fresh(loop.name), rest = names_.fresh(loop.name);
    const Expr first = arith(ArithOp::Multiply, variable(pair), two);
    const Stmt both{Block{{with_value(there(*round, at), loop.name, first),
                           with_value(back(*round, at), loop.name, arith(ArithOp::Add, first, constant(1)))}},
                    at};
    std::vector<Stmt> out{{For{pair, half, both}, at}};
    const Expr left = arith(ArithOp::Modulo, loop.extent, two);
    const Expr last = arith(ArithOp::Add, arith(ArithOp::Multiply, half, two), variable(rest));
    if (constant_of(left) != 0)
      out.push_back({For{rest, left, with_own_names(with_value(*loop.body, loop.name, last), names_)}, at});
    return out;
  }

  static std::optional<Round> of_length(const Stmt& body) {
    std::size_t nodes = 0;
    each_node(
        body, [&](const Stmt&) { ++nodes; }, [&](const Expr&) { ++nodes; });
    return nodes <= longest_round ? std::optional(Round()) : std::nullopt;
  }
  std::optional<Round> round_of(const Stmt& body) const {
    const auto* b = std::get_if<Block>(&body.node);
    auto out = b ? of_length(body) : std::nullopt;
    if (!out) return {};
    for (const Stmt& s : b->statements) {
      if (const auto all = copies_of(s); !all.empty() && are_states(all, body, *out)) {
        for (const Copy& c : all) out->states.emplace_back(c.state, c.next);
        out->copies.push_back(s);
        continue;
      }
      Stmt renamed = s;
      for (const auto& [state, next] : out->states) {
        if (mentions_of(s, next) > 0) return {};
        renamed = rename(renamed, state, next);
      }
      out->statements.push_back(std::move(renamed));
    }
    return out->states.empty() ? std::nullopt : out;
  }

  // Of arrays that take no part in another copy.
  bool are_states(const std::vector<Copy>& copies, const Stmt& round, const Round& others) const {
    std::set<std::string> names;
    for (const auto& [state, next] : others.states) names.insert({state, next});
    return std::all_of(copies.begin(), copies.end(), [&](const Copy& c) {
      return is_state(c, round) && names.insert(c.state).second && names.insert(c.next).second;
    });
  }
  // Whether all of an array is copied from one that nothing but the round uses.
  bool is_state(const Copy& c, const Stmt& round) const {
    const Allocate *state = allocation(c.state), *next = allocation(c.next);
    if (!next || mentions_.at(c.next) != mentions_of(round, c.next) || binds(round, c.next)) return false;
    for (const Buffer& b : program_.outputs)
      if (b.name == c.state)
        return next->space == Space::Global && next->type == b.type && as_size(next->count) == b.count &&
               c.covered == b.count;
    return state && !binds(round, c.state) && state->type == next->type && state->space == next->space &&
           state->count == next->count && as_size(state->count) == c.covered;
  }
  const Allocate* allocation(const std::string& name) const {
    const auto a = arrays_.find(name);
    return a == arrays_.end() ? nullptr : a->second;
  }
  static bool binds(const Stmt& s, const std::string& name) {
    bool out = false;
    each_statement(s, [&](const Stmt& x) {
      for (const std::string& n : bound_by(x)) out = out || n == name;
    });
    return out;
  }

  // Made of sizes and loops' variables: what costs say of two such loops has the same names.
  bool is_known(const Expr& e) const {
    const auto n = as_size(e);
    std::set<std::string> names;
    if (n) collect_names(*n, names);
    return n && std::all_of(names.begin(), names.end(), [&](const std::string& x) { return numbers_.contains(x); });
  }
  bool is_counted(const Stmt& s) const {
    bool out = !has<While>(s);
    each_statement(s, [&](const Stmt& x) {
      if (const auto* loop = std::get_if<For>(&x.node)) out = out && is_known(loop->extent);
      if (const auto* loop = std::get_if<ParallelFor>(&x.node)) out = out && is_known(loop->extent);
    });
    return out;
  }

  static Stmt there(const Round& r, const Region& at) { return {Block{r.statements}, at}; }
  Stmt back(const Round& r, const Region& at) {
    Stmt out = with_own_names(there(r, at), names_);
    const std::string between = names_.fresh("between");
    for (const auto& [state, next] : r.states)
      out = rename(rename(rename(out, state, between), next, state), between, next);
    return out;
  }
  const Program& program_;
  Names names_;
  std::set<std::string> numbers_;  // sizes and variables of loops
  std::map<std::string, const Allocate*> arrays_;
  std::map<std::string, std::size_t> mentions_;  // of arrays, as the program is by now
};

}  // namespace

kernel::Program with_swapped_states(const kernel::Program& p) {
  Program out = p;
  out.body = Swaps(p).run();
  return out;
}

Stage swaps(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("swaps", "ours", kernel, kernel,
                                                    [](const kernel::Program& p, Owed* owed) {
                                                      const kernel::Program out = with_swapped_states(p);
                                                      if (owed) owed->push_back({"swaps", Erased(RoundsSwap{p, out})});
                                                      return out;
                                                    },
                                                    {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep
