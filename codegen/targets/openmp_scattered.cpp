// g++ makes branches of choices whose sides read memory or are tested again. So what a place is chosen from is read
// before, the place is a number whose origin the compiler is not told, and addresses are chosen by masks.
#include "codegen/targets/openmp_scattered.h"

#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

namespace {

// Names that no program has.
constexpr const char* read_in = "#read in ";
constexpr const char* stored_in = "#stored in ";
constexpr const char* read_before = "#read ";

class Safety {
 public:
  Safety(const For& loop, const std::map<std::string, Size>& counts) : counts_(counts) {
    if (const auto n = as_size(loop.extent)) known_.range(loop.name, *n);
  }
  // Whether the array has the element in every iteration.
  bool is_inside(const Load& l) const {
    const auto n = counts_.find(l.buffer);
    const auto at = as_size(*l.index);
    return n != counts_.end() && at && known_.proves_nonnegative(*at) &&
           known_.proves({*at, SizeRelation::Less, n->second});
  }
  // Whether an expression can be evaluated where nothing asks for it, given arrays' elements at `place`.
  bool is_safe(const Expr& e, const std::string& place) const {
    bool safe = true;
    each_expression(e, [&](const Expr& x) {
      if (const auto* l = std::get_if<Load>(&x.node)) {
        safe = safe && (is_place(*l->index, place) || is_inside(*l));
      } else if (const auto* a = std::get_if<Apply>(&x.node)) {
        const auto* op = std::get_if<ScalarOp>(&a->primitive->kind);
        safe = safe && op && x.type.width == 1 && !op->can_trap(a->operand.scalar);
      } else if (const auto* r = std::get_if<Arith>(&x.node)) {
        safe = safe && r->op != ArithOp::Divide && r->op != ArithOp::Modulo;
      } else {
        safe = safe && (std::holds_alternative<Const>(x.node) || std::holds_alternative<Var>(x.node) ||
                        std::holds_alternative<Choose>(x.node));
      }
    });
    return safe;
  }
  static bool is_place(const Expr& e, const std::string& place) {
    const auto* v = std::get_if<Var>(&e.node);
    return v && v->name == place;
  }

 private:
  const std::map<std::string, Size>& counts_;
  SizeContext known_;
};

// Whether the program chooses a number as the place of some elements.
bool may_be_none(const Expr& place) {
  bool found = false;
  each_expression(place, [&](const Expr& e) {
    const auto* x = std::get_if<Choose>(&e.node);
    found = found || (x && (constant_of(*x->then) || constant_of(*x->otherwise)));
  });
  return found;
}

// Reads at the place, of the arrays' elements that stand for it.
Expr at_the_place(const Expr& e, const std::string& place) {
  return rewritten(e, ExprChange([&](const Expr& x) {
                     const auto* l = std::get_if<Load>(&x.node);
                     if (!l || !Safety::is_place(*l->index, place)) return x;
                     return Expr{x.type, Load{read_in + l->buffer, constant(0)}, x.region};
                   }));
}

}  // namespace

std::map<std::string, Size> array_counts(const Program& p) {
  std::multiset<std::string> names;
  std::map<std::string, Size> counts;
  const auto array = [&](const std::string& name, const std::optional<Size>& n) {
    names.insert(name);
    if (n) counts.emplace(name, *n);
  };
  for (const auto* buffers : {&p.inputs, &p.outputs})
    for (const Buffer& b : *buffers) array(b.name, b.count);
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Allocate>(&s.node)) array(a->name, as_size(a->count));
    if (const auto* f = std::get_if<ParallelFor>(&s.node))
      for (const Allocate& a : f->scratch) array(a.name, as_size(a.count));
  });
  std::erase_if(counts, [&](const auto& of) { return names.count(of.first) > 1; });
  return counts;
}

std::optional<ScatteredLoop> scattered_loop(const For& loop, const std::map<std::string, Size>& counts) {
  const auto* body = std::get_if<Block>(&loop.body->node);
  if (!body || body->statements.size() < 2) return {};
  const std::size_t last = body->statements.size() - 1;
  const auto* place = std::get_if<Declare>(&body->statements[last - 1].node);
  const auto* branch = std::get_if<If>(&body->statements[last].node);
  if (!place || !place->init || !(place->type == KType{}) || !branch) return {};
  const auto* none = std::get_if<Block>(&branch->otherwise->node);
  const auto* all = std::get_if<Block>(&branch->then->node);
  if (!none || !none->statements.empty() || !all) return {};
  ScatteredLoop out{&loop, {}, place, branch->condition, {}};
  for (std::size_t k = 0; k + 1 < last; ++k) out.before.push_back(&body->statements[k]);
  const Safety safety(loop, counts);
  std::set<std::string> stored;
  const auto may_stand = [&](const Stmt& s) {
    bool safe = true;
    own_expressions(s, [&](const Expr& e) { safe = safe && safety.is_safe(e, place->name); });
    const auto* t = std::get_if<Store>(&s.node);
    if (t) stored.insert(t->buffer);
    return safe && (std::holds_alternative<Check>(s.node) ||
                    (t && t->value.type.width == 1 && Safety::is_place(t->index, place->name)));
  };
  for (const Stmt& s : all->statements) {
    if (!may_stand(s)) return {};
    out.branch.push_back(&s);
  }
  if (stored.empty() || !may_be_none(*place->init)) return {};
  return out;
}

void print_scattered(CStatements& s, const ScatteredLoop& x, const std::map<std::string, Size>& counts,
                     const std::function<void(const Check&, const std::string& fails)>& check) {
  const std::size_t names = s.text.mark();
  const std::string& place = x.place->name;
  // An array's element at the place, where one is read, and where one is stored. An element without a place reads what
  // nothing is stored to, so that what is asked of it is always the same.
  struct Place {
    std::string array, none;
  };
  std::map<std::string, Place> places;
  const auto place_of = [&](const char* kind, const std::string& buffer, ScalarType type) {
    const auto [it, is_new] = places.emplace(kind + buffer, Place{s.text.buffer(buffer), ""});
    if (!is_new) return;
    it->second.none = s.text.fresh(buffer + "_none");
    s.line(s.text.memory_type(type) + " " + it->second.none + " = 0;");
  };
  for (const Stmt* b : x.branch) {
    if (const auto* t = std::get_if<Store>(&b->node)) place_of(stored_in, t->buffer, t->value.type.scalar);
    each_expression(*b, [&](const Expr& e) {
      const auto* l = std::get_if<Load>(&e.node);
      if (l && Safety::is_place(*l->index, place)) place_of(read_in, l->buffer, e.type.scalar);
    });
  }
  s.open(s.bound(x.loop->name, x.loop->extent));
  for (const Stmt* b : x.before) s.statement(*b);
  const Safety safety(*x.loop, counts);
  std::size_t reads = 0;
  const Expr from = rewritten(*x.place->init, ExprChange([&](const Expr& e) {
    const auto* l = std::get_if<Load>(&e.node);
    if (!l || !safety.is_inside(*l)) return e;
    const std::string name = read_before + std::to_string(reads++);
    const std::string value = s.text.expression(e), text = s.text.fresh("read");
    s.line("const " + s.text.type(e.type) + " " + text + " = " + value + ";");
    s.text.bind_variable(name, text);
    return variable(name, e.type);
  }));
  const std::string value = s.text.expression(from), i = s.text.declare_variable(place);
  s.line("const int64_t " + i + " = of_any_origin(" + value + ");");
  const std::string here = s.text.fresh("here");
  s.line("const bool " + here + " = " + s.text.expression(x.condition) + ";");
  for (const auto& [name, p] : places) {
    const std::string at = s.text.fresh("at");
    s.line("auto* const " + at + " = place_or(" + here + ", " + p.array + ", " + i + ", &" + p.none + ");");
    s.text.bind_buffer(name, at);
  }
  for (const Stmt* b : x.branch) {
    if (const auto* c = std::get_if<Check>(&b->node))
      check(*c, here + " & !" + s.text.operand(at_the_place(c->ok, place)));
    else if (const auto* t = std::get_if<Store>(&b->node))
      s.line(
          s.text.store_into(s.text.buffer(stored_in + t->buffer), constant(0), at_the_place(t->value, place), false));
  }
  s.close();
  s.text.release(names);
}

std::string scattered_text() {
  return R"(// The number, from where a compiler does not know.
inline int64_t of_any_origin(int64_t i) {
  __asm__("" : "+r"(i));
  return i;
}
// Where array[i] lies, or `other`, without a branch.
template <class A, class B>
A* place_or(bool here, A* array, int64_t i, B* other) {
  const uintptr_t all = uintptr_t(0) - (uintptr_t)here;
  return (A*)((((uintptr_t)array + (uintptr_t)i * sizeof(A)) & all) | ((uintptr_t)other & ~all));
}

)";
}

}  // namespace lockstep
