// Kernel statements to C++ (statement.h). In: statements; out: lines.
#include "codegen/c/statement.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

// Whether the value is the same whenever it is read: arithmetic over names that nothing assigns.
bool is_steady(const Expr& e, const std::set<std::string>& assigned) {
  auto s = as_size(e);
  std::set<std::string> names;
  if (s) collect_names(*s, names);
  for (const std::string& n : names)
    if (assigned.count(n)) return false;
  return s.has_value();
}

}  // namespace

CStatements::CStatements(const Stmt& program, const Dialect& dialect) : text(dialect) {
  auto note = [&](const Stmt& s) {
    if (const Assign* a = std::get_if<Assign>(&s.node)) assigned_.insert(a->name);
  };
  each_statement(program, note);
  store = [this](const Store& s) { line(text.store(s)); };
  loop = [this](const For& f) { in_order(f); };
  atomic = [this](const Atomic& a) { compare_and_swap(a); };
}

void CStatements::line(const std::string& s) {
  if (!s.empty()) out_ += std::string(static_cast<std::size_t>(indent_) * 2, ' ');
  out_ += s + "\n";
  lines_ += 1 + static_cast<std::size_t>(std::count(s.begin(), s.end(), '\n'));
}
void CStatements::open(const std::string& head) {
  line(head.empty() ? "{" : head + " {");
  ++indent_;
}
void CStatements::close(const std::string& tail) {
  --indent_;
  line("}" + tail);
}
void CStatements::otherwise(const std::string& condition) {
  close(condition.empty() ? " else {" : " else if (" + condition + ") {");
  ++indent_;
}
std::string CStatements::take() { return std::exchange(out_, {}); }

void CStatements::comment(const std::string& s) {
  std::string text = s;
  for (char& c : text)
    if (c == '\\') c = '/';  // at a line's end it would take the next line into the comment
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    line("// " + text.substr(at, end - at));
    at = end + 1;
  }
}

void CStatements::body(const Stmt& s) {
  std::size_t names = text.mark();
  if (const Block* b = std::get_if<Block>(&s.node)) {
    for (std::size_t k = 0; k < b->statements.size();) {
      const std::size_t printed = together ? together(*b, k) : 0;
      if (printed == 0) statement(b->statements[k]);
      k += std::max<std::size_t>(printed, 1);
    }
  } else {
    statement(s);
  }
  text.release(names);
}

void CStatements::declare(const Declare& d) {
  std::string init = d.init ? text.expression(*d.init) : "";
  std::string type = text.type(d.type), name = text.declare_variable(d.name);
  bool steady = d.init && !assigned_.count(d.name);
  line((steady ? "const " : "") + type + " " + name + (d.init ? " = " + init : "") + ";");
}

// GCC's and clang's builtins: what was there is read anew where it has changed meanwhile.
void CStatements::compare_and_swap(const Atomic& a) {
  const KType t = a.value.type;
  const std::string type = text.memory_type(t.scalar), place = text.fresh("place"), by = text.fresh("by"),
                    old = text.fresh("old"), next = text.fresh("next");
  open("");
  line(type + "* const " + place + " = &" + text.buffer(a.buffer) + "[" + text.expression(a.index) + "];");
  line("const " + type + " " + by + " = " + text.expression(a.value) + ";");
  const std::size_t names = text.mark();
  text.bind_variable("#by", by);
  text.bind_variable("#old", old);
  const Expr both{t, Apply{a.primitive, t, {variable("#by", t), variable("#old", t)}}};
  line(type + " " + old + " = __atomic_load_n(" + place + ", __ATOMIC_RELAXED), " + next + ";");
  line("do " + next + " = " + text.expression(both) + ";");
  line("while (!__atomic_compare_exchange_n(" + place + ", &" + old + ", " + next +
       ", true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));");
  text.release(names);
  close();
}

std::string CStatements::count(const std::string& name, const Expr& extent) {
  const std::string value = text.expression(extent);
  if (is_steady(extent, assigned_)) return value;
  const std::string count = text.fresh(name + "_count");
  line("const " + text.index_type() + " " + count + " = " + value + ";");
  return count;
}

std::string CStatements::bound(const std::string& name, const Expr& extent) {
  const std::string index = text.index_type(), value = count(name, extent);
  std::string i = text.declare_variable(name);
  return "for (" + index + " " + i + " = 0; " + i + " < " + value + "; ++" + i + ")";
}

void CStatements::in_order(const For& f) {
  const auto unrolled = [&] {
    const auto n = constant_of(f.extent);
    if (f.unroll && n && *n > 1 && *n <= 65534) line(filled(text.dialect().unroll, {std::to_string(*n)}));
  };
  in_order(f, unrolled, [&] { body(*f.body); });
}

void CStatements::in_order(const For& f, const std::function<void()>& pragma, const std::function<void()>& inside) {
  const std::size_t names = text.mark();
  const std::string head = bound(f.name, f.extent);
  pragma();
  open(head);
  rounds_.push_back(f.name);
  inside();
  rounds_.pop_back();
  close();
  text.release(names);
}

void CStatements::declare_on_stack(const Allocate& a, const std::string& qualifiers) {
  std::int64_t n = std::max<std::int64_t>(constant_of(a.count).value_or(1), 1);
  std::string name = text.declare_buffer(a.name);
  line(qualifiers + text.memory_type(a.type.scalar) + " " + name + "[" + std::to_string(n) + "];");
}

void CStatements::statement(const Stmt& s) {
  if (s.region.source) {
    TextPlace here{lines_ + 1, {}, s.region, {}};
    if (const auto* x = std::get_if<Store>(&s.node)) here.stores = x->buffer;
    if (const auto* x = std::get_if<Atomic>(&s.node)) here.stores = x->buffer;
    places_.push_back(std::move(here));
  }
  match(
      s.node,
      [&](const Block& b) {
        if (b.statements.empty()) return;
        open("");
        body(s);
        close();
      },
      [&](const Declare& d) { declare(d); },
      [&](const Assign& a) { line(text.variable(a.name) + " = " + text.expression(a.value) + ";"); },
      [&](const Store& t) { store(t); }, [&](const Atomic& a) { atomic(a); }, [&](const For& f) { loop(f); },
      [&](const Allocate& a) { allocate(a); }, [&](const ParallelFor& p) { parallel(p); },
      [&](const If& i) {
        const Block* none = std::get_if<Block>(&i.otherwise->node);
        open("if (" + text.expression(i.condition) + ")");
        body(*i.then);
        if (!none || !none->statements.empty()) {
          otherwise();
          body(*i.otherwise);
        }
        close();
      },
      [&](const While& w) {
        open("while (" + text.expression(w.condition) + ")");
        // C++ lets a compiler take for granted that a loop without an effect ends.
        if (!text.dialect().effect.empty()) line(std::string(text.dialect().effect));
        rounds_.push_back("");
        body(*w.body);
        rounds_.pop_back();
        close();
      },
      [&](const Check& c) { check(c); }, [&](const Barrier& b) { barrier(b); },
      [&](const Comment& c) { comment(c.text); }, [&](const Shuffle& x) { shuffle(x); });
}

}  // namespace lockstep
