// What of a program of a trace is checked, run and costed.
#include "props/dpia/subjects.h"

#include "props/dpia/gpu_costs.h"
#include "props/dpia/live_memory.h"
#include "props/dpia/needed_barriers.h"
#include "props/dpia/reordered.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/primitives/constant.h"

namespace lockstep::props {

Attempt attempt(const AnyProgram& program, const TestedInput& e, ArrayRun how, const Rounds& rounds,
                const Domain& domain) {
  how.rounds = rounds_allowed(e.rounds);
  rounds.restart(any_rounds, how.rounds);
  try {
    return array_language(program).meaning(program, e, domain, how);
  } catch (const EndlessSignal&) {
    return tl::unexpected("more than " + std::to_string(how.rounds) + " rounds of `while`, the source " +
                          std::to_string(e.rounds));
  }
}

Disagreement Tests::disagreement(const TestedInput& e, std::string found) const {
  std::string expected = e.expected ? lockstep::props::shown(*e.expected, source.result, e.sizes) : shown(e.traps);
  return {e.shown(), std::move(expected), std::move(found)};
}

std::optional<Disagreement> Tests::differs(const TestedInput& e, const Attempt& got) const {
  if (!got) return disagreement(e, got.error());
  if (same_outcome(e.expected, e.traps, *got)) return {};
  return disagreement(e, lockstep::props::shown(*got, source.result, e.sizes));
}

namespace {

// ------------------------------------------------------------------------------------------------ programs
// Up to spaces, and to which level a parallel loop is of: runs know nothing of them.
PhraseRef without_places(const PhraseRef& p) {
  const PhraseRef q = map_children(p, without_places);
  const auto* x = as<ImpPhrase>(*q);
  if (!x) return q;
  Phrase out = *q;
  imp::Constant& c = std::get<ImpPhrase>(out.node).constant;
  if (auto* v = std::get_if<imp::New>(&c)) v->space = Space::Auto;
  if (Level* level = lockstep::level_of(c); level && is_parallel(*level)) *level = Level::Par;
  return c == x->constant ? q : PhraseRef(std::move(out));
}
bool same_runs(const AnyProgram& a, const AnyProgram& b) {
  if (a.language().name != b.language().name) return false;
  const auto *p = a.as_if<PhraseProgram>(), *q = b.as_if<PhraseProgram>();
  if (!p || !q) return a.language_ref() == b.language_ref() && a.language().equal(a, b);
  return p->output == q->output && alpha_equal(*without_places(p->body), *without_places(q->body));
}
bool combines(const Phrase& p) {
  const auto* x = as<ImpPhrase>(p);
  const auto* own = x ? as<imp::Own>(*x) : nullptr;
  const auto* y = as<PrimPhrase>(p);
  const auto* loop = y ? std::get_if<Loop>(&y->primitive->kind) : nullptr;
  bool found = (own && own->constant->facets->any_order) || (loop && loop->any_order);
  for_each_child(p, [&](const PhraseRef& c) { found = found || combines(*c); });
  return found;
}

class StepSubject : public Subject {
 public:
  StepSubject(Row row, Tests& tests, std::size_t trace, std::size_t k)
      : Subject(std::move(row)),
        tests_(tests),
        trace_(trace),
        k_(k),
        rounding_(tests.traces[trace].rounds(k)),
        row_(tests.spent.size()),
        spent_(tests.inputs.size()) {
    tests.spent.emplace_back();
  }

  void check(Row& row) override {
    if (functional() && (!tests_.effort.check_functional || k_ == 0)) return;
    if (const std::string wrong = tests_.effort.read_back && kernel() ? wrong_read_back(program()) : "";
        !wrong.empty()) {
      row.ill_formed = {wrong};
      row.ill_as = "round trip";
    } else {
      row.ill_formed = program().language().check(program(), tests_.effort.implied);
    }
  }

  std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) override {
    if (functional() || tests_.effort.over_again) return {};
    const auto stands = [&](const Row& r) {
      return r.ill_formed.empty() && (phrase() || !r.wrong()) && r.well_formed == planned.well_formed;
    };
    const Step& last = trace().steps[k_ - 1];
    if (before.back().name == last.name && same_runs(program(), last.program))
      return stands(before.back()) ? std::optional(before.size() - 1) : std::nullopt;
    if (trace_ == 0 || !phrase()) return {};
    const Step& other = tests_.traces[0].steps[k_];
    if (other.name == planned.name && same_runs(program(), other.program) && stands(before.at(k_))) return k_;
    return {};
  }
  void take_over(std::size_t row) override {
    took_over_ = true;
    spent_ = tests_.spent.at(row);
  }

  bool takes(std::size_t input) const override { return !tests_.inputs[input].lost; }
  void test(Row& row, std::size_t input) override {
    const TestedInput& e = tests_.inputs[input];
    if (planned.reference || (functional() && !tests_.effort.over_again && is_source())) {  // the source's own
      spent_[input] = tests_.applied[input];
      row.runs += !planned.reference;
      return;
    }
    if (!run_) {
      any_order_ = phrase() && !functional() && combines(*phrase()->body);
      run_ = functional() ? AnyProgram(program().language_ref(), tests_.rounds.counted(*phrase())) : program();
    }
    const ArrayLanguage& language = array_language(*run_);
    for (std::size_t order = 0; order < orders_for(e, language.orders) && !row.disagreement; ++order) {
      if (order == 0) tests_.tally.restart();
      Counted counted{};
      const Attempt got =
          attempt(*run_, e, {.order = order, .seed = tests_.effort.seed, .counted = &counted}, tests_.rounds);
      if (order == 0 && got && *got) spent_[input] = Spent{tests_.tally.counts(), counted};
      row.disagreement = tests_.differs(e, got);
      if (row.disagreement && any_order_ && order > 0) reassociated(row, e, got);
      if (rounding_ != Rounding::AsBefore) rounded_otherwise(row, input, got);
      ++row.runs;
      row.interleaved += language.orders > 1 && order >= language.in_turns;
    }
  }

  void finish(Row& row) override {
    if (!took_over_ && tests_.effort.adversarial && kernel()) interleave(row);
    tests_.spent[row_] = spent_;
    const auto& costs = tests_.costs[trace_];
    Related related{"what is counted stands to its costs as the stage's relation says"};
    for (std::size_t i = 0; costs && i < spent_.size() && !related.wrong; ++i) {
      if (!spent_[i] || !tests_.applied[i]) continue;
      ++related.inputs;
      const TestedInput& e = tests_.inputs[i];
      if (const auto d = costs->step(k_, e.sizes, tests_.applied[i]->applied, spent_[i]->applied, spent_[i]->counted))
        related.wrong = Disagreement{e.shown(), "", *d};
    }
    row.related.push_back(std::move(related));
    if (planned.name != "places") return;
    if (const auto live = live_memories(before_places(trace())); has_shared(live))
      row.related.push_back(places_kept_apart(live));
  }

  std::pair<std::string, std::string> around() const override {
    if (k_ == 0) return {};
    const AnyProgram& before = trace().steps[k_ - 1].program;
    return {before.language().print(before), text()};
  }
  std::string text() const override { return program().language().print(program()); }

 private:
  const DpiaTrace& trace() const { return tests_.traces[trace_]; }
  const AnyProgram& program() const { return trace().steps[k_].program; }
  const PhraseProgram* phrase() const { return program().as_if<PhraseProgram>(); }
  const kernel::Program* kernel() const { return program().as_if<kernel::Program>(); }
  bool functional() const { return phrase() && phrase()->output.empty(); }
  bool is_source() {
    if (!is_source_) is_source_ = program().language().equal(program(), trace().steps[0].program);
    return *is_source_;
  }
  // One order is enough for what is large.
  std::size_t orders_for(const TestedInput& e, std::size_t all) const {
    return std::min<std::size_t>({all, tests_.effort.orders,
                                  e.load > load_limit          ? std::size_t{1}
                                  : e.load > interleaved_limit ? std::size_t{3}
                                                               : all});
  }

  // Takes the disagreement back where the result lies within the error bound of every order of additions.
  void reassociated(Row& row, const TestedInput& e, const Attempt& got) const {
    if (!got || !*got || !e.bounded || !*e.bounded) return;
    const Comparison c = compare_within_bound(**e.bounded, **got, tests_.source.result, e.sizes);
    if (!c.agrees || c.unbounded > 0 || too_many_undecided(c.wide, c.floats)) {
      row.disagreement->found +=
          ", where permute combined its values in another order: its function has to be associative and commutative";
      return;
    }
    row.disagreement.reset();
    ++row.reassociated;
    row.rounding.add(c.rounding);
  }

  // Where the program computes the same but for roundings, what comes behind it is held to it; where these decide that
  // a loop takes more rounds than it may, nothing behind it is run.
  void rounded_otherwise(Row& row, std::size_t input, const Attempt& got) const {
    TestedInput& e = tests_.inputs[input];
    if (row.disagreement && (!got || *got) && e.expected) {
      row.disagreement = differs_but_for_roundings(e);
      if (row.disagreement) return;
      if (!got) return lose(row, input);
      if (e.bounded && *e.bounded) {
        const Comparison c = compare_within_bound(**e.bounded, **got, tests_.source.result, e.sizes);
        if (!c.agrees) row.disagreement = Disagreement{e.shown(), c.expected, c.found};
        row.rounding.add(c.rounding);
      }
      row.reassociated += !row.disagreement;
    }
    if (row.disagreement) return;
    e.expected = *got;
    tests_.applied[input] = spent_[input];
  }
  void lose(Row& row, std::size_t input) const {
    tests_.inputs[input].lost = true;
    tests_.applied[input].reset();
    ++row.not_run;
  }
  const AnyProgram& before() const { return trace().steps[k_ - 1].program; }
  // On the reals, or with two roundings in each fma; nothing, too, where the program before does not come to an end so.
  std::optional<Disagreement> differs_but_for_roundings(const TestedInput& e) const {
    const bool reals = rounding_ == Rounding::Reordered;
    const Domain& domain = reals ? exact_domain() : twice_rounded_domain();
    const auto text = [&](const Outcome& o) {
      return reals ? shown_on_reals(o, tests_.source.result, e.sizes)
                   : lockstep::props::shown(o, tests_.source.result, e.sizes) + " with two roundings in each fma";
    };
    const auto over = [&](const AnyProgram& program) {
      const AnyProgram counted(program.language_ref(), tests_.rounds.counted(program.as<PhraseProgram>()));
      return attempt(counted, e, {}, tests_.rounds, domain);
    };
    const Attempt was = over(before());
    if (!was) return {};
    const Attempt now = over(program());
    if (!now) return Disagreement{e.shown(), text(*was), now.error() + ", over " + std::string(domain.name())};
    if (reals ? same_reals(*was, *now) : same_outcome(*was, e.traps, *now)) return {};
    return Disagreement{e.shown(), text(*was), text(*now)};
  }

  // The small inputs again, threads changing places at every access.
  void interleave(Row& row) const {
    const auto& language = dynamic_cast<const kernel::Language&>(program().language());
    std::vector<std::size_t> of_others;
    for (std::size_t k = 0; language.synchronised && k < tests_.inputs.size() && !row.disagreement; ++k) {
      if (!takes(k)) continue;
      const TestedInput& e = tests_.inputs[k];
      const std::size_t one_after_another = orders_for(e, language.orders);
      const auto how = tests_.effort.adversarial(e, k);
      if (!how) {
        of_others.push_back(one_after_another);
        continue;
      }
      const OrdersTried tried =
          try_orders(*kernel(), e.sizes, kernel::buffers_of(*kernel(), e), *how, [&](const auto& outputs) {
            const auto d = tests_.differs(e, kernel::attempt_of(*kernel(), outputs));
            return d ? std::optional(d->found) : std::nullopt;
          });
      row.runs += tried.runs;
      row.interleaved += tried.runs;
      row.explored += tried.every;
      if (!tried.every) of_others.push_back(one_after_another + tried.runs);
      if (tried.wrong) row.disagreement = tests_.disagreement(e, *tried.wrong);
      if (!tried.wrong && tests_.effort.gpu_costs && trace().machine == Machine::Gpu) count_warps(row, e);
    }
    if (language.synchronised && !row.disagreement) tests_.orders.add(row.explored, of_others);
  }

  // Arrays that are live together have no place together.
  Related places_kept_apart(const std::vector<LiveMemory>& before) const {
    Related out{"a block has as many bytes as are live at one time"};
    out.name = "memory";
    for (std::size_t k = 0; k < tests_.inputs.size() && !out.wrong; ++k) {
      const TestedInput& e = tests_.inputs[k];
      ++out.inputs;
      if (const auto wrong = overlaid(before, *kernel(), e.sizes)) out.wrong = Disagreement{e.shown(), "", *wrong};
    }
    return out;
  }

  void count_warps(Row& row, const TestedInput& e) const {
    const auto refuted = gpu_cost_differences(*kernel(), e.sizes, kernel::buffers_of(*kernel(), e), ieee_domain());
    if (refuted && !refuted->empty()) row.disagreement = tests_.disagreement(e, "costs on a GPU: " + refuted->front());
  }

  Tests& tests_;
  const std::size_t trace_, k_;
  const Rounding rounding_;  // where it is another one, those behind it are held to it
  const std::size_t row_;
  SpentByInput spent_;
  std::optional<AnyProgram> run_;  // whose `while` loops count
  std::optional<bool> is_source_;
  bool any_order_ = false;  // what it combines
  bool took_over_ = false;
};

// Nothing of a program that is wrongly typed, and has no cost.
template <class F>
auto where_costed(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const Bug&) {
    return {};
  }
}

Row row_of(const Step& step, Machine machine) {
  const bool gpu = machine == Machine::Gpu;
  Row row{step.name, step.cite, "the program after " + step.name + " (" + step.cite + (gpu ? ", for the GPU)" : ")"),
          step.program.language().name};
  if (gpu) row.heading = "for the GPU, run by the interpreters";
  row.seconds = step.seconds;
  row.nodes = step.program.language().nodes(step.program);
  return row;
}
std::vector<std::string> cells(const Cost& c) {
  return {lockstep::show(c.work), lockstep::show(c.depth), lockstep::show(c.space)};
}
}  // namespace

void OrdersRun::add(std::size_t explored, const std::vector<std::size_t>& orders_of_others) {
  every = std::min(every.value_or(explored), explored);
  others = std::max(others, orders_of_others.size());
  for (const std::size_t n : orders_of_others) {
    fewest = fewest == 0 ? n : std::min(fewest, n);
    most = std::max(most, n);
  }
}
std::string OrdersRun::text() const {
  const std::size_t n = every.value_or(0);
  std::string out = "each kernel ran in every order of iterations and threads, up to equivalence, on ";
  out += n == 0 ? "no input" : n == 1 ? "1 input" : std::to_string(n) + " inputs";
  if (others == 0) return out;
  out += "; on " + std::to_string(others) + (n > 0 ? " more" : "") + ", which had over " +
         std::to_string(static_cast<int>(explored_limit)) + " scalars, " + std::to_string(orders_explored) +
         " orders or " + std::to_string(accesses_explored) + " accesses to shared memory, in " +
         std::to_string(fewest) + (most > fewest ? " to " + std::to_string(most) : "") +
         (most == 1 ? " order" : " orders") + ", at most " + std::to_string(kernel::InterleaveOptions{}.live) +
         " iterations of a loop under way";
  return out;
}

void Tests::add_rows(Case& c, double source_seconds) {
  const std::size_t trace = traces.size() - 1;
  const DpiaTrace& t = traces.back();
  costs.push_back(where_costed([&] { return std::optional<CostCheck>(std::in_place, t, tally); }));
  const auto leaves = leaves_of(source.result);
  const bool floats = std::any_of(leaves.begin(), leaves.end(), [](const Leaf& l) { return is_float(l.scalar); });
  const bool may_reassociate = floats && combines(*source.body);
  std::size_t held_to = 0;
  for (std::size_t k = 0; k < t.steps.size(); ++k) {
    const AnyProgram& p = t.steps[k].program;
    const auto* phrase = p.as_if<PhraseProgram>();
    const auto made = [&](const Step& s) { return s.name == t.steps[k].name && p.language().equal(p, s.program); };
    if (trace > 0 && phrase && std::ranges::any_of(traces[0].steps, made)) continue;
    Row row = row_of(t.steps[k], t.machine);
    const bool functional = phrase && phrase->output.empty();
    row.reference = trace == 0 && k == 0;
    if (row.reference) row.seconds += source_seconds;
    if (held_to > 0) row.same = "computes what the program after " + t.steps[held_to].name + " does, bit for bit";
    const Rounding rounding = t.rounds(k);
    if (rounding != Rounding::AsBefore) held_to = k;
    row.contracts = rounding == Rounding::Contracted;
    row.checked_as = functional ? "inferred" : phrase ? "Fig. 3" : p.language().name;
    if (!functional || effort.check_functional) row.well_formed = "is well typed";
    row.may_reassociate = (phrase && !functional && may_reassociate) || (rounding != Rounding::AsBefore && floats);
    if (!effort.over_again) row.costs = cells(where_costed([&] { return p.language().cost(p); }));
    c.stages.push_back(std::make_unique<StepSubject>(std::move(row), *this, trace, k));
  }
}

std::function<std::optional<OrdersOptions>(const TestedInput&, std::size_t)> orders_by_load(std::uint64_t seed) {
  return [seed](const TestedInput& e, std::size_t k) -> std::optional<OrdersOptions> {
    if (e.load > one_order_limit) return {};
    OrdersOptions how;
    how.seed = seed + k;
    how.explore = e.load <= explored_limit;
    if (e.load > interleaved_limit) how.orders = 1;
    how.while_limit = rounds_allowed(e.rounds);
    return how;
  };
}

std::vector<std::string> notes_of_blocks(const Tests& tests) {
  std::vector<std::string> out;
  std::vector<SizeValues> sizes;
  for (const TestedInput& e : tests.inputs) sizes.push_back(e.sizes);
  for (const DpiaTrace& t : tests.traces)
    if (auto needed = show(needed_barriers(tests.source, t.kernel(), sizes, tests.effort.seed)))
      out.push_back(std::move(*needed));
  std::string why;
  std::size_t n = 0;
  for (const SizeValues& at : sizes) {
    const auto found = kernel::too_large(tests.traces.back().kernel(), at);
    if (found && n++ == 0) why = "at " + lockstep::show(at) + " " + *found;
  }
  if (n > 0)
    out.push_back("on " + std::to_string(n) + (n == 1 ? " input" : " inputs") +
                  " a GPU would refuse the launch: " + why);
  return out;
}

}  // namespace lockstep::props
