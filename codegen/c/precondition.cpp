// Preconditions of the entry point (precondition.h). In: a program; out: for each a message and the lines that check
// it.
#include "codegen/c/precondition.h"

#include <algorithm>
#include <cmath>

#include "codegen/c/entry.h"
#include "codegen/c/statement.h"
#include "semantics/core/size_limit.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/index_width.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

// How large a size can be where names are below 2^63: of + - * with numbers, and / and % by numbers. In multiples of
// 2^63, and a number beside them.
struct Reach {
  double share = 0, rest = 0;
};
struct Interval {
  Reach low, high;
};
constexpr double two_63 = 9223372036854775808.0;
Reach plus(Reach a, Reach b) { return {a.share + b.share, a.rest + b.rest}; }
Reach scaled(Reach a, double by) { return {a.share * by, a.rest * by}; }
bool is_inside(Reach r) {
  const double s = std::abs(r.share), c = std::abs(r.rest);
  return c < two_63 / 4 && (s < 0.5 || (s <= 1 && r.share * r.rest <= 0));
}

using Sizes = std::vector<Size>;
bool is_among(const Sizes& all, const Size& s) { return std::find(all.begin(), all.end(), s) != all.end(); }

// Nothing where the size, or a part of it, may leave 64 bits; those that are known to fit do not.
std::optional<Interval> interval_of(const Expr& e, const Sizes& known = {}) {
  const auto size = known.empty() ? std::nullopt : as_size(e);
  if (size && is_among(known, *size)) return Interval{{-1, 0}, {1, 0}};
  if (const auto* c = std::get_if<Const>(&e.node)) {
    const auto n = static_cast<double>(c->value.integer());
    return Interval{{0, n}, {0, n}};
  }
  if (std::holds_alternative<Var>(e.node)) return Interval{{0, 0}, {1, 0}};
  const auto* a = std::get_if<Arith>(&e.node);
  const auto x = a ? interval_of(*a->left, known) : std::nullopt, y = a ? interval_of(*a->right, known) : std::nullopt;
  if (!x || !y) return std::nullopt;
  const auto left = constant_of(*a->left), right = constant_of(*a->right);
  const auto inside = [](Interval i) {
    return is_inside(i.low) && is_inside(i.high) ? std::optional(i) : std::nullopt;
  };
  const auto times = [&](Interval i, double by) {
    if (by < 0) std::swap(i.low, i.high);
    return inside({scaled(i.low, by), scaled(i.high, by)});
  };
  switch (a->op) {
    case ArithOp::Add:
      return inside({plus(x->low, y->low), plus(x->high, y->high)});
    case ArithOp::Subtract:
      return inside({plus(x->low, scaled(y->high, -1)), plus(x->high, scaled(y->low, -1))});
    case ArithOp::Multiply:
      return right  ? times(*x, static_cast<double>(*right))
             : left ? times(*y, static_cast<double>(*left))
                    : std::nullopt;
    case ArithOp::Divide:
      return right && *right >= 1 ? times(*x, 1 / static_cast<double>(*right)) : std::nullopt;
    case ArithOp::Modulo:
      if (!right || *right < 1) return std::nullopt;
      return Interval{{0, 0}, {0, static_cast<double>(*right)}};
    case ArithOp::Less:
    case ArithOp::LessEqual:
    case ArithOp::Equal:
    case ArithOp::And:
      break;
  }
  return std::nullopt;
}

// A size that the program computes of its parameters. `around`: the extents of the loops that it stands in, where it
// divides by a size: where one of them does not run, that may be 0.
struct Computed {
  Size size;
  Sizes around{};
  friend bool operator==(const Computed&, const Computed&) = default;
};

// Every one, but for parts of others and those that are names or numbers.
class SizesComputed {
 public:
  explicit SizesComputed(const Program& p) : known_(p.sizes.begin(), p.sizes.end()) {
    for (const auto* buffers : {&p.inputs, &p.outputs})
      for (const Buffer& b : *buffers) {
        for (const Size& d : b.dims) note(d, {});
        note(b.count, {});
        if (b.below) note(*b.below, {});
      }
    visit(p.body, {});
  }
  const std::vector<Computed>& all() const { return out_; }

 private:
  bool is_known(const Size& s) const {
    std::set<std::string> names;
    collect_names(s, names);
    return std::includes(known_.begin(), known_.end(), names.begin(), names.end());
  }
  bool note(const Size& s, const Sizes& around) {
    if (s.constant() || s.as_name() || !is_known(s)) return false;
    const Computed here{s, divides_by_sizes(s) ? around : Sizes{}};
    if (std::find(out_.begin(), out_.end(), here) == out_.end()) out_.push_back(here);
    return true;
  }
  void visit(const Stmt& s, const Sizes& around) {
    std::set<const Expr*> parts;
    own_expressions(s, [&](const Expr& own) {
      each_expression(own, [&](const Expr& e) {
        const bool part = parts.contains(&e);
        const Arith* a = std::get_if<Arith>(&e.node);
        if (!a) return;
        const auto size = part ? std::nullopt : as_size(e);
        if (part || (size && note(*size, around))) parts.insert({&*a->left, &*a->right});
      });
    });
    const auto under = [&](const Expr& extent, const Stmt& body) {
      const auto n = as_size(extent);
      Sizes inner = around;
      if (n && !n->constant() && is_known(*n)) inner.push_back(*n);
      visit(body, inner);
    };
    if (const auto* b = std::get_if<Block>(&s.node))
      for (const Stmt& x : b->statements) visit(x, around);
    if (const auto* i = std::get_if<If>(&s.node)) visit(*i->then, around), visit(*i->otherwise, around);
    if (const auto* w = std::get_if<While>(&s.node)) visit(*w->body, around);
    if (const auto* f = std::get_if<For>(&s.node)) under(f->extent, *f->body);
    if (const auto* f = std::get_if<ParallelFor>(&s.node)) under(f->extent, *f->body);
  }

  const std::set<std::string> known_;
  std::vector<Computed> out_;
};

std::string relation_text(SizeRelation r) { return " " + std::string(show(r)) + " "; }

class Preconditions {
 public:
  Preconditions(const Program& p, bool openmp) : program_(p), openmp_(openmp) {
    declare_parameters(text_, p, "");
    for (const std::string& n : p.sizes) exact_.bind_variable(n, "Exact(" + text_.variable(n) + ")");
  }

  std::vector<Precondition> all() {
    for (const std::string& n : program_.sizes) {
      const std::string v = text_.variable(n);
      add(n + " is {0}, but a size is 0 to 2^56", "",
          {"if (" + v + " < 0 || " + v + " > " + std::to_string(largest_size) + ") return " + refused({v}) + ";"}, {v},
          false);
    }
    for (const SizeFact& f : program_.facts) fact(f);
    const SizesComputed computed(program_);
    for (const Computed& c : computed.all()) fits(c.size, c.around);
    for (const Buffer& b : program_.inputs)
      if (b.below) index(b, *b.below);
    for (const BlockMemory& m : block_memories(program_)) block(m);
    return std::move(out_);
  }

  Precondition narrow() {
    const std::string most = std::to_string(IndexRange{program_.launch.index}.most());
    std::string holds;
    const auto fits = [&](const Size& s, bool exact) {
      holds += (holds.empty() ? "" : " && ") + text_of(s, exact) + " <= " + most;
    };
    for (const std::string& n : program_.sizes) fits(Size::name(n), false);
    for (const Size& s : *program_.narrow) fits(s, true);
    add("", "", {"const bool narrow = " + (holds.empty() ? "true" : holds) + ";"}, {}, !program_.narrow->empty());
    out_.back().computed = computed_in(*program_.narrow);
    out_.back().compared = {SizeRelation::LessEqual};
    return std::move(out_.back());
  }

 private:
  void add(std::string message, std::string needed, std::vector<std::string> check, std::set<std::string> reads,
           bool exact) {
    out_.push_back({std::move(message), std::move(needed), std::move(check), std::move(reads), exact});
  }
  std::set<std::string> printed(const std::set<std::string>& sizes) const {
    std::set<std::string> r;
    for (const std::string& n : sizes) r.insert(text_.variable(n));
    return r;
  }
  std::string refused(const std::vector<std::string>& values) const {
    std::string r = "refused(trap, -" + std::to_string(out_.size() + 1);
    for (std::size_t k = 0; k < values.size() && k < 4; ++k) r += ", " + values[k];
    return r + ")";
  }
  static bool is_safe(const Size& s) { return interval_of(size_expr(s)).has_value(); }
  std::string text_of(const Size& s, bool exact) const {
    CText text = exact ? exact_ : text_;
    return text.expression(size_expr(s));
  }

  // What text_of has on Exact, where no number is made of numbers alone.
  static std::set<ArithOp> computed_in(const std::vector<Size>& sizes) {
    std::set<ArithOp> out;
    for (const Size& s : sizes)
      each_expression(size_expr(s), [&](const Expr& e) {
        if (const auto* a = std::get_if<Arith>(&e.node)) out.insert(a->op);
      });
    return out;
  }

  // "where n is {0}, m is {1}" and the values.
  std::pair<std::string, std::vector<std::string>> values_of(const std::set<std::string>& names) const {
    std::string where;
    std::vector<std::string> values;
    for (const std::string& n : names) {
      if (values.size() == 4) break;
      where += (values.empty() ? " where " : ", ") + n + " is {" + std::to_string(values.size()) + "}";
      values.push_back(text_.variable(n));
    }
    return {where, values};
  }

  void fact(const SizeFact& f) {
    std::set<std::string> names;
    collect_names(f.left, names), collect_names(f.right, names);
    const auto [where, values] = values_of(names);
    const bool exact = !is_safe(f.left) || !is_safe(f.right);
    const std::string holds = text_of(f.left, exact) + relation_text(f.relation) + text_of(f.right, exact);
    add(show(f) + " does not hold" + where, show(f), {"if (!(" + holds + ")) return " + refused(values) + ";"},
        printed(names), exact);
    if (!exact) return;
    out_.back().computed = computed_in({f.left, f.right});
    out_.back().compared = {f.relation};
  }

  // What is divided first: then a share of it fits, too.
  void fits(const Size& s, const Sizes& around = {}) {
    if (is_safe(s) || is_among(fitting_, s)) return;
    each_expression(size_expr(s), [&](const Expr& e) {
      const auto* a = std::get_if<Arith>(&e.node);
      const bool divides = a && (a->op == ArithOp::Divide || a->op == ArithOp::Modulo);
      if (const auto divided = divides ? as_size(*a->left) : std::nullopt) fits(*divided, around);
    });
    if (interval_of(size_expr(s), fitting_)) return;
    const bool always = around.empty() || !divides_by_sizes(s);
    if (always) fitting_.push_back(s);
    std::set<std::string> names;
    collect_names(s, names);
    const auto [where, values] = values_of(names);
    std::string runs;
    for (const Size& n : always ? Sizes{} : around) collect_names(n, names), runs += text_of(n, false) + " > 0 && ";
    add(show(s) + " leaves 64 bits" + where, "",
        {"if (" + runs + "!(" + text_of(s, true) + ").known) return " + refused(values) + ";"}, printed(names), true);
    out_.back().computed = computed_in({s});
  }

  // What a block allocates at a launch's sizes is within its memory: for each of them, as the first by which that can
  // be mended, the greatest value that fits.
  void block(const BlockMemory& m) {
    const auto bytes = m.bytes();
    if (!bytes || bytes->constant()) return;
    fits(*bytes);
    const std::int64_t limit = GpuModel{}.block_bytes;
    std::set<std::string> names;
    collect_names(*bytes, names);
    const std::string needed = show(*bytes) + " <= " + std::to_string(limit);
    const std::string beyond = text_of(*bytes, false) + " > " + std::to_string(limit);
    const auto head = [&](const std::string& name) {
      const std::string v = text_of(Size::name(name), false);
      return std::vector<std::string>{"if (" + beyond + ") {",
                                      "  const auto fits = [&](int64_t " + v + ") { return " + text_of(*bytes, false) +
                                          " <= " + std::to_string(limit) + "; };",
                                      "  int64_t most = 0, beyond = " + v + ";",
                                      "  for (int64_t half; beyond - most > 1; (fits(half) ? most : beyond) = half) "
                                      "half = most + (beyond - most) / 2;"};
    };
    for (const std::string& name : names) {
      std::vector<std::string> lines = head(name);
      lines.push_back("  if (fits(0)) return " +
                      refused({text_of(*bytes, false), "most", text_of(Size::name(name), false)}) + ";");
      lines.push_back("}");
      add(beyond_memory("{0}", limit, m) + ": it fits where " + name + " is {1} at most, not {2}", needed,
          std::move(lines), printed(names), false);
    }
    if (names.size() > 1)
      add(beyond_memory("{0}", limit, m), needed,
          {"if (" + beyond + ") return " + refused({text_of(*bytes, false)}) + ";"}, printed(names), false);
  }

  void index(const Buffer& b, const Size& below) {
    const std::string name = text_.buffer(b.name), bound = text_of(below, false);
    std::set<std::string> names;
    collect_names(below, names);
    if (!b.dims.empty()) collect_names(b.count, names);
    std::set<std::string> reads = printed(names);
    reads.insert(name);
    const std::string needed = "0 <= " + b.name + (b.dims.empty() ? "" : "[...]") + " < " + show(below);
    if (b.dims.empty())
      return add(b.name + " is {0}, outside [0, {1})", needed,
                 {"if (" + name + " < 0 || " + name + " >= " + bound + ") return " + refused({name, bound}) + ";"},
                 reads, false);
    std::vector<std::string> lines{"{",
                                   "  const int64_t count = " + text_of(b.count, false) + ", bound = " + bound + ";",
                                   "  int64_t outside = count;  // the first"};
    if (openmp_)
      lines.push_back("  #pragma omp parallel for reduction(min : outside) schedule(static) if (count > 65536)");
    lines.insert(lines.end(),
                 {"  for (int64_t k = 0; k < count; ++k)",
                  "    if ((" + name + "[k] < 0 || " + name + "[k] >= bound) && k < outside) outside = k;",
                  "  if (outside < count) return " + refused({"outside", name + "[outside]", "bound"}) + ";", "}"});
    add(b.name + " has at place {0} the index {1}, outside [0, {2})", needed, std::move(lines), reads, false);
  }

  const Program& program_;
  bool openmp_;
  CText text_, exact_;
  Sizes fitting_;  // in 64 bits, as was asked
  std::vector<Precondition> out_;
};

}  // namespace

std::vector<Precondition> preconditions(const Program& p, bool openmp) { return Preconditions(p, openmp).all(); }
Precondition narrow_condition(const Program& p) { return Preconditions(p, false).narrow(); }

std::string refusal_text(const std::vector<Precondition>& all, const std::string& trap_type) {
  if (all.empty()) return "";
  std::string r = "static int32_t refused(" + trap_type +
                  "* trap, int32_t check, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0) {\n"
                  "  if (trap) *trap = " +
                  trap_type + "{check, 0, {a, b, c, d}};\n  return 5;\n}\n\n";
  if (std::none_of(all.begin(), all.end(), [](const Precondition& p) { return p.exact; })) return r;
  r += "// Arithmetic on sizes that knows whether it stayed within 64 bits and divided by one or more.\n"
       "struct Exact {\n"
       "  int64_t value;\n"
       "  bool known;\n"
       "  Exact(int64_t n, bool k = true) : value(n), known(k) {}\n";
  const auto computes = [&](ArithOp op) {
    return std::any_of(all.begin(), all.end(), [&](const Precondition& p) { return p.computed.contains(op); });
  };
  const auto compares = [&](SizeRelation relation) {
    return std::any_of(all.begin(), all.end(), [&](const Precondition& p) { return p.compared.contains(relation); });
  };
  struct Fitting {
    ArithOp op;
    std::string symbol, name;
  };
  for (const Fitting& f : {Fitting{ArithOp::Add, "+", "add"}, Fitting{ArithOp::Subtract, "-", "sub"},
                           Fitting{ArithOp::Multiply, "*", "mul"}})
    if (computes(f.op))
      r += "  friend Exact operator" + f.symbol +
           "(Exact a, Exact b) {\n    int64_t r = 0;\n    bool fits = !__builtin_" + f.name +
           "_overflow(a.value, b.value, &r);\n    return {r, a.known && b.known && fits};\n  }\n";
  for (const auto& [op, symbol] :
       {std::pair(ArithOp::Divide, std::string("/")), std::pair(ArithOp::Modulo, std::string("%"))})
    if (computes(op))
      r += "  friend Exact operator" + symbol +
           "(Exact a, Exact b) {\n    bool defined = a.known && b.known && b.value >= 1;\n    return {defined ? "
           "a.value " +
           symbol + " b.value : 0, defined};\n  }\n";
  for (const SizeRelation relation :
       {SizeRelation::Equal, SizeRelation::NotEqual, SizeRelation::LessEqual, SizeRelation::Less})
    if (compares(relation)) {
      const std::string symbol(show(relation));
      r += "  friend bool operator" + symbol + "(Exact a, Exact b) { return a.known && b.known && a.value " + symbol +
           " b.value; }\n";
    }
  return r + "};\n\n";
}

}  // namespace lockstep
