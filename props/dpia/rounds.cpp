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

// The work of the calls that a loop's cost asks for, of each function once.
class Calls final : public SourceCosts {
 public:
  explicit Calls(SourceCosts& costs) : costs_(costs) {}
  Cost before(const PhraseRef& e) override { return costs_.before(e); }
  Cost named(const PhraseRef& e) override { return costs_.named(e); }
  Cost into(const PhraseRef& e) override { return costs_.into(e); }
  Cost read(const PhraseRef& e) override { return costs_.read(e); }
  Cost assigned(const PhraseRef& e) override { return costs_.assigned(e); }
  Cost moved(const Type& d, const PhraseRef& e) override { return costs_.moved(d, e); }
  Cost call(const PhraseRef& f, const std::vector<PhraseRef>& with) override {
    const Cost one = costs_.call(f, with);
    if (called_.insert(f.get()).second) work = work + one.work;
    return one;
  }
  void bind(const PhraseRef& f, const PhraseRef& e) override { costs_.bind(f, e); }
  Size iterations() override { return costs_.iterations(); }

  Size work = 0;

 private:
  SourceCosts& costs_;
  std::set<const Phrase*> called_;
};

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
    loop.cost = [&out, cost = loop.cost](SourceCosts& costs, const PrimPhrase& e, bool to_acceptor) {
      Calls noted(costs);
      const Cost all = cost(noted, e, to_acceptor);
      out.push_back(noted.work);
      return all;
    };
  });
  cost(costed);
  return out;
}

}  // namespace lockstep::props
