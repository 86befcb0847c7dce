// Host programs as trees, and as one program of the kernel language (program.h).
#include "semantics/host/program.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep::host {

std::int64_t blocks_of(const Grid& grid, std::int64_t count) {
  const std::int64_t blocks = count / grid.to_a_block + (count % grid.to_a_block != 0);
  return std::clamp<std::int64_t>(blocks, 1, grid.most);
}

bool on_host(const kernel::Expr& e) {
  bool found = true;
  kernel::each_expression(e, [&](const kernel::Expr& x) {
    found = found && (std::holds_alternative<kernel::Const>(x.node) || std::holds_alternative<kernel::Var>(x.node) ||
                      std::holds_alternative<kernel::Arith>(x.node));
  });
  return found;
}

void each_statement(const Stmt& s, const std::function<void(const Stmt&)>& f) {
  f(s);
  if (const auto* b = std::get_if<Block>(&s.node))
    for (const Stmt& x : b->statements) each_statement(x, f);
  if (const auto* l = std::get_if<For>(&s.node)) each_statement(*l->body, f);
  if (const auto* i = std::get_if<If>(&s.node)) each_statement(*i->then, f), each_statement(*i->otherwise, f);
  if (const auto* w = std::get_if<While>(&s.node)) each_statement(*w->before, f), each_statement(*w->body, f);
}

std::size_t node_count(const Program& p) {
  std::size_t n = 0;
  kernel::Program kernel = p.of;
  each_statement(p.body, [&](const Stmt& s) {
    ++n;
    const auto* l = std::get_if<Launch>(&s.node);
    if (!l) return;
    kernel.body = l->body;
    n += kernel::node_count(kernel);
  });
  return n;
}

const kernel::Buffer* parameter(const std::vector<kernel::Buffer>& all, const std::string& name) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const kernel::Buffer& b) { return b.name == name; });
  return it == all.end() ? nullptr : &*it;
}

const kernel::ParallelFor* loop_of(const Launch& launch) { return std::get_if<kernel::ParallelFor>(&launch.body.node); }

namespace {

// Names that a kernel uses and does not declare.
class Free {
 public:
  explicit Free(const kernel::Stmt& s) { statement(s); }
  Taken taken;

 private:
  void number(const std::string& n) {
    if (std::find(numbers_.begin(), numbers_.end(), n) == numbers_.end()) taken.numbers.insert(n);
  }
  void array(const std::string& n) {
    if (std::find(arrays_.begin(), arrays_.end(), n) == arrays_.end()) taken.arrays.insert(n);
  }
  void expression(const kernel::Expr& whole) {
    kernel::each_expression(whole, [&](const kernel::Expr& e) {
      if (const auto* v = std::get_if<kernel::Var>(&e.node)) number(v->name);
      if (const auto* l = std::get_if<kernel::Load>(&e.node)) array(l->buffer);
      if (const auto* l = std::get_if<kernel::VectorLoad>(&e.node)) array(l->buffer);
    });
  }
  template <class F>
  void scoped(F f) {
    const std::size_t numbers = numbers_.size(), arrays = arrays_.size();
    f();
    numbers_.resize(numbers);
    arrays_.resize(arrays);
  }
  void inside(const kernel::StmtRef& s) {
    scoped([&] { statement(*s); });
  }
  void statement(const kernel::Stmt& s) {
    kernel::own_expressions(s, [&](const kernel::Expr& e) { expression(e); });
    match(
        s.node,
        [&](const kernel::Block& b) {
          scoped([&] {
            for (const kernel::Stmt& x : b.statements) statement(x);
          });
        },
        [&](const kernel::Declare& d) { numbers_.push_back(d.name); }, [&](const kernel::Assign& a) { number(a.name); },
        [&](const kernel::Store& t) { array(t.buffer); }, [&](const kernel::Atomic& a) { array(a.buffer); },
        [&](const kernel::For& f) {
          scoped([&] {
            numbers_.push_back(f.name);
            statement(*f.body);
          });
        },
        [&](const kernel::Allocate& a) { arrays_.push_back(a.name); },
        [&](const kernel::ParallelFor& l) {
          scoped([&] {
            for (const kernel::Allocate& a : l.scratch) arrays_.push_back(a.name);
            numbers_.push_back(l.name);
            statement(*l.body);
          });
        },
        [&](const kernel::If& i) { inside(i.then), inside(i.otherwise); },
        [&](const kernel::While& w) { inside(w.body); }, [](const kernel::Check&) {}, [](const kernel::Barrier&) {},
        [](const kernel::Comment&) {}, [&](const kernel::Shuffle& x) { numbers_.push_back(x.name); });
  }

  std::vector<std::string> numbers_, arrays_;  // declared, the innermost last
};

// ------------------------------------------------------------------------------------------------ in one memory
std::string given(const std::string& parameter) { return "host " + parameter; }  // beside the array of its name

class OneMemory {
 public:
  explicit OneMemory(const Program& p) : program_(p.of) {}

  kernel::Stmt statement(const Stmt& s) const {
    using S = kernel::Stmt;
    const auto ref = [&](const StmtRef& r) { return kernel::StmtRef(statement(*r)); };
    return match(
        s.node,
        [&](const Block& b) {
          kernel::Block out;
          for (const Stmt& x : b.statements) out.statements.push_back(statement(x));
          return S{std::move(out)};
        },
        [](const Acquire& a) {
          return S{kernel::Allocate{a.array, a.type, a.count, Space::Global}};
        },
        [](const Release&) { return S{kernel::Block{}}; },
        [&](const Send& x) { return copy(moved(program_.inputs, x.array), given(x.array), x.array); },
        [&](const Fetch& x) { return copy(moved(program_.outputs, x.array), x.array, given(x.array)); },
        [](const Read& r) {
          return S{kernel::Declare{r.name, {r.type, 1}, kernel::load(r.array, r.type, kernel::constant(0))}};
        },
        [](const Launch& l) { return l.body; }, [](const Finish&) { return S{kernel::Block{}}; },
        [&](const For& f) {
          return S{kernel::For{f.name, f.extent, ref(f.body)}};
        },
        [&](const If& i) {
          return S{kernel::If{i.condition, ref(i.then), ref(i.otherwise)}};
        },
        [&](const While& w) {
          const kernel::Stmt before = statement(*w.before);
          std::vector<S> all = statements(before), again{statement(*w.body)};
          for (const S& x : all) again.push_back(x);
          all.push_back({kernel::While{w.condition, kernel::StmtRef(S{kernel::Block{std::move(again)}})}});
          return S{kernel::Block{std::move(all)}};
        });
  }

 private:
  static std::vector<kernel::Stmt> statements(const kernel::Stmt& s) {
    const auto* b = std::get_if<kernel::Block>(&s.node);
    return b ? b->statements : std::vector<kernel::Stmt>{s};
  }
  static const kernel::Buffer& moved(const std::vector<kernel::Buffer>& all, const std::string& name) {
    if (const kernel::Buffer* b = parameter(all, name)) return *b;
    throw Bug("a host program moves '" + name + "', which is none of its parameters");
  }
  static kernel::Stmt copy(const kernel::Buffer& b, const std::string& from, const std::string& to) {
    const kernel::Expr i = kernel::variable("moved");
    return {kernel::For{"moved", kernel::size_expr(b.count),
                        kernel::Stmt{kernel::Store{to, i, kernel::load(from, b.type.scalar, i)}}}};
  }

  const kernel::Program& program_;
};

}  // namespace

std::set<std::string> by_value(const Program& p) {
  std::set<std::string> out;
  for (const kernel::Buffer& b : p.of.inputs)
    if (b.is_one_scalar()) out.insert(b.name);
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Acquire>(&s.node)) out.erase(a->array);
  });
  return out;
}

Taken taken_by(const kernel::Stmt& body, const std::set<std::string>& by_value) {
  Taken out = Free(body).taken;
  for (const std::string& name : by_value)
    if (out.arrays.erase(name) > 0) out.scalars.insert(name);
  return out;
}

kernel::Program in_one_memory(const Program& p) {
  kernel::Program out = p.of;
  const std::set<std::string> as_they_are = by_value(p);
  for (kernel::Buffer& b : out.inputs)
    if (!as_they_are.contains(b.name)) b.name = given(b.name);
  for (kernel::Buffer& b : out.outputs) b.name = given(b.name);
  out.body = OneMemory(p).statement(p.body);
  return out;
}

}  // namespace lockstep::host
