// kernel -> host: what the machine does to run a kernel program on a device. The DPIA and FCL papers stop at the
// kernel. A parallel loop at the outermost level is a launch; statements between such loops are a kernel of one thread.
// Loops and branches around parallel loops are the host's: a number of theirs that is data is computed by a kernel and
// read back. A variable that lives from one kernel to the next is an array of the device. Arrays are acquired before
// their first use and released behind their last one; an input is sent once, or is one scalar, which kernels take by
// value unless an array hides its name.
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

// Launches a kernel, or allocates what no thread holds.
bool needs_host(const Stmt& s) {
  bool found = false;
  each_statement(s, [&](const Stmt& x) {
    const auto* a = std::get_if<Allocate>(&x.node);
    found = found || std::holds_alternative<ParallelFor>(x.node) || (a && !fits_thread(*a));
  });
  return found;
}

// A variable that is an array of the device.
struct Cell {
  std::string array;
  KType type;
};

// A name of the host: a number, or a variable that kernels share.
struct HostName {
  std::string name;
  std::optional<Cell> cell{};
};
using HostNames = std::vector<HostName>;  // the innermost last

const Cell* cell_of(const HostNames& names, const std::string& name) {
  for (auto n = names.rbegin(); n != names.rend(); ++n)
    if (n->name == name) return n->cell ? &*n->cell : nullptr;
  return nullptr;
}

// A kernel in which accesses to variables that are arrays are accesses to those. What it declares itself hides them.
class WithCells {
 public:
  explicit WithCells(const HostNames& names) : names_(names) {}

  Expr expression(const Expr& e) const {
    return rewritten(e, [&](const Expr& x) {
      const auto* v = std::get_if<Var>(&x.node);
      const Cell* cell = v ? cell_of(names_, v->name) : nullptr;
      if (!cell) return x;
      if (cell->type.width > 1)
        return Expr{cell->type, VectorLoad{cell->array, cell->type.width, constant(0)}, x.region};
      Expr out = load(cell->array, cell->type.scalar, constant(0));
      out.region = x.region;
      return out;
    });
  }

  Stmt statement(const Stmt& s) {
    Stmt out = s;
    match(
        out.node,
        [&](Block& b) {
          scoped([&] {
            for (Stmt& x : b.statements) x = statement(x);
          });
        },
        [&](Declare& d) {
          if (d.init) d.init = expression(*d.init);
          names_.push_back({d.name});
        },
        [&](Assign& a) { a.value = expression(a.value); },
        [&](Store& t) { t.index = expression(t.index), t.value = expression(t.value); },
        [&](Atomic& a) { a.index = expression(a.index), a.value = expression(a.value); },
        [&](For& f) {
          f.extent = expression(f.extent);
          inside(f.body, f.name);
        },
        [&](Allocate& a) { allocation(a); },
        [&](ParallelFor& p) {
          p.extent = expression(p.extent);
          if (p.units) p.units = expression(*p.units);
          for (Allocate& a : p.scratch) allocation(a);
          inside(p.body, p.name);
        },
        [&](If& i) {
          i.condition = expression(i.condition);
          inside(i.then), inside(i.otherwise);
        },
        [&](While& w) {
          w.condition = expression(w.condition);
          inside(w.body);
        },
        [&](Check& c) {
          c.ok = expression(c.ok);
          for (Expr& v : c.values) v = expression(v);
        },
        [](Barrier&) {}, [](Comment&) {},
        [&](Shuffle& x) {
          x.value = expression(x.value), x.lane = expression(x.lane);
          names_.push_back({x.name});
        });
    const auto* a = std::get_if<Assign>(&out.node);
    if (const Cell* cell = a ? cell_of(names_, a->name) : nullptr) out.node = Store{cell->array, constant(0), a->value};
    return out;
  }

 private:
  template <class F>
  void scoped(F f) {
    const std::size_t outer = names_.size();
    f();
    names_.resize(outer);
  }
  void inside(StmtRef& s, const std::string& with = "") {
    scoped([&] {
      if (!with.empty()) names_.push_back({with});
      s = statement(*s);
    });
  }
  void allocation(Allocate& a) {
    a.count = expression(a.count);
    if (a.at) a.at = expression(*a.at);
  }

  HostNames names_;
};

using Steps = std::vector<host::Stmt>;

bool mentions(const host::Stmt& s, const std::string& array) {
  bool found = false;
  host::each_statement(s, [&](const host::Stmt& x) {
    found = found || match(
                         x.node, [&](const host::Send& y) { return y.array == array; },
                         [&](const host::Fetch& y) { return y.array == array; },
                         [&](const host::Read& y) { return y.array == array; },
                         [&](const host::Launch& y) { return host::taken_by(y.body, {}).arrays.contains(array); },
                         [](const auto&) { return false; });
  });
  return found;
}

// Each array that is acquired here is, before the first step that uses it, and released behind the last.
Steps with_releases(const Steps& steps) {
  Steps out = steps;
  for (const host::Stmt& s : steps) {
    const auto* a = std::get_if<host::Acquire>(&s.node);
    if (!a) continue;
    const auto own = std::find(out.begin(), out.end(), s);
    const auto uses = [&](const host::Stmt& x) { return mentions(x, a->array); };
    const auto first = std::find_if(own, out.end(), uses);
    auto end = std::find_if(out.rbegin(), std::make_reverse_iterator(own), uses).base();
    if (first == out.end()) end = first;
    if (end != out.end() && std::holds_alternative<host::Finish>(end->node)) ++end;
    std::rotate(own, own + 1, first);
    out.insert(end, host::Stmt{host::Release{a->array}});
  }
  return out;
}

class Hosted {
 public:
  explicit Hosted(const kernel::Program& p) : program_(p), fresh_(names_of(p)) {
    for (const std::string& s : p.sizes) names_.push_back({s});
  }

  host::Program program() {
    Steps steps = statements(program_.body);
    for (const Buffer& b : program_.outputs) {
      before_first(steps, b, {acquired(b)});
      steps.push_back({host::Fetch{b.name}});
    }
    const auto by_value = host::by_value({program_, {host::Block{steps}}});
    for (const Buffer& b : program_.inputs)
      if (!by_value.contains(b.name)) before_first(steps, b, {acquired(b), {host::Send{b.name}}});
    return {program_, {host::Block{with_releases(steps)}}};
  }

 private:
  static host::Stmt acquired(const Buffer& b) { return {host::Acquire{b.name, b.type, size_expr(b.count)}}; }
  // Before the first step that uses it; of an output that nothing writes, last. An input that nothing reads stays.
  void before_first(Steps& steps, const Buffer& b, const Steps& what) const {
    const auto first =
        std::find_if(steps.begin(), steps.end(), [&](const host::Stmt& s) { return mentions(s, b.name); });
    const bool input = what.size() > 1;
    if (first == steps.end() && input) return;
    steps.insert(first, what.begin(), what.end());
  }

  // ---- statements of a scope
  Steps statements(const Stmt& s) {
    const std::size_t names = names_.size();
    const Block* b = std::get_if<Block>(&s.node);
    const std::vector<Stmt> all = b ? b->statements : std::vector<Stmt>{s};
    const std::vector<bool> hosted = on_host(all);
    Steps out;
    std::vector<Stmt> group;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!hosted[k]) {
        group.push_back(all[k]);
        continue;
      }
      once(group, out);
      statement(all[k], out);
    }
    once(group, out);
    names_.resize(names);
    return out;
  }
  host::Stmt scope(const Stmt& s) { return {host::Block{with_releases(statements(s))}}; }

  // What allocates or launches a kernel, and a variable that is used from the next such statement on: in another
  // kernel.
  static std::vector<bool> on_host(const std::vector<Stmt>& all) {
    std::vector<bool> out(all.size());
    auto rest = all.end();
    for (std::size_t k = all.size(); k-- > 0;) {
      const Declare* d = std::get_if<Declare>(&all[k].node);
      out[k] = d ? std::any_of(rest, all.end(), [&](const Stmt& s) { return reads(s, d->name) || writes(s, d->name); })
                 : std::holds_alternative<Allocate>(all[k].node) || needs_host(all[k]);
      if (out[k]) rest = all.begin() + static_cast<std::ptrdiff_t>(k);
    }
    return out;
  }

  void statement(const Stmt& s, Steps& out) {
    if (const auto* a = std::get_if<Allocate>(&s.node)) {
      const Expr count = number(a->count, out);
      out.push_back({host::Acquire{a->name, a->type, count}});
    } else if (const auto* d = std::get_if<Declare>(&s.node)) {
      variable(*d, out);
    } else if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
      launch(s, *p, out);
    } else if (const auto* f = std::get_if<For>(&s.node)) {
      in_a_scope(out, [&](Steps& own) {
        const Expr extent = number(f->extent, own);
        names_.push_back({f->name});
        host::Stmt body = scope(*f->body);
        names_.pop_back();
        own.push_back({host::For{f->name, extent, std::move(body)}});
      });
    } else if (const auto* i = std::get_if<If>(&s.node)) {
      in_a_scope(out, [&](Steps& own) {
        const Expr condition = number(i->condition, own);
        host::Stmt then = scope(*i->then), otherwise = scope(*i->otherwise);
        own.push_back({host::If{condition, std::move(then), std::move(otherwise)}});
      });
    } else if (const auto* w = std::get_if<While>(&s.node)) {
      const std::size_t names = names_.size();
      Steps before;
      const Expr condition = number(w->condition, before);
      host::Stmt body = scope(*w->body);
      names_.resize(names);
      out.push_back({host::While{host::Stmt{host::Block{with_releases(before)}}, condition, std::move(body)}});
    } else {
      out.push_back(scope(s));
    }
  }
  // Numbers that are read for it are its own.
  template <class F>
  void in_a_scope(Steps& out, F make) {
    const std::size_t names = names_.size();
    Steps own;
    make(own);
    names_.resize(names);
    if (std::any_of(own.begin(), own.end(), [](const auto& s) { return std::holds_alternative<host::Read>(s.node); }))
      out.push_back({host::Block{with_releases(own)}});
    else
      out.insert(out.end(), own.begin(), own.end());
  }

  void variable(const Declare& d, Steps& out) {
    const Cell cell{fresh_.fresh(d.name), d.type};
    out.push_back({host::Acquire{cell.array, d.type, constant(d.type.width)}});
    if (d.init) once(Stmt{Store{cell.array, constant(0), *d.init}, d.init->region}, out);  // outside its scope
    names_.push_back({d.name, cell});
  }

  // A number that the host needs: computed there where it is made of what the host knows, on the device where it is
  // data.
  Expr number(const Expr& e, Steps& out) {
    bool known = host::on_host(e);
    each_expression(e, [&](const Expr& x) {
      const auto* v = std::get_if<Var>(&x.node);
      known = known && (!v || !cell_of(names_, v->name));
    });
    if (known) return e;
    const std::string array = fresh_.fresh("value"), name = fresh_.fresh("known");
    out.push_back({host::Acquire{array, e.type, constant(1)}});
    once(Stmt{Store{array, constant(0), e}, e.region}, out);
    out.push_back({host::Read{name, e.type.scalar, array}});
    names_.push_back({name});
    return lockstep::kernel::variable(name, e.type);
  }

  // ---- kernels
  void once(std::vector<Stmt>& group, Steps& out) {
    const bool comments_only =
        std::all_of(group.begin(), group.end(), [](const Stmt& s) { return std::holds_alternative<Comment>(s.node); });
    if (!comments_only) once(group.size() == 1 ? group.front() : Stmt{Block{group}}, out);
    group.clear();
  }
  void once(const Stmt& s, Steps& out) { launched({WithCells(names_).statement(s)}, out); }

  void launch(const Stmt& s, const ParallelFor& loop, Steps& out) {
    in_a_scope(out, [&](Steps& own) {
      ParallelFor p = loop;
      p.extent = number(p.extent, own);
      const std::int64_t threads = program_.launch.block;
      const Size bytes = block_memory(loop, program_.launch).bytes_at_launch().value_or(0);
      const host::Grid grid{p.extent, p.level == Level::Workgroup ? 1 : threads, program_.launch.grid, threads,
                            size_expr(bytes)};
      Stmt body = s;
      body.node = std::move(p);
      launched({WithCells(names_).statement(body), grid}, own);
    });
  }
  static void launched(host::Launch l, Steps& out) {
    const bool may_trap = has<Check>(l.body);
    out.push_back({std::move(l)});
    if (may_trap) out.push_back({host::Finish{}});
  }

  const kernel::Program& program_;
  HostNames names_;
  Names fresh_;
};

}  // namespace

host::Program hosted(const kernel::Program& p) { return Hosted(p).program(); }

Stage host_stage(const DpiaLanguages& l) {
  return stage_of<kernel::Program, host::Program>("host", "after Accelerate's runtime", l.kernel, l.host,
                                                  [](const kernel::Program& p, Owed*) { return hosted(p); });
}

}  // namespace lockstep
