// Commands to closures: a case for each imperative constant (Fig. 4b, 4c), in the order of the type.
#include <algorithm>
#include <numeric>

#include "semantics/imperative/machine.h"

namespace lockstep::imperative {
namespace {

Meaning index_meaning(std::int64_t i) {
  return {scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(i)))};
}

// "{0}" and so on replaced by the values.
std::string filled(std::string message, const std::vector<std::string>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string hole = '{' + std::to_string(k) + "}";
    for (std::size_t at = message.find(hole); at != std::string::npos; at = message.find(hole, at + values[k].size()))
      message.replace(at, hole.size(), values[k]);
  }
  return message;
}

[[noreturn]] void trap(const char* primitive, std::string message, const Region& region) {
  throw TrapSignal{{primitive, std::move(message), region}};
}

}  // namespace

Code<void> Compiler::command(const Phrase& p) {
  if (const auto* x = as<ImpPhrase>(p)) {
    const Region* around = std::exchange(at_, p.region.source ? &p.region : at_);
    Code<void> out = constant(*x, p);
    at_ = around;
    return out;
  }
  return [m = meaning(p)](Frame& f) {
    const Meaning c = m(f);
    const auto* found = std::get_if<std::shared_ptr<const Command>>(&c.node);
    if (!found) throw Bug("a phrase that stands for no command");
    (**found)();
  };
}

Code<void> Compiler::constant(const ImpPhrase& x, const Phrase& p) {
  return match(
      x.constant, [](const imp::Skip&) -> Code<void> { return [](Frame&) {}; },
      [&](const imp::Seq&) -> Code<void> {
        return [a = command(*x.arguments[0]), b = command(*x.arguments[1])](Frame& f) { a(f), b(f); };
      },
      [&](const imp::New&) { return allocation(x); }, [&](const imp::Assign&) { return assignment(x); },
      [&](const imp::For&) { return for_loop(x); }, [&](const imp::ParFor& c) { return par_for(c.level, x); },
      [](const imp::IdxAcc&) -> Code<void> { throw Bug("an acceptor as a command"); },
      [&](const imp::Cond&) { return conditional(x); }, [&](const imp::While&) { return while_loop(x); },
      [&](const imp::Check& c) { return check(c, x, p); }, [&](const imp::MapI& c) { return map_i(c.level, x); },
      [&](const imp::ReduceI&) { return reduce_i(x); }, [&](const imp::ScanI& c) { return scan_i(c.exclusive, x); },
      [&](const imp::IterateI&) { return iterate_i(x); }, [&](const imp::WhileI&) { return while_i(x); },
      [&](const imp::Own& c) { return own(c.constant, x, p); },
      [](const imp::Barrier&) -> Code<void> { return [](Frame&) {}; });  // iterations here run one after the other
}

void Compiler::spend_iteration() {
  if (options_.iteration_limit > 0 && ++iterations_ > options_.iteration_limit)
    throw Bug("the iteration limit is spent");
}

std::vector<std::int64_t> Compiler::in_order(std::int64_t n) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  switch (options_.order) {
    case Order::Forward:
      break;
    case Order::Reverse:
    case Order::Turns:
      std::reverse(order.begin(), order.end());
      break;
    case Order::Random:
    case Order::RandomTurns:
      std::shuffle(order.begin(), order.end(), random_);
      break;
  }
  return order;
}

void Compiler::take_turns(std::int64_t n, const Frame& f, const std::vector<std::size_t>& read, const Iteration& body) {
  const bool outermost = !fibres_.running();
  const std::int64_t mark = store_.mark();
  const auto choose = [this](std::size_t among, std::size_t last) {
    if (options_.order == Order::Turns) return (last + 1) % among;
    return std::uniform_int_distribution<std::size_t>(0, among - 1)(random_);
  };
  fibres_.run(n, choose, [&](std::int64_t i) {
    Frame own;  // what is left in it of another iteration is written before it is read
    if (!spare_.empty()) own = std::move(spare_.back()), spare_.pop_back();
    own.resize(f.size());
    for (const std::size_t k : read) own[k] = f[k];
    body(i, own);
    spare_.push_back(std::move(own));
  });
  if (outermost) store_.release(mark);
}

void Compiler::iterate_parallel(std::int64_t n, Level level, Frame& f, const std::vector<std::size_t>& read,
                                const Iteration& body) {
  if (level == Level::Seq || level == Level::Unroll || options_.sequential.contains(level)) {
    for (std::int64_t i = 0; i < n; ++i) body(i, f);
    return;
  }
  if (options_.order == Order::Turns || options_.order == Order::RandomTurns) return take_turns(n, f, read, body);
  store_.enter_parallel();
  for (const std::int64_t i : in_order(n)) {
    store_.iteration(i);
    body(i, f);
  }
  store_.leave_parallel();
}

Code<void> Compiler::for_loop(const ImpPhrase& x) {
  return [n = size_of(x.sizes[0]), body = procedure(*x.arguments[0], 1)](Frame& f) {
    for (std::int64_t i = 0; i < n; ++i) {
      Meaning index = index_meaning(i);
      body(f, std::span(&index, 1));
    }
  };
}

Code<void> Compiler::conditional(const ImpPhrase& x) {
  return [this, at = at_, c = scalar(*x.arguments[0]), t = command(*x.arguments[1]),
          e = command(*x.arguments[2])](Frame& f) {
    store_.at(*at);
    (c(f).bits ? t : e)(f);
  };
}

Code<void> Compiler::while_loop(const ImpPhrase& x) {
  return [this, at = at_, c = scalar(*x.arguments[0]), body = command(*x.arguments[1])](Frame& f) {
    for (;; body(f)) {
      store_.at(*at);
      if (!c(f).bits) return;
      spend_iteration();
    }
  };
}

Code<void> Compiler::allocation(const ImpPhrase& x) {
  const auto* binder = as<LambdaPhrase>(*x.arguments[0]);
  const std::string name = binder ? binder->name : "new";
  return [this, &l = layout(x.types[0]), name, body = procedure(*x.arguments[0], 1)](Frame& f) {
    const std::int64_t mark = store_.mark();
    Meaning v{fresh(l, name)};
    body(f, std::span(&v, 1));
    store_.release(mark);
  };
}

Code<void> Compiler::assignment(const ImpPhrase& x) {
  const Type& d = x.types[0];
  Code<Acceptor> a = acceptor(*x.arguments[0]);
  if (as<ScalarType>(d) || as<IndexType>(d)) {
    return [this, a, e = scalar(*x.arguments[1]), &region = *at_](Frame& f) {
      store_.at(region);
      Scalar v = e(f);
      store_.write(cell_of(a(f)), std::move(v));
    };
  }
  return [this, a, e = value(*x.arguments[1]), &l = layout(d), &region = *at_](Frame& f) {
    store_.at(region);
    const Value v = stored(e(f));
    write(store_, a(f), l, v);
  };
}

Code<void> Compiler::check(const imp::Check& told, const ImpPhrase& x, const Phrase& p) {
  std::vector<Code<Scalar>> values;
  for (std::size_t k = 1; k < x.arguments.size(); ++k) values.push_back(scalar(*x.arguments[k]));
  return [this, ok = scalar(*x.arguments[0]), values, &told, at = at_, &region = p.region](Frame& f) {
    store_.at(*at);
    if (ok(f).bits) return;
    std::vector<std::string> shown;
    for (const auto& v : values) shown.push_back(show(v(f), domain_));
    trap(told.primitive.c_str(), filled(told.message, shown), region);
  };
}

Code<void> Compiler::par_for(Level level, const ImpPhrase& x) {
  return [this, n = size_of(x.sizes[0]), level, read = slots_read_by(*x.arguments[1]), a = acceptor(*x.arguments[0]),
          body = procedure(*x.arguments[1], 2)](Frame& f) {
    const Acceptor all = a(f);
    iterate_parallel(n, level, f, read, [&](std::int64_t i, Frame& own) {
      Meaning arguments[2] = {index_meaning(i), {element_of(all, i)}};
      body(own, arguments);
    });
  };
}

// ---------------------------------------------------------------------------------------------- §4.2
// mapI F E A: F (E i) (A i) for each i
Code<void> Compiler::map_i(Level level, const ImpPhrase& x) {
  return [this, n = size_of(x.sizes[0]), level, read = slots_read_by(*x.arguments[0]),
          body = procedure(*x.arguments[0], 2), e = value(*x.arguments[1]), a = acceptor(*x.arguments[2])](Frame& f) {
    const Value from = e(f);
    const Acceptor to = a(f);
    iterate_parallel(n, level, f, read, [&](std::int64_t i, Frame& own) {
      Meaning arguments[2] = {{element_of(from, i)}, {element_of(to, i)}};
      body(own, arguments);
    });
  };
}

void Compiler::step(const Variable& v, const std::string& name, const std::function<void(Meaning next)>& write_next) {
  const std::int64_t mark = store_.mark();
  const Variable next = fresh(*v.layout, name);
  const Region& at = store_.where();
  write_next(acceptor_of(next));
  store_.at(at);
  for (std::int64_t k = 0; k < v.layout->cells; ++k) store_.write(v.cell + k, store_.read(next.cell + k));
  store_.release(mark);
}

// reduceI F I E C: acc := I; for each i: acc := F (E i) acc; C acc
Code<void> Compiler::reduce_i(const ImpPhrase& x) {
  return [this, at = at_, n = size_of(x.sizes[0]), &l = layout(x.types[1]), body = procedure(*x.arguments[0], 3),
          init = value(*x.arguments[1]), e = value(*x.arguments[2]), rest = procedure(*x.arguments[3], 1)](Frame& f) {
    store_.at(*at);
    const std::int64_t mark = store_.mark();
    const Value from = e(f);
    const Value start = init(f);
    const Variable acc = fresh(l, "acc");
    write(store_, {Cells{&l, acc.cell, {}}}, l, stored(start));
    for (std::int64_t i = 0; i < n; ++i) {
      step(acc, "next", [&](Meaning next) {
        Meaning arguments[3] = {{element_of(from, i)}, value_of(acc), std::move(next)};
        body(f, arguments);
      });
    }
    Meaning result = value_of(acc);
    rest(f, std::span(&result, 1));
    store_.release(mark);
  };
}

// scanI F I E A: as reduceI, each prefix into A i; exclusive: before the step
Code<void> Compiler::scan_i(bool exclusive, const ImpPhrase& x) {
  return [this, at = at_, n = size_of(x.sizes[0]), exclusive, &l = layout(x.types[1]),
          body = procedure(*x.arguments[0], 3), init = value(*x.arguments[1]), e = value(*x.arguments[2]),
          a = acceptor(*x.arguments[3])](Frame& f) {
    store_.at(*at);
    const std::int64_t mark = store_.mark();
    const Value from = e(f);
    const Value start = init(f);
    const Acceptor to = a(f);
    const Variable acc = fresh(l, "acc");
    write(store_, {Cells{&l, acc.cell, {}}}, l, stored(start));
    for (std::int64_t i = 0; i < n; ++i) {
      if (exclusive) write(store_, element_of(to, i), l, value_at(store_, l, acc.cell));
      step(acc, "next", [&](Meaning next) {
        Meaning arguments[3] = {{element_of(from, i)}, value_of(acc), std::move(next)};
        body(f, arguments);
      });
      if (!exclusive) write(store_, element_of(to, i), l, value_at(store_, l, acc.cell));
    }
    store_.release(mark);
  };
}

// iterateI k F E C: v := E; k times v := F v; C v
Code<void> Compiler::iterate_i(const ImpPhrase& x) {
  return [this, at = at_, n = size_of(x.sizes[0]), &l = layout(x.types[0]), body = procedure(*x.arguments[0], 2),
          init = value(*x.arguments[1]), rest = procedure(*x.arguments[2], 1)](Frame& f) {
    store_.at(*at);
    const std::int64_t mark = store_.mark();
    const Value start = init(f);
    const Variable v = fresh(l, "state");
    write(store_, {Cells{&l, v.cell, {}}}, l, stored(start));
    for (std::int64_t i = 0; i < n; ++i) {
      step(v, "next", [&](Meaning next) {
        Meaning arguments[2] = {value_of(v), std::move(next)};
        body(f, arguments);
      });
    }
    Meaning result = value_of(v);
    rest(f, std::span(&result, 1));
    store_.release(mark);
  };
}

// whileI G F E C: v := E; while G v: v := F v; C v
Code<void> Compiler::while_i(const ImpPhrase& x) {
  return [this, at = at_, &l = layout(x.types[0]), &bit = layout(lockstep::scalar(ScalarType::Bool)),
          test = procedure(*x.arguments[0], 2), body = procedure(*x.arguments[1], 2), init = value(*x.arguments[2]),
          rest = procedure(*x.arguments[3], 1)](Frame& f) {
    store_.at(*at);
    const std::int64_t mark = store_.mark();
    const Value start = init(f);
    const Variable v = fresh(l, "state");
    write(store_, {Cells{&l, v.cell, {}}}, l, stored(start));
    const auto again = [&] {
      const std::int64_t inner = store_.mark();
      const Variable b = fresh(bit, "again");
      Meaning arguments[2] = {value_of(v), acceptor_of(b)};
      test(f, arguments);
      store_.at(*at);
      const bool result = store_.read(b.cell).bits != 0;
      store_.release(inner);
      return result;
    };
    while (again()) {
      spend_iteration();
      step(v, "next", [&](Meaning next) {
        Meaning arguments[2] = {value_of(v), std::move(next)};
        body(f, arguments);
      });
    }
    Meaning result = value_of(v);
    rest(f, std::span(&result, 1));
    store_.release(mark);
  };
}

}  // namespace lockstep::imperative
