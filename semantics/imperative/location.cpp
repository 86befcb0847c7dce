// Acceptors as trees of places.
#include "semantics/imperative/location.h"

namespace lockstep {
namespace {

Acceptor pair_of(Acceptor a, Acceptor b) {
  return {std::make_shared<const PairOfAcceptors>(PairOfAcceptors{std::move(a), std::move(b)})};
}
Acceptor array_of(std::int64_t n, std::function<Acceptor(std::int64_t)> at) {
  return {std::make_shared<const ArrayOfAcceptors>(ArrayOfAcceptors{n, std::move(at)})};
}

const Place& place_with(const Acceptor& a, Layout::Kind kind) {
  const auto* p = std::get_if<Place>(&a.node);
  if (!p || p->layout->kind != kind) throw Bug("an acceptor of another shape");
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

Acceptor component_of(const Acceptor& a, int k) {
  if (const auto* both = std::get_if<std::shared_ptr<const PairOfAcceptors>>(&a.node))
    return k == 1 ? (*both)->first : (*both)->second;
  const Place& p = place_with(a, Layout::Kind::Pair);
  if (k == 1) return {Place{p.layout->first, p.offset, p.through}};
  return {Place{p.layout->second, p.offset + p.layout->first->cells, p.through}};
}

Acceptor element_of(const Acceptor& a, std::int64_t i) {
  const auto inside = [i](std::int64_t n) {
    if (i < 0 || i >= n) throw Bug("element " + std::to_string(i) + " of an acceptor of " + std::to_string(n));
  };
  if (const auto* array = std::get_if<std::shared_ptr<const ArrayOfAcceptors>>(&a.node)) {
    inside((*array)->length);
    return (*array)->at(i);
  }
  const auto* p = std::get_if<Place>(&a.node);
  if (!p || (p->layout->kind != Layout::Kind::Array && p->layout->kind != Layout::Kind::Vector))
    throw Bug("an acceptor of another shape");
  inside(p->layout->length);
  return {Place{p->layout->first, p->offset + i * p->layout->first->cells, p->through}};
}

std::int64_t cell_of(const Acceptor& a) {
  const Place* p = &place_with(a, Layout::Kind::Scalar);
  Acceptor now = a;
  while (p->through) {
    const Rearranged& r = *p->through;
    now = leaf_of(r.result, r.layout, r.position->at(static_cast<std::size_t>(p->offset)));
    p = &place_with(now, Layout::Kind::Scalar);
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
// A: acceptor of the view's result; the comments are the equations that the view's meaning gives.
AcceptorFunction direct_acceptor(const std::string& name, const std::vector<std::int64_t>& s) {
  if (name == "pairAcc1") return [](const Acceptor& a) { return component_of(a, 1); };
  if (name == "pairAcc2") return [](const Acceptor& a) { return component_of(a, 2); };
  if (name == "zipAcc1" || name == "zipAcc2")  // \i. (A i).k
    return [n = s.at(0), k = name == "zipAcc1" ? 1 : 2](const Acceptor& a) {
      return array_of(n, [a, k](std::int64_t i) { return component_of(element_of(a, i), k); });
    };
  if (name == "unzipAcc")  // \i. (A.1 i, A.2 i)
    return [n = s.at(0)](const Acceptor& a) {
      return array_of(n, [a](std::int64_t i) {
        return pair_of(element_of(component_of(a, 1), i), element_of(component_of(a, 2), i));
      });
    };
  if (name == "splitAcc")  // \i. A (i / k) (i % k), from A : [m][k]
    return [k = s.at(0), m = s.at(1)](const Acceptor& a) {
      return array_of(k * m, [a, k](std::int64_t i) { return element_of(element_of(a, i / k), i % k); });
    };
  if (name == "joinAcc")  // \i j. A (i k + j), from A : [m k]
    return [m = s.at(0), k = s.at(1)](const Acceptor& a) {
      return array_of(m, [a, k](std::int64_t i) {
        return array_of(k, [a, k, i](std::int64_t j) { return element_of(a, i * k + j); });
      });
    };
  if (name == "transposeAcc")  // \i j. A j i, from A : [m][n]
    return [n = s.at(0), m = s.at(1)](const Acceptor& a) {
      return array_of(n, [a, m](std::int64_t i) {
        return array_of(m, [a, i](std::int64_t j) { return element_of(element_of(a, j), i); });
      });
    };
  if (name == "reverseAcc")
    return [n = s.at(0)](const Acceptor& a) {
      return array_of(n, [a, n](std::int64_t i) { return element_of(a, n - 1 - i); });
    };
  if (name == "concatAcc1")
    return [n = s.at(0)](const Acceptor& a) { return array_of(n, [a](std::int64_t i) { return element_of(a, i); }); };
  if (name == "concatAcc2")
    return [n = s.at(0), m = s.at(1)](const Acceptor& a) {
      return array_of(m, [a, n](std::int64_t i) { return element_of(a, n + i); });
    };
  if (name == "asVectorAcc")  // \i. lane i % w of A (i / w), from A : [m]s<w>
    return [w = s.at(0), m = s.at(1)](const Acceptor& a) {
      return array_of(w * m, [a, w](std::int64_t i) { return element_of(element_of(a, i / w), i % w); });
    };
  if (name == "asScalarAcc")  // \i. <l. A (i w + l)>, from A : [w m]s
    return [m = s.at(0), w = s.at(1)](const Acceptor& a) {
      return array_of(m, [a, w](std::int64_t i) {
        return array_of(w, [a, w, i](std::int64_t l) { return element_of(a, i * w + l); });
      });
    };
  if (name == "streamAcc") return [](const Acceptor& a) { return a; };
  return {};
}

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
    return {Place{argument, 0, std::make_shared<const Rearranged>(Rearranged{a, result, position})}};
  };
}

}  // namespace lockstep
