// Cells, and interference between iterations.
#include "semantics/imperative/store.h"

#include "semantics/core/diagnostic.h"
#include "semantics/imperative/fibres.h"

namespace lockstep {

const Layout& Layouts::of(const Type& d, const SizeValues& sizes) {
  const auto number = [&](const Size& s) {
    const auto n = evaluate(s, sizes);
    if (!n || *n < 0) throw Bug("the size " + show(s) + " has no value");
    return *n;
  };
  const auto add = [&](Layout l) -> const Layout& { return made_.emplace_back(std::move(l)); };
  using enum Layout::Kind;
  return match(
      d.node, [&](ScalarType s) -> const Layout& { return add({.kind = Scalar, .scalar = s}); },
      [&](const IndexType&) -> const Layout& { return add({.kind = Scalar, .scalar = ScalarType::I64}); },
      [&](const ArrayType& x) -> const Layout& {
        const Layout& e = of(*x.element, sizes);
        const std::int64_t n = number(x.length);
        return add({.kind = Array, .length = n, .first = &e, .cells = n * e.cells});
      },
      [&](const PairType& x) -> const Layout& {
        const Layout &a = of(*x.first, sizes), &b = of(*x.second, sizes);
        return add({.kind = Pair, .first = &a, .second = &b, .cells = a.cells + b.cells});
      },
      [&](const VectorType& x) -> const Layout& {
        const Layout& e = of(*x.element, sizes);
        const std::int64_t w = number(x.width);
        return add({.kind = Vector, .scalar = e.scalar, .length = w, .first = &e, .cells = w});
      },
      [&](const FunctionType&) -> const Layout& { throw Bug("a function in the store"); },
      [&](const TypeVariable&) -> const Layout& { throw Bug("a type variable in the store"); });
}

void Store::fill(const Layout& layout) {
  switch (layout.kind) {
    case Layout::Kind::Scalar:
    case Layout::Kind::Vector: {
      const Scalar zero =
          is_float(layout.scalar) ? domain_.from_ieee(layout.scalar, 0) : make_integer(layout.scalar, 0);
      cells_.resize(cells_.size() + static_cast<std::size_t>(layout.cells), Cell{zero, false});
      return;
    }
    case Layout::Kind::Array:
      for (std::int64_t i = 0; i < layout.length; ++i) fill(*layout.first);
      return;
    case Layout::Kind::Pair:
      fill(*layout.first);
      fill(*layout.second);
      return;
  }
}

std::int64_t Store::allocate(const Layout& layout, const std::string& variable) {
  const std::int64_t first = mark();
  variables_.push_back({first, variable});
  fill(layout);
  return first;
}

void Store::release(std::int64_t mark) {
  if (fibres_ && fibres_->running()) return;
  cells_.resize(static_cast<std::size_t>(mark));
  while (!variables_.empty() && variables_.back().first >= mark) variables_.pop_back();
}

// They access from elsewhere.
void Store::let_others_go_on() {
  if (!fibres_) return;
  const Region* at = at_;
  fibres_->yield();
  at_ = at;
}

const Scalar& Store::read(std::int64_t cell) {
  let_others_go_on();
  observe(cell, false);
  const Cell& c = cells_.at(static_cast<std::size_t>(cell));
  if (poison_ && !c.written) {
    const auto [name, at] = name_of(cell);
    throw UnwrittenSignal{name, at};
  }
  return c.value;
}

void Store::write(std::int64_t cell, Scalar value) {
  let_others_go_on();
  observe(cell, true);
  cells_.at(static_cast<std::size_t>(cell)) = {std::move(value), true};
}

void Store::enter_parallel() {
  loops_.push_back({mark(), ++epochs_});
  if (seen_.size() < loops_.size()) seen_.emplace_back();
}

// Every loop around sees the access as one of its current iteration.
void Store::observe(std::int64_t cell, bool writing) {
  for (std::size_t depth = 0; depth < loops_.size(); ++depth) {
    const Loop& loop = loops_[depth];
    if (cell >= loop.mark) continue;
    auto& table = seen_[depth];
    if (static_cast<std::size_t>(loop.mark) > table.size()) table.resize(static_cast<std::size_t>(loop.mark));
    Seen& seen = table[static_cast<std::size_t>(cell)];
    if (seen.epoch != loop.epoch) seen = {.epoch = loop.epoch};
    const std::int64_t i = loop.iteration;
    const auto clash = [&](const User& other, bool both) {
      if (other.iteration < 0 || other.iteration == i) return;
      const auto [name, at] = name_of(cell);
      throw InterferenceSignal{name, at, other.iteration, i, both, *other.at};
    };
    clash(seen.writer, writing);
    if (writing) {
      clash(seen.reader, false);
      clash(seen.other_reader, false);
      seen.writer = {i, at_};
    } else if (seen.reader.iteration < 0) {
      seen.reader = {i, at_};
    } else if (seen.reader.iteration != i) {
      seen.other_reader = {i, at_};
    }
  }
}

std::pair<std::string, std::int64_t> Store::name_of(std::int64_t cell) const {
  for (auto v = variables_.rbegin(); v != variables_.rend(); ++v)
    if (v->first <= cell) return {v->name, cell - v->first};
  return {"?", cell};
}

}  // namespace lockstep
