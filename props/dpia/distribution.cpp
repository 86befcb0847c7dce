#include "props/dpia/distribution.h"

#include <algorithm>

#include "props/dpia/kept_from_traps.h"
#include "props/dpia/live_memory.h"
#include "props/engine/places.h"
#include "semantics/functional/syntax/walk.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/index_width.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {
namespace {

void see(const Scalars& leaves, Specials& into) {
  for (const auto& leaf : leaves)
    for (const Scalar& s : leaf)
      if (is_float(s.type)) into.see(s.ieee(), s.type == ScalarType::F32);
}

bool has_floats(const Type& t) {
  const std::vector<Leaf> leaves = leaves_of(t);
  return std::any_of(leaves.begin(), leaves.end(), [](const Leaf& l) { return is_float(l.scalar); });
}

// One traps and the other does not, or they have another scalar somewhere; with lengths: or as many as the other.
bool differ(const Outcome& a, const Outcome& b, bool with_lengths) {
  if (!a || !b) return a.has_value() != b.has_value();
  for (std::size_t l = 0; l < a->size(); ++l) {
    const auto &x = (*a)[l], &y = (*b)[l];
    if (with_lengths && x.size() != y.size()) return true;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      if (!same_scalar(x[i], y[i])) return true;
  }
  return false;
}

// What a phrase holds, by what its primitives are called and of what type they are.
struct Found {
  bool rounds = false, of_a_scalar = false, of_arrays = false, of_more_than_two = false, by_a_flag = false;
  bool compound_permute = false, atomic_permute = false, vectors_streamed = false;
  std::set<std::int64_t> widths{};
};

bool holds_array(const Type& t) {
  const auto* p = as<PairType>(t);
  return as<ArrayType>(t) || (p && (holds_array(*p->first) || holds_array(*p->second)));
}
bool holds_pair(const Type& t) {
  const auto* p = as<PairType>(t);
  return p && (as<PairType>(*p->first) || as<PairType>(*p->second));
}
const VectorType* vector_in(const Type& t) {
  const auto* a = as<ArrayType>(t);
  return a ? vector_in(*a->element) : as<VectorType>(t);
}

void look(const Phrase& p, Found& into) {
  if (const auto* e = std::get_if<ExpType>(&p.type.node))
    if (const auto* v = vector_in(e->data)) into.widths.insert(v->width.constant().value_or(0));
  if (const auto* x = as<PrimPhrase>(p)) {
    const std::string& name = x->primitive->name;
    if (name == "while") {
      const Type& t = x->types[0];
      const auto* pair = as<PairType>(t);
      into.rounds = true;
      into.of_a_scalar = into.of_a_scalar || as<ScalarType>(t);
      into.of_arrays = into.of_arrays || holds_array(t);
      into.of_more_than_two = into.of_more_than_two || holds_pair(t);
      into.by_a_flag = into.by_a_flag || (pair && *pair->first == scalar(ScalarType::Bool));
    }
    if (const auto* loop = std::get_if<Loop>(&x->primitive->kind))
      into.atomic_permute |= loop->atomic && loop->any_order;
    if (name == "permute") into.compound_permute = into.compound_permute || !as<ScalarType>(x->types[0]);
    if (name == "toStream") into.vectors_streamed = into.vectors_streamed || vector_in(data_of(p));
  }
  for_each_child(p, [&](const PhraseRef& c) { look(*c, into); });
}

bool equates_names(const SizeFact& f) {
  std::set<std::string> left, right;
  collect_names(f.left, left);
  collect_names(f.right, right);
  return f.relation == SizeRelation::Equal && !left.empty() && !right.empty() && left != right;
}

bool divides(const Size& s) {
  return std::any_of(s.terms().begin(), s.terms().end(), [](const SizeTerm& t) {
    return std::any_of(t.powers.begin(), t.powers.end(), [](const auto& power) { return power.first.division; });
  });
}
bool divides(const Type& t) {
  if (const auto* p = as<PairType>(t)) return divides(*p->first) || divides(*p->second);
  const auto* a = as<ArrayType>(t);
  return a && (divides(a->length) || divides(*a->element));
}

bool permutes_by_lambda(const surface::Expr& e) {
  const auto* a = std::get_if<surface::Apply>(&e.node);
  const auto* f = a ? std::get_if<surface::Name>(&a->function->node) : nullptr;
  if (f && f->name == "permute" && std::holds_alternative<surface::Lambda>(a->argument->node)) return true;
  const auto all = children(e);
  return std::any_of(all.begin(), all.end(), [](const surface::Expr* c) { return permutes_by_lambda(*c); });
}

}  // namespace

void count_program(const surface::Program& program, const PhraseProgram& source, Statistics& into) {
  Found found;
  look(*source.body, found);
  into.count("program", "a `while`", found.rounds);
  into.count("program", "a `while` over one scalar", found.of_a_scalar);
  into.count("program", "a `while` over arrays", found.of_arrays);
  into.count("program", "a `while` over three values or more", found.of_more_than_two);
  into.count("program", "a `while` by a flag", found.by_a_flag);
  into.count("program", "`permute` by a lambda", permutes_by_lambda(program.definitions.back().body));
  into.count("program", "`permute` of pairs, rows or vectors", found.compound_permute);
  into.count("program", "`permute` by atomics", found.atomic_permute);
  into.count("program", "short vectors to a stream", found.vectors_streamed);
  for (const std::int64_t w : {2, 3, 4, 8, 16})
    into.count("program", "short vectors of " + std::to_string(w), found.widths.contains(w));
  into.count("program", "a fact that equates names",
             std::any_of(source.facts.begin(), source.facts.end(), equates_names));
  into.count("program", "/ or % in its types",
             divides(source.result) || std::any_of(source.parameters.begin(), source.parameters.end(),
                                                   [](const auto& p) { return divides(p.second); }));
  into.count("program", "gives one scalar", as<ScalarType>(source.result) != nullptr);
}

constexpr std::int64_t far = 2'000'000'000;  // near 2^31

void count_inputs(const PhraseProgram& source, const std::vector<Expected>& inputs, Statistics& into) {
  const auto vary = [&](bool with_lengths) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const Expected& e) { return differ(inputs.front().result, e.result, with_lengths); });
  };
  std::set<std::string> used;
  collect_free(*source.body, used);
  Drawn drawn;
  bool is_far = false;
  drawn.reads = std::any_of(source.parameters.begin(), source.parameters.end(),
                            [&](const auto& p) { return used.contains(p.first); });
  drawn.varies = vary(true);
  for (const Expected& e : inputs)
    for (const auto& [name, n] : e.sizes)
      if (n < far)
        drawn.length = std::max(drawn.length, n);
      else
        is_far = true;
  count(drawn, into);
  into.count("program", "gives other scalars on other inputs", vary(false));
  into.count("program", "a size near 2^31 or above", is_far);
  for (const char* symbol : {"&&", "||"})
    into.count("program", std::string("a right side of ") + symbol + " kept from a trap",
               keeps_from_traps(source, symbol, inputs));
  const bool floats = std::any_of(source.parameters.begin(), source.parameters.end(),
                                  [](const auto& p) { return has_floats(p.second); });
  for (const Expected& e : inputs) {
    into.count("input", "traps", !e.result);
    if (floats) {
      Specials given;
      for (std::size_t k = 0; k < e.arguments.size(); ++k)
        see(flatten(e.arguments[k], source.parameters[k].second, e.sizes), given);
      given.count("input with floats", into);
    }
    if (!e.result || !has_floats(source.result)) continue;
    Specials found;
    see(*e.result, found);
    found.count("result with floats", into);
  }
}

namespace {
// Of kernel arithmetic: one operand is so large, whatever the other is.
bool computes_far(const kernel::Expr& e, const SizeValues& sizes) {
  const auto* a = std::get_if<kernel::Arith>(&e.node);
  const auto is_far = [&](const kernel::Expr& x) {
    const auto s = kernel::as_size(x);
    return s && evaluate(*s, sizes).value_or(0) >= far;
  };
  return a && (is_far(*a->left) || is_far(*a->right));
}
template <class... Kinds>
bool is_one_of(const kernel::Stmt& s) {
  return (std::holds_alternative<Kinds>(s.node) || ...);
}
// Where it is no extent, and no check.
bool computes_far(const kernel::Stmt& body, const SizeValues& sizes) {
  bool found = false;
  kernel::each_statement(body, [&](const kernel::Stmt& s) {
    if (found || is_one_of<kernel::For, kernel::ParallelFor, kernel::Allocate, kernel::Check>(s)) return;
    kernel::own_expressions(s, [&](const kernel::Expr& whole) {
      kernel::each_expression(whole, [&](const kernel::Expr& e) { found = found || computes_far(e, sizes); });
    });
  });
  return found;
}
}  // namespace

void count_indices(const kernel::Program& kernel, const std::vector<Expected>& inputs, Statistics& into) {
  into.count("program", "an index by an extent near 2^31",
             std::any_of(inputs.begin(), inputs.end(), [&](const auto& e) {
               const bool far_size =
                   std::any_of(e.sizes.begin(), e.sizes.end(), [](const auto& n) { return n.second >= far; });
               return far_size && computes_far(kernel.body, e.sizes);
             }));
}

void count_widths(const kernel::Program& kernel, const std::vector<Expected>& inputs, Statistics& into) {
  constexpr int few = 16;
  into.count("GPU kernel", "indices of 32 bits or fewer", kernel.narrow.has_value());
  for (const Expected& e : inputs)
    into.count("run of a GPU kernel", "indices of so few bits that they nearly leave them",
               kernel::index_range(kernel, e.sizes).bits < few);
}

void count_checks(const DpiaTrace& trace, Statistics& into) {
  const auto checks_in = [](const kernel::Program& p) {
    std::size_t n = 0;
    kernel::each_statement(p.body, [&](const kernel::Stmt& s) { n += std::holds_alternative<kernel::Check>(s.node); });
    return n;
  };
  const AnyProgram* written = trace.after("paths");
  if (!written) return;
  const std::size_t all = checks_in(written->as<kernel::Program>()), left = checks_in(trace.kernel());
  for (std::size_t k = 0; k < all; ++k) into.count("check", "is needless and goes", k >= left);
}

void count_tiles(const DpiaTrace& trace, Statistics& into) {
  for (std::size_t k = 1; k < trace.steps.size(); ++k)
    if (trace.steps[k].name == "tiles") {
      const AnyProgram& made = trace.steps[k].program;
      const bool changed = !made.language().equal(made, trace.steps[k - 1].program);
      into.count("program on a CPU", "a product in tiles, or sums of columns", changed);
    }
}

void count_kernel(const kernel::Program& kernel, Statistics& into) {
  std::size_t barriers = 0, of_warps = 0, warps = 0, shuffles = 0, local = 0, own = 0, atomics = 0, in_local = 0;
  std::set<std::string> locals;
  kernel::each_statement(kernel.body, [&](const kernel::Stmt& s) {
    if (const auto* b = std::get_if<kernel::Barrier>(&s.node)) ++barriers, of_warps += b->scope == Level::Warp;
    shuffles += std::holds_alternative<kernel::Shuffle>(s.node);
    const auto scratch = [&](const kernel::Allocate& a) {
      local += a.space == Space::Local;
      if (a.space == Space::Local) locals.insert(a.name);
      own += a.space == Space::Private;
    };
    if (const auto* a = std::get_if<kernel::Allocate>(&s.node)) scratch(*a);
    if (const auto* p = std::get_if<kernel::ParallelFor>(&s.node))
      for (const kernel::Allocate& a : p->scratch) scratch(a);
    if (const auto* p = std::get_if<kernel::ParallelFor>(&s.node)) warps += p->level == Level::Warp;
    if (const auto* a = std::get_if<kernel::Atomic>(&s.node)) ++atomics, in_local += locals.contains(a->buffer);
  });
  into.count("GPU kernel", "a loop over warps", warps > 0);
  into.count("GPU kernel", "a barrier", barriers > 0);
  into.count("GPU kernel", "a barrier of a warp", of_warps > 0);
  into.count("GPU kernel", "a shuffle", shuffles > 0);
  into.count("GPU kernel", "several barriers", barriers > 1);
  into.count("GPU kernel", "local memory", local > 0);
  into.count("GPU kernel", "private memory", own > 0);
  into.count("GPU kernel", "atomic updates", atomics > 0);
  into.count("GPU kernel", "atomic updates of local memory", in_local > 0);
}

void count_memory(const DpiaTrace& trace, const std::vector<Expected>& inputs, Statistics& into) {
  const auto live = live_memories(trace);
  const auto memories = kernel::block_memories(trace.kernel());
  for (std::size_t n = 0; n < memories.size(); ++n)
    for (const Expected& e : inputs)
      if (const auto bytes = memories[n].bytes(); bytes && !live[n].in_order.empty())
        into.count("block with shared arrays", "its memory is no more than the greatest live set",
                   evaluate(*bytes, e.sizes).value_or(0) <= greatest_live(live[n].between_barriers, e.sizes));
}

}  // namespace lockstep::props
