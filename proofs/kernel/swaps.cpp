// States that are swapped: `after` is `before` but for loops of which two rounds are one. The first does what the round
// of `before` does up to copies of arrays (there: from `next` to `state`), and behind each copy has the array that it
// copies from where the round has the one that it copies to; the second does the same with the two exchanged. Behind an
// odd number of rounds stand the copies, or one round as before. Of each such copy: all of `state` is copied, so that
// either array may have what the other had; and what a round reads of `next` it has written itself. Stated on the two
// programs, with nothing of the stage's code.
#include "proofs/kernel/same_but.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

struct Copied {
  std::string state, next;
  std::size_t loops = 0;  // of the copy
  friend bool operator==(const Copied&, const Copied&) = default;
};

// Loops around stores of what other arrays have at the same index.
std::vector<Copied> copied_by(const Stmt& s) {
  const auto inside = [](const Stmt& body) {
    std::vector<Copied> all = copied_by(body);
    for (Copied& c : all) ++c.loops;
    return all;
  };
  if (const auto* f = std::get_if<For>(&s.node)) return inside(*f->body);
  if (const auto* p = std::get_if<ParallelFor>(&s.node))
    return p->scratch.empty() ? inside(*p->body) : std::vector<Copied>{};
  std::vector<Copied> out;
  if (const auto* b = std::get_if<kernel::Block>(&s.node)) {
    for (const Stmt& x : b->statements) {
      std::vector<Copied> one = copied_by(x);
      if (one.empty()) return {};
      out.insert(out.end(), one.begin(), one.end());
    }
    return out;
  }
  const auto* store = std::get_if<Store>(&s.node);
  const auto* l = store ? std::get_if<Load>(&store->value.node) : nullptr;
  const auto* v = store ? std::get_if<VectorLoad>(&store->value.node) : nullptr;
  if (l && *l->index == store->index) out.push_back({store->buffer, l->buffer});
  if (v && *v->index == store->index) out.push_back({store->buffer, v->buffer});
  return out;
}

std::size_t mentions_of(const Stmt& s, const std::string& name) {
  std::size_t n = 0;
  each_node(
      s, [&](const Stmt& x) { n += is_write_of(x, name); }, [&](const Expr& e) { n += is_read_of(e, name); });
  return n;
}
// In the order of the text.
std::vector<std::string> bound_in(const Stmt& s) {
  std::vector<std::string> out;
  each_statement(s, [&](const Stmt& x) {
    if (const auto* d = std::get_if<Declare>(&x.node)) out.push_back(d->name);
    if (const auto* d = std::get_if<Shuffle>(&x.node)) out.push_back(d->name);
    if (const auto* a = std::get_if<Allocate>(&x.node)) out.push_back(a->name);
    if (const auto* f = std::get_if<For>(&x.node)) out.push_back(f->name);
    if (const auto* p = std::get_if<ParallelFor>(&x.node)) {
      out.push_back(p->name);
      for (const Allocate& a : p->scratch) out.push_back(a.name);
    }
  });
  return out;
}
using NewNames = std::map<std::string, std::string>;
Stmt renamed(const Stmt& s, const NewNames& by) {
  Stmt out = s;
  for (const auto& [from, to] : by) out = rename(out, from, to);
  return rewritten(out, StmtChange([&](const Stmt& x) {
                     Stmt y = x;
                     const auto in = [&](std::string& name) {
                       if (const auto it = by.find(name); it != by.end()) name = it->second;
                     };
                     if (auto* f = std::get_if<For>(&y.node)) in(f->name);
                     if (auto* p = std::get_if<ParallelFor>(&y.node)) in(p->name);
                     return std::vector{std::move(y)};
                   }));
}
Stmt exchanged(const Stmt& s, const std::vector<Copied>& states) {
  static const std::string between = own_name("between");
  Stmt out = s;
  for (const Copied& c : states) out = rename(rename(rename(out, c.state, between), c.next, c.state), between, c.next);
  return out;
}

class InTwoRounds final : public SameBut {
 public:
  InTwoRounds(const Program& before, const Program& after) : before_(before.body), after_(after.body) {}
  std::vector<Copied> copies;

 private:
  using Statements = std::vector<Stmt>;

  bool statements(const Statements& before, const Statements& after) override {
    std::size_t at = 0;
    for (const Stmt& s : before) {
      const std::size_t n = stand_for(s, after, at);
      if (n == 0) return false;
      at += n;
    }
    return at == after.size();
  }
  // How many of `after`, from `at` on; 0: none do.
  std::size_t stand_for(const Stmt& s, const Statements& after, std::size_t at) {
    if (at >= after.size()) return 0;
    const auto* loop = std::get_if<For>(&s.node);
    const auto* made = std::get_if<For>(&after[at].node);
    if (loop && made && loop->name != made->name)
      return in_pairs(*loop, {after.begin() + static_cast<std::ptrdiff_t>(at), after.end()});
    return same(s, after[at]) ? 1 : 0;
  }
  bool other(const Stmt& before, const Stmt& after) override {
    const auto* until = std::get_if<While>(&before.node);
    const auto* made = std::get_if<While>(&after.node);
    if (until && made) return in_two(*until, *made);
    const auto* loop = std::get_if<For>(&before.node);
    const auto* block = std::get_if<kernel::Block>(&after.node);
    const Statements all = block ? block->statements : Statements{after};
    return loop && in_pairs(*loop, all) == all.size();
  }

  // while (c) { round } is while (c) { there; if (c) { back } else { copies } }.
  bool in_two(const While& before, const While& after) {
    const auto* body = std::get_if<kernel::Block>(&after.body->node);
    if (!body || body->statements.size() != 2 || !(before.condition == after.condition)) return false;
    const auto* branch = std::get_if<If>(&body->statements[1].node);
    const auto* last = branch ? std::get_if<kernel::Block>(&branch->otherwise->node) : nullptr;
    if (!last || !(branch->condition == before.condition)) return false;
    const auto round = there(Stmt{before}, *before.body, body->statements[0], {});
    if (!round || !(round->dropped == last->statements)) return false;
    for (const Copied& c : round->states)
      if (reads(before.condition, c.state) || reads(before.condition, c.next)) return false;
    return is_back(*round, {}, body->statements[0], *branch->then);
  }

  // for (i < n) { round } is for (j < n / 2) { there, of 2*j; back, of 2*j + 1 }, and for (k < n % 2) { round } of the
  // last, which there is none of where n is a number that is even. How many of the statements that is; 0: it is not.
  std::size_t in_pairs(const For& before, const Statements& after) {
    const auto* pairs = after.empty() ? nullptr : std::get_if<For>(&after[0].node);
    const auto* both = pairs ? std::get_if<kernel::Block>(&pairs->body->node) : nullptr;
    const Expr two = constant(2), half = arith(ArithOp::Divide, before.extent, two);
    const Expr left = arith(ArithOp::Modulo, before.extent, two);
    if (!both || both->statements.size() != 2 || pairs->unroll || !(pairs->extent == half) || !stays(before.extent))
      return 0;
    const Expr first = arith(ArithOp::Multiply, variable(pairs->name), two);
    const Stmt &one = both->statements[0], &other = both->statements[1];
    const auto round = there(Stmt{before}, *before.body, one, {{before.name, first}});
    if (!round || !is_own(pairs->name, Stmt{*pairs}) ||
        !is_back(*round, {{before.name, arith(ArithOp::Add, first, constant(1))}}, one, other))
      return 0;
    if (constant_of(left) == 0) return 1;
    const auto* rest = after.size() > 1 ? std::get_if<For>(&after[1].node) : nullptr;
    if (!rest || rest->unroll || !(rest->extent == left) || !is_own(rest->name, Stmt{*rest})) return 0;
    const Expr last = arith(ArithOp::Add, arith(ArithOp::Multiply, half, two), variable(rest->name));
    return is_round(*round, with_value(*before.body, before.name, last), one, *rest->body) ? 2 : 0;
  }

  struct Round {
    std::vector<Copied> states;
    Statements kept, dropped;         // of `before`: kept with the states' names as they are by then
    std::vector<std::size_t> become;  // each of `before` so many; 0: it is dropped
  };
  using Numbers = std::map<std::string, Expr>;
  static Stmt with_numbers(Stmt s, const Numbers& numbers) {
    for (const auto& [name, value] : numbers) s = with_value(s, name, value);
    return s;
  }

  // The round's statements but for copies, each to an array that it has from elsewhere and from one that nothing but
  // the loop uses.
  std::optional<Round> there(const Stmt& loop, const Stmt& body, const Stmt& made, const Numbers& numbers) {
    const auto* before = std::get_if<kernel::Block>(&body.node);
    const auto* after = std::get_if<kernel::Block>(&made.node);
    if (!before || !after) return {};
    Round out;
    std::size_t at = 0;
    for (const Stmt& s : before->statements) {
      Stmt now = s;
      for (const Copied& c : out.states) {
        if (mentions_of(s, c.next) > 0) return {};
        now = rename(now, c.state, c.next);
      }
      const std::vector<Copied> copied = copied_by(s);
      const Stmt numbered = with_numbers(now, numbers);
      if (!copied.empty() && (at == after->statements.size() || !(numbered == after->statements[at]))) {
        for (const Copied& c : copied) {
          if (!is_state(c, loop)) return {};
          out.states.push_back(c);
          if (std::find(copies.begin(), copies.end(), c) == copies.end()) copies.push_back(c);
        }
        out.dropped.push_back(s);
        out.become.push_back(0);
        continue;
      }
      out.become.push_back(stand_for(numbered, after->statements, at));
      if (out.become.back() == 0) return {};
      at += out.become.back();
      out.kept.push_back(std::move(now));
    }
    std::set<std::string> names;
    for (const Copied& c : out.states)
      if (!names.insert(c.state).second || !names.insert(c.next).second) return {};  // it takes part in two
    if (at != after->statements.size() || names.empty()) return {};
    return out;
  }
  bool is_state(const Copied& c, const Stmt& loop) const {
    const std::vector<std::string> bound = bound_in(loop);
    return mentions_of(before_, c.next) == mentions_of(loop, c.next) &&
           std::none_of(bound.begin(), bound.end(), [&](const std::string& n) { return n == c.state || n == c.next; });
  }

  // `made` with the names that it binds as they are in `there`.
  bool is_back(const Round& round, const Numbers& numbers, const Stmt& there, const Stmt& made) {
    const auto own = names_as(made, bound_in(there));
    const Stmt expected = with_numbers(exchanged(Stmt{kernel::Block{round.kept}}, round.states), numbers);
    return own && same_again(expected, renamed(made, *own));
  }
  // A whole round: what is kept binds names as in `there`.
  bool is_round(const Round& round, const Stmt& expected, const Stmt& there, const Stmt& made) {
    const auto& as = std::get<kernel::Block>(expected.node).statements;
    const auto& kept = std::get<kernel::Block>(there.node).statements;
    std::vector<std::string> names;
    std::size_t at = 0;
    const auto add = [&](const Stmt& s) {
      for (std::string& n : bound_in(s)) names.push_back(std::move(n));
    };
    for (std::size_t k = 0; k < as.size(); ++k) {
      if (round.become[k] == 0) add(as[k]);
      for (std::size_t n = 0; n < round.become[k]; ++n) add(kept[at++]);
    }
    const auto own = names_as(made, names);
    return own && same_again(expected, renamed(made, *own));
  }
  bool same_again(const Stmt& expected, const Stmt& made) {
    const std::vector<Copied> found = copies;
    const bool out = same(expected, made);
    copies = found;  // those of loops in it are known from the first time
    return out;
  }
  // What the names that s binds, and nothing else does, are called; nothing where these are not one for one.
  std::optional<NewNames> names_as(const Stmt& s, const std::vector<std::string>& wanted) const {
    const std::vector<std::string> bound = bound_in(s);
    if (bound.size() != wanted.size()) return {};
    NewNames out, back;
    for (std::size_t k = 0; k < bound.size(); ++k) {
      if (!is_own(bound[k], s)) return {};
      if (out.emplace(bound[k], wanted[k]).first->second != wanted[k]) return {};
      if (back.emplace(wanted[k], bound[k]).first->second != bound[k]) return {};
    }
    return out;
  }
  bool is_own(const std::string& name, const Stmt& s) const {
    const auto times = [&](const Stmt& x) {
      const std::vector<std::string> all = bound_in(x);
      return std::count(all.begin(), all.end(), name);
    };
    return times(s) == times(after_);
  }
  // Sizes and loops' variables.
  bool stays(const Expr& e) const {
    const auto n = as_size(e);
    std::set<std::string> names;
    if (n) collect_names(*n, names);
    return n && std::none_of(names.begin(), names.end(), [&](const std::string& x) { return writes(before_, x); });
  }

  const Stmt &before_, &after_;
};

ProgramObligation taking_turns(const Accesses& a, const Copied& c, Prover& prover) {
  const Clock clock;
  ProgramObligation o{
      ObligationKind::Swaps, c.next + " and " + c.state + " take turns", "", Standing::Proved, {}, 0, ""};
  const auto doubt = [&](const std::string& why) { add_to(o, {Standing::Unknown, {}, why}); };
  const auto name = [&](int place) { return a.places[static_cast<std::size_t>(place)].name; };
  const Access* copy = nullptr;
  std::size_t found = 0;
  for (const Access& w : a.accesses)
    if (w.write && w.copied && name(w.place) == c.state && name(*w.copied) == c.next) copy = &w, ++found;
  if (found != 1) {
    doubt("the copy was not found");
    return o;
  }
  Situation step = copy->where;
  step.loops.resize(step.loops.size() - c.loops);
  o.where = show_loops(a, step), o.at = {copy->from};
  for (const std::size_t k : a.of_place[static_cast<std::size_t>(*copy->copied)])
    if (const Access& r = a.accesses[k]; !r.write) add_to(o, covered(a, r, prover, nullptr));
  // Any scalar of it, behind the copy.
  const std::string place = own_name("place");
  Accesses with_place = a;
  const auto loop = static_cast<int>(a.loops.size());
  with_place.loops.push_back({loop, LoopFrame::Kind::Sequential, Level::Seq, place,
                              a.places[static_cast<std::size_t>(copy->place)].count, ""});
  Access whole{step, copy->place, false, named(place), 1};
  whole.where.at = copy->where.at + 1;
  whole.where.loops.push_back(loop);
  const auto only = static_cast<std::size_t>(copy - a.accesses.data());
  add_to(o, covered(with_place, whole, prover, &with_place.accesses[only]));
  if (o.standing == Standing::Proved && o.method.way == Method::None) o.method = {Method::Structure};
  o.seconds = clock.seconds();
  return o;
}

}  // namespace

Obligations swaps_obligations(const Program& before, const Program& after, Prover& prover) {
  InTwoRounds walk(before, after);
  if (!walk.run(before, after))
    return {{ObligationKind::Swaps,
             "rounds differ in the arrays of their states only",
             "",
             Standing::Unknown,
             {},
             0,
             "the programs differ in more than which array a round's state is in"}};
  Obligations out;
  if (walk.copies.empty()) return out;
  const Accesses a = accesses_of(before);
  for (const Copied& c : walk.copies) out.push_back(taking_turns(a, c, prover));
  return out;
}

}  // namespace lockstep::proofs::kernels
