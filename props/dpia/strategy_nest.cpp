// Loops of the source matched with loops of the kernel (strategy_nest.h): an assignment between chains, by augmenting
// paths.
#include "props/dpia/strategy_nest.h"

#include <algorithm>

#include "semantics/core/table.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {
namespace {

// What a level becomes on the machine; `around`: the levels around it there.
Level on_machine(Level l, Machine machine, const LoopChain& around) {
  const bool in_block = !around.empty() && std::any_of(around.begin(), around.end(),
                                                       [](const NestedLoop& x) { return x.level == Level::Workgroup; });
  if (machine == Machine::Cpu) {
    if (l == Level::Global || l == Level::Workgroup) return Level::Par;
    return l == Level::Warp || l == Level::Local ? Level::Seq : l;
  }
  return l == Level::Local && !in_block ? Level::Global : l;
}

// The level of a loop that has one; the left folds run in their order.
std::optional<Level> level_of(const Loop& loop) {
  if (loop.level != Level::Auto) return loop.level;
  return loop.in_order ? std::optional(Level::Seq) : std::nullopt;
}

void collect(const Phrase& p, const LoopChain& around, Machine machine, const SizeContext& context, WrittenLoops which,
             std::vector<LoopChain>& out) {
  const auto* x = as<PrimPhrase>(p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  // What threads do together comes out as several loops, over as many as there is to do for each.
  // On a CPU what threads update atomically is done in order.
  const bool in_order = loop && loop->atomic && machine == Machine::Cpu;
  const bool stays = loop && loop->together == Level::Auto && !in_order && (which.by_law || !loop->by_law);
  const auto level = stays ? level_of(*loop) : std::nullopt;
  LoopChain inside = around;
  std::optional<Size> extent;
  if (loop && loop->extent)
    extent = context.simplify(loop->extent(*x));
  else if (loop && !x->sizes.empty())
    extent = context.simplify(x->sizes[0]);
  const bool none = extent && *extent == Size(0) && !which.idle;
  if (none)
    return for_each_child(p, [&](const PhraseRef& c) {
      if (!as<LambdaPhrase>(*c)) collect(*c, around, machine, context, which, out);
    });
  if (level) {
    inside.push_back({on_machine(*level, machine, around), extent.value()});
    out.push_back(inside);
  }
  for_each_child(p, [&](const PhraseRef& c) {
    collect(*c, as<LambdaPhrase>(*c) ? inside : around, machine, context, which, out);
  });
}

// What a buffer holds, or one of several.
bool is_held(const kernel::Expr& e) {
  if (const auto* c = std::get_if<kernel::Choose>(&e.node)) return is_held(*c->then) && is_held(*c->otherwise);
  return std::holds_alternative<kernel::Load>(e.node) || std::holds_alternative<kernel::VectorLoad>(e.node);
}
bool checks_alone(const kernel::Stmt& s);
// Loops around stores of what other buffers hold: of a tuple one for each leaf; beside them what only checks.
bool copies(const kernel::Stmt& s) {
  if (const auto* b = std::get_if<kernel::Block>(&s.node)) {
    const auto beside = [](const kernel::Stmt& x) {  // what is held is read as it is: a scalar is none of it
      return std::holds_alternative<kernel::Declare>(x.node) || std::holds_alternative<kernel::Assign>(x.node);
    };
    return std::any_of(b->statements.begin(), b->statements.end(), copies) &&
           std::all_of(b->statements.begin(), b->statements.end(),
                       [&](const kernel::Stmt& x) { return copies(x) || checks_alone(x) || beside(x); });
  }
  if (const auto* f = std::get_if<kernel::For>(&s.node)) return copies(*f->body);
  if (const auto* f = std::get_if<kernel::ParallelFor>(&s.node)) return copies(*f->body);
  const auto* t = std::get_if<kernel::Store>(&s.node);
  return t && is_held(t->value);
}

// Loops around checks of what was made before, and nothing that makes something.
bool checks_alone(const kernel::Stmt& s) {
  bool checks = false, makes = false;
  kernel::each_statement(s, [&](const kernel::Stmt& x) {
    checks = checks || std::holds_alternative<kernel::Check>(x.node);
    makes = makes || !std::visit(
                         [](const auto& node) {
                           return OneOf<std::decay_t<decltype(node)>, kernel::Check, kernel::Block, kernel::For,
                                        kernel::ParallelFor, kernel::If>;
                         },
                         x.node);
  });
  return checks && !makes;
}

struct KernelLoop {
  Level level;
  std::optional<Size> extent;
  const kernel::Stmt& body;
  std::vector<ChosenSize> by_choice{};
};
KernelLoop kernel_loop(Level level, const kernel::Expr& extent, const kernel::Stmt& body) {
  const auto sizes = sizes_by_choice(extent);
  if (sizes.empty()) return {level, {}, body};
  return {level, sizes.front().size, body, sizes.size() > 1 ? sizes : std::vector<ChosenSize>{}};
}
std::optional<KernelLoop> loop_of(const kernel::Stmt& s) {
  if (const auto* f = std::get_if<kernel::For>(&s.node))
    return kernel_loop(f->unroll ? Level::Unroll : Level::Seq, f->extent, *f->body);
  const auto* p = std::get_if<kernel::ParallelFor>(&s.node);
  return p ? std::optional(kernel_loop(p->level, p->extent, *p->body)) : std::nullopt;
}

// Which loops of a kernel: with or without those that may go, with or without, for two or three that stand one behind
// the other, the one whose parts they may be.
enum class Which { All, Lasting, WithWholes };

void collect(const kernel::Stmt& s, const LoopChain& around, const std::vector<SizeFact>& given,
             const SizeContext& context, Which which, std::vector<LoopChain>& out) {
  if (which == Which::Lasting && (copies(s) || checks_alone(s))) return;
  const auto under = [&](const KernelLoop& loop) {
    LoopChain inside = around;
    if (loop.extent) {
      inside.push_back({loop.level, context.simplify(*loop.extent), given, loop.by_choice});
      out.push_back(inside);
    }
    collect(loop.body, inside, given, context, which, out);
  };
  if (const auto* b = std::get_if<kernel::Block>(&s.node)) {
    std::vector<SizeFact> known = given;
    for (const kernel::Stmt& x : b->statements) {
      collect(x, around, known, context, which, out);
      facts_behind(x, s, known);
    }
    for (std::size_t k = 0; which == Which::WithWholes && k < b->statements.size(); ++k) {
      auto whole = loop_of(b->statements[k]);
      for (std::size_t more = k + 1; whole && more < std::min(k + 3, b->statements.size()); ++more) {
        const auto next = loop_of(b->statements[more]);
        if (!next || next->level != whole->level || !next->extent || !whole->extent) break;
        if (!whole->by_choice.empty() || !next->by_choice.empty()) break;
        *whole->extent = *whole->extent + *next->extent;
        for (std::size_t part = k; part <= more; ++part)
          under({whole->level, whole->extent, loop_of(b->statements[part])->body});
      }
    }
  }
  if (const auto loop = loop_of(s)) under(*loop);
  if (const auto* i = std::get_if<kernel::If>(&s.node))
    for (const bool holds : {true, false}) {
      std::vector<SizeFact> known = given;
      facts_of(i->condition, holds, known);
      collect(holds ? *i->then : *i->otherwise, around, known, context, which, out);
    }
  if (const auto* w = std::get_if<kernel::While>(&s.node)) collect(*w->body, around, given, context, which, out);
}

class Matching {
 public:
  Matching(const std::vector<LoopChain>& written, const std::vector<LoopChain>& made, const SameExtent& same_extent)
      : written_(written), made_(made), same_extent_(same_extent), taken_(made.size()) {}

  std::optional<std::size_t> unmatched() {
    for (std::size_t w = 0; w < written_.size(); ++w) {
      seen_.assign(made_.size(), false);
      if (!assign(w)) return w;
    }
    return {};
  }

 private:
  bool same(const NestedLoop& a, const NestedLoop& b) const {
    return a.level == b.level && std::ranges::all_of(sizes_of(a), [&](const ChosenSize& x) {
             return std::ranges::all_of(sizes_of(b), [&](const ChosenSize& y) { return same(x, y, a.given); });
           });
  }
  static std::vector<ChosenSize> sizes_of(const NestedLoop& l) {
    return l.by_choice.empty() ? std::vector<ChosenSize>{{l.extent}} : l.by_choice;
  }
  bool same(const ChosenSize& a, const ChosenSize& b, std::vector<SizeFact> given) const {
    if (a.size == b.size) return true;
    for (const ChosenSize* x : {&a, &b}) given.insert(given.end(), x->given.begin(), x->given.end());
    return same_extent_ && same_extent_(a.size, b.size, given);
  }
  // written, from w on, is a subsequence of made, from m on, and both end in the same loop.
  bool embeds(const LoopChain& written, const LoopChain& made, std::size_t w = 0, std::size_t m = 0) const {
    if (w == written.size()) return m == made.size();
    if (m == made.size()) return false;
    if (same(written[w], made[m]) && embeds(written, made, w + 1, m + 1)) return true;
    NestedLoop one{made[m].level, made[m].extent};  // those of made that run in order may be one that was split
    for (std::size_t end = m + 1; end < made.size() && runs_in_order(made, m, end);) {
      one.extent = one.extent * made[end++].extent;
      if (same(written[w], one) && embeds(written, made, w + 1, end)) return true;
    }
    return embeds(written, made, w, m + 1);
  }
  static bool runs_in_order(const LoopChain& made, std::size_t first, std::size_t last) {
    return (made[first].level == Level::Seq || made[first].level == Level::Unroll) &&
           made[first].level == made[last].level && made[first].by_choice.empty() && made[last].by_choice.empty();
  }
  bool assign(std::size_t w) {
    for (std::size_t m = 0; m < made_.size(); ++m) {
      if (seen_[m] || !embeds(written_[w], made_[m])) continue;
      seen_[m] = true;
      if (!taken_[m] || assign(*taken_[m])) {
        taken_[m] = w;
        return true;
      }
    }
    return false;
  }

  const std::vector<LoopChain>&written_, &made_;
  const SameExtent& same_extent_;
  std::vector<std::optional<std::size_t>> taken_;
  std::vector<bool> seen_;
};

std::string_view word(Level l) {
  static constexpr auto rows = table<Level>({{Level::Auto, "loop"},
                                             {Level::Seq, "sequential"},
                                             {Level::Par, "par"},
                                             {Level::Global, "global"},
                                             {Level::Workgroup, "workgroup"},
                                             {Level::Warp, "warp"},
                                             {Level::Local, "local"},
                                             {Level::Unroll, "unrolled"}});
  return rows[l];
}

}  // namespace

std::string show(const LoopChain& chain) {
  std::string out;
  for (const NestedLoop& l : chain)
    out += (out.empty() ? "" : " > ") + std::string(word(l.level)) + " " + lockstep::show(l.extent);
  return out;
}

std::vector<LoopChain> written_loops(const PhraseProgram& strategies, Machine machine, WrittenLoops which) {
  std::vector<LoopChain> out;
  collect(*strategies.body, {}, machine, context_of(strategies), which, out);
  return out;
}

static std::vector<LoopChain> loops_of(const kernel::Program& program, Which which) {
  SizeContext context;
  for (const SizeFact& f : program.facts) context.assume(f);
  std::vector<LoopChain> out;
  collect(program.body, {}, {}, context, which, out);
  return out;
}

std::vector<LoopChain> kernel_loops(const kernel::Program& program) { return loops_of(program, Which::All); }

std::vector<LoopChain> lasting_loops(const kernel::Program& program) { return loops_of(program, Which::Lasting); }

std::optional<LoopChain> lost_loop(const std::vector<LoopChain>& written, const std::vector<LoopChain>& made,
                                   const SameExtent& same_extent) {
  // Normal forms first: they are nearly always enough, and nobody is asked.
  const auto w = Matching(written, made, {}).unmatched();
  if (!w || !same_extent) return w ? std::optional(written[*w]) : std::nullopt;
  std::vector<LoopChain> running = written;
  std::erase_if(running, [&](const LoopChain& chain) {
    return std::any_of(chain.begin(), chain.end(),
                       [&](const NestedLoop& l) { return l.by_choice.empty() && same_extent(l.extent, 0, l.given); });
  });
  const auto lost = Matching(running, made, same_extent).unmatched();
  return lost ? std::optional(running[*lost]) : std::nullopt;
}

// Loops over the lanes of a warp, a number of them, as one without an extent: the stage `shuffles` joins them.
static std::vector<LoopChain> with_joined_lanes(std::vector<LoopChain> chains) {
  std::vector<LoopChain> out;
  for (LoopChain& chain : chains) {
    for (std::size_t k = 1; k < chain.size(); ++k)
      if (chain[k].level == Level::Local && chain[k - 1].level == Level::Warp && chain[k].extent.constant())
        chain[k].extent = 1;
    const auto same = [&](const LoopChain& x) {
      return std::equal(x.begin(), x.end(), chain.begin(), chain.end(), [](const NestedLoop& a, const NestedLoop& b) {
        return a.level == b.level && a.extent == b.extent && a.by_choice == b.by_choice;
      });
    };
    const bool lanes = chain.size() > 1 && chain.back().level == Level::Local && chain.end()[-2].level == Level::Warp;
    if (!lanes || std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(chain));
  }
  return out;
}

std::optional<LoopChain> lost_loop(const DpiaTrace& trace, const SizeImplication& implied) {
  if (trace.steps.size() < 2) return {};  // of a test that runs no stage
  const PhraseProgram &source = trace.steps[0].program.as<PhraseProgram>(),
                      &written = trace.after("strategies")->as<PhraseProgram>();
  const kernel::Program &first = trace.after("paths")->as<kernel::Program>(), &last = trace.kernel();
  SameExtent same;
  if (implied)
    same = [&](const Size& a, const Size& b, std::vector<SizeFact> facts) {
      facts.insert(facts.end(), written.facts.begin(), written.facts.end());
      return implied(facts, {a, SizeRelation::Equal, b});
    };
  // Where reductions were reordered, or joined with others: what is no reduction, from the source on.
  const auto reductions = [&](const PhraseProgram& p) {
    return written_loops(p, trace.machine).size() - written_loops(p, trace.machine, {.by_law = false}).size();
  };
  const AnyProgram* fused = trace.after("fuse-loops");
  const bool all = !trace.reorders() && (!fused || reductions(fused->as<PhraseProgram>()) == reductions(source));
  if (auto lost = lost_loop(written_loops(source, trace.machine, {.by_law = all}),
                            written_loops(written, trace.machine, {.idle = true}), same))
    return lost;
  if (auto lost = lost_loop(written_loops(written, trace.machine), kernel_loops(first), same)) return lost;
  // A stage that makes of loops others, of which its obligations say that they do the same: up to it, and from it on.
  const auto stage = [&](const char* name) {
    return std::find_if(trace.steps.begin(), trace.steps.end(), [&](const Step& s) { return s.name == name; });
  };
  const auto joins = stage("shuffles"), swaps = stage("swaps"), parts = stage("index-sets");
  const auto kernel = [](auto step) -> const kernel::Program& { return step->program.template as<kernel::Program>(); };
  const kernel::Program* from = &first;
  if (joins != trace.steps.end()) {
    const auto &apart = kernel(joins - 1), &joined = kernel(joins);
    if (auto lost = lost_loop(lasting_loops(first), kernel_loops(apart), same)) return lost;
    if (auto lost = lost_loop(with_joined_lanes(lasting_loops(apart)), with_joined_lanes(kernel_loops(joined)), same))
      return lost;
    from = &joined;
  }
  if (swaps != trace.steps.end()) {
    if (auto lost = lost_loop(lasting_loops(*from), kernel_loops(kernel(swaps - 1)), same)) return lost;
    from = &kernel(swaps);
  }
  if (parts != trace.steps.end()) {
    if (auto lost = lost_loop(lasting_loops(*from), loops_of(kernel(parts), Which::WithWholes), same)) return lost;
    from = &kernel(parts);
  }
  return lost_loop(lasting_loops(*from), kernel_loops(last), same);
}

}  // namespace lockstep::props
