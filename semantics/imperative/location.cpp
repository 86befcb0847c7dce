// Acceptors in the store.
#include "semantics/imperative/location.h"

namespace lockstep {
namespace {

const Cells& scalar_cell(const Acceptor& a) {
  const auto* p = std::get_if<Cells>(&a.node);
  if (!p || p->layout->kind != Layout::Kind::Scalar) throw Bug("an acceptor of another shape");
  return *p;
}

// Leaf p of an acceptor of that layout.
Acceptor leaf_of(Acceptor a, const Layout* layout, std::int64_t p) {
  while (true) {
    switch (layout->kind) {
      case Layout::Kind::Scalar:
        return a;
      case Layout::Kind::Vector:
        return element_of(a, p);
      case Layout::Kind::Array:
        a = element_of(a, p / layout->first->cells);
        p %= layout->first->cells;
        layout = layout->first;
        break;
      case Layout::Kind::Pair: {
        const bool first = p < layout->first->cells;
        if (!first) p -= layout->first->cells;
        a = component_of(a, first ? 1 : 2);
        layout = first ? layout->first : layout->second;
      }
    }
  }
}

}  // namespace

std::int64_t cell_of(const Acceptor& a) {
  const Cells* p = &scalar_cell(a);
  Acceptor now = a;
  while (p->through) {
    const Rearranged& r = *p->through;
    now = leaf_of(r.result, r.layout, r.position->at(static_cast<std::size_t>(p->offset)));
    p = &scalar_cell(now);
  }
  return p->offset;
}

void write(Store& store, const Acceptor& a, const Layout& layout, const Value& value) {
  switch (layout.kind) {
    case Layout::Kind::Scalar: {
      const std::int64_t cell = cell_of(a);
      store.write(cell, as_scalar(force(value)));
      return;
    }
    case Layout::Kind::Vector: {
      const Value forced = force(value);
      const Lanes lanes = as_lanes(forced);
      for (std::int64_t l = 0; l < layout.length; ++l)
        store.write(cell_of(element_of(a, l)), lanes.at(static_cast<std::size_t>(l)));
      return;
    }
    case Layout::Kind::Array:
      for (std::int64_t i = 0; i < layout.length; ++i) {
        const Acceptor to = element_of(a, i);
        write(store, to, *layout.first, element_of(value, i));
      }
      return;
    case Layout::Kind::Pair:
      write(store, component_of(a, 1), *layout.first, first_of(value));
      write(store, component_of(a, 2), *layout.second, second_of(value));
      return;
  }
}

Value value_at(Store& store, const Layout& layout, std::int64_t cell) {
  switch (layout.kind) {
    case Layout::Kind::Scalar:
      return delayed_value([&store, cell] { return scalar_value(store.read(cell)); });
    case Layout::Kind::Vector:
      return delayed_value([&store, cell, w = layout.length] {
        Lanes lanes;
        for (std::int64_t l = 0; l < w; ++l) lanes.push_back(store.read(cell + l));
        return lanes_value(std::move(lanes));
      });
    case Layout::Kind::Array:
      return delayed_array(layout.length, [&store, e = layout.first, cell](std::int64_t i) {
        return value_at(store, *e, cell + i * e->cells);
      });
    case Layout::Kind::Pair:
      return pair_value(value_at(store, *layout.first, cell),
                        value_at(store, *layout.second, cell + layout.first->cells));
  }
  throw Bug("layout");
}

// ---------------------------------------------------------------------------------------------- acceptors of views
namespace {

// A value whose leaf p holds the number first + p, or -1 at all leaves.
Value tokens(const Layout& layout, std::int64_t first) {
  const auto token = [](std::int64_t t) { return make_integer(ScalarType::I64, static_cast<std::uint64_t>(t)); };
  const auto part = [&](std::int64_t offset) { return first < 0 ? first : first + offset; };
  switch (layout.kind) {
    case Layout::Kind::Scalar:
      return scalar_value(token(first));
    case Layout::Kind::Vector: {
      Lanes lanes;
      for (std::int64_t l = 0; l < layout.length; ++l) lanes.push_back(token(part(l)));
      return lanes_value(std::move(lanes));
    }
    case Layout::Kind::Array: {
      std::vector<Value> items;
      for (std::int64_t i = 0; i < layout.length; ++i)
        items.push_back(tokens(*layout.first, part(i * layout.first->cells)));
      return array_value(std::move(items));
    }
    case Layout::Kind::Pair:
      return pair_value(tokens(*layout.first, first), tokens(*layout.second, part(layout.first->cells)));
  }
  throw Bug("layout");
}

void collect(const Layout& layout, const Value& v, std::vector<std::int64_t>& out) {
  switch (layout.kind) {
    case Layout::Kind::Scalar:
      out.push_back(as_scalar(force(v)).integer());
      return;
    case Layout::Kind::Vector: {
      const Value forced = force(v);
      for (const Scalar& s : as_lanes(forced)) out.push_back(s.integer());
      return;
    }
    case Layout::Kind::Array:
      for (std::int64_t i = 0; i < layout.length; ++i) collect(*layout.first, element_of(v, i), out);
      return;
    case Layout::Kind::Pair:
      collect(*layout.first, first_of(v), out);
      collect(*layout.second, second_of(v), out);
      return;
  }
}

}  // namespace

AcceptorFunction inverted_acceptor(const View& view, const std::vector<std::int64_t>& sizes, std::size_t k,
                                   const std::vector<const Layout*>& arguments, const Layout& result) {
  std::vector<Value> values;
  for (std::size_t j = 0; j < arguments.size(); ++j) values.push_back(tokens(*arguments[j], j == k ? 0 : -1));
  std::vector<std::int64_t> found;
  collect(result, view.meaning(sizes, std::span<const Value>(values)), found);
  auto position = std::make_shared<std::vector<std::int64_t>>(static_cast<std::size_t>(arguments.at(k)->cells), -1);
  for (std::size_t p = 0; p < found.size(); ++p) {
    if (found[p] < 0) continue;
    std::int64_t& at = position->at(static_cast<std::size_t>(found[p]));
    if (at >= 0) throw Bug("a view with an acceptor shows an element twice");
    at = static_cast<std::int64_t>(p);
  }
  for (const std::int64_t at : *position)
    if (at < 0) throw Bug("a view with an acceptor leaves an element out");
  return [position, argument = arguments[k], result = &result](const Acceptor& a) -> Acceptor {
    return {Cells{argument, 0, std::make_shared<const Rearranged>(Rearranged{a, result, position})}};
  };
}

}  // namespace lockstep
