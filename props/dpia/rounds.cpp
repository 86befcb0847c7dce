// Rounds counted by programs whose loops of as many rounds as data says (`while`) are other primitives: the same
// meaning on functions that count.
#include "props/dpia/rounds.h"

#include "semantics/functional/cost.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {

struct Rounds::State {
  std::uint64_t each = any_rounds, all = any_rounds;
  std::uint64_t taken = 0, of_this = 0;  // by all loops, by the outermost one that is under way
  int depth = 0;
};

namespace {

// Every such loop as `change` has it.
PhraseRef with_rounds(const PhraseRef& p, const std::function<void(Loop&)>& change) {
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return with_rounds(c, change); });
  const auto* x = as<PrimPhrase>(*q);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  if (!loop || !loop->round) return q;
  Primitive changed = *x->primitive;
  change(std::get<Loop>(changed.kind));
  Phrase out = *q;
  std::get<PrimPhrase>(out.node).primitive = std::make_shared<const Primitive>(std::move(changed));
  return out;
}

struct Inside {
  explicit Inside(Rounds::State& s) : state(s) {
    if (state.depth++ == 0) state.of_this = 0;
  }
  ~Inside() { --state.depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  Rounds::State& state;
};

void count_rounds(Loop& loop, const std::shared_ptr<Rounds::State>& state) {
  loop.meaning = [meaning = loop.meaning, round = *loop.round, state](const std::vector<std::int64_t>& sizes,
                                                                      std::span<const Value> args) {
    const Inside inside(*state);
    std::vector<Value> all(args.begin(), args.end());
    all[round] = function_value([step = args[round], state](std::span<const Value> x) {
      ++state->taken;
      ++state->of_this;
      if (state->taken > state->all || state->of_this > state->each) throw EndlessSignal{};
      return call(step, x);
    });
    return meaning(sizes, all);
  };
}

}  // namespace

Rounds::Rounds() : state_(std::make_shared<State>()) {}

PhraseProgram Rounds::counted(const PhraseProgram& program) const {
  PhraseProgram out = program;
  out.body = with_rounds(program.body, [this](Loop& loop) { count_rounds(loop, state_); });
  return out;
}

void Rounds::restart(std::uint64_t each, std::uint64_t all) const { *state_ = State{each, all}; }

std::uint64_t Rounds::taken() const { return state_->taken; }

std::vector<Size> round_work(const PhraseProgram& program) {
  std::vector<Size> out;
  PhraseProgram costed = program;
  costed.body = with_rounds(program.body, [&out](Loop& loop) {
    loop.cost = [&out, cost = loop.cost](const Instance& at, const std::vector<Cost>& functions) {
      Size work = 0;
      for (const Cost& f : functions) work = work + f.work;
      out.push_back(work);
      return cost(at, functions);
    };
  });
  cost(costed);
  return out;
}

}  // namespace lockstep::props
