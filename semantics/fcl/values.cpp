#include "semantics/fcl/values.h"

#include <limits>

#include "semantics/text/value_reader.h"

namespace lockstep::fcl {
namespace parsing {
namespace {

using namespace reading;

// int and double are a double; nothing where two types are never one.
std::optional<Type> joined(const Type& a, const Type& b) {
  if (a == b) return a;
  const auto number = [](const Type& t) { return t == int_type || t == double_type; };
  if (number(a) && number(b)) return double_type;
  if (const auto* p = as<PairOf>(a), *q = as<PairOf>(b); p && q) {
    const auto first = joined(*p->first, *q->first), second = joined(*p->second, *q->second);
    if (first && second) return pair_of(*first, *second);
  }
  if (const auto* p = as<PullType>(a), *q = as<PullType>(b); p && q)
    if (const auto element = joined(*p->element, *q->element)) return pull(*element);
  return std::nullopt;
}

class TypedReader : public ValueReader {
 public:
  TypedReader(SourceRef source, Bound* bound)
      : ValueReader(std::move(source), {"bool", "int", "double", ""}), bound_(bound) {}
  Value whole(const Type& type) {
    refuse_too_long();
    Value v = value(type);
    expect_end();
    return v;
  }

 private:
  Value value(const Type& type) {
    const Deeper deeper(*this);
    std::vector<Token> opened;
    if (!as<PairOf>(type) && !as<NamedType>(type))
      while (at("(")) opened.push_back(take());
    Value v = match(
        type.node, [&](ScalarType s) { return scalar(s); }, [&](const NamedType& n) { return named(n.name); },
        [&](const PairOf& p) {
          auto parts = components(show(type), 2, [&](std::size_t k) { return value(k == 0 ? *p.first : *p.second); });
          return pair_value(std::move(parts[0]), std::move(parts[1]));
        },
        [&](const PullType& a) { return array(type, *a.element); },
        [&](const PushType& a) { return array(type, *a.element); },
        [&](const auto&) -> Value { throw Bug("a value of a type that has none: " + show(type)); });
    for (; !opened.empty(); opened.pop_back()) close(opened.back(), ")");
    return v;
  }

  Value scalar(ScalarType s) {
    if (s == ScalarType::Bool) return scalar_value(make_bool(truth()));
    if (s == ScalarType::F64) return scalar_value(make_ieee(s, real()));
    const std::uint32_t begin = peek().begin;
    const std::int64_t n = integer();
    if (n < std::numeric_limits<std::int32_t>::min() || n > std::numeric_limits<std::int32_t>::max())
      fail(region(begin, previous_.end), "this number is too large for an int",
           "a number from -2147483648 to 2147483647");
    return scalar_value(make_integer(s, static_cast<std::uint64_t>(n)));
  }

  // Of a type that is not known: what it looks like is noted.
  Value named(const std::string& name) {
    const std::uint32_t begin = peek().begin;
    const Type seen = looked_at();
    const auto [at, is_new] = bound_->emplace(name, seen);
    const auto both = joined(at->second, seen);
    if (!both)
      fail(region(begin, previous_.end),
           "this is a `" + show(seen) + "`, and `" + name + "` is a `" + show(at->second) + "` before it",
           "values of one type for `" + name + "`");
    at->second = *both;
    return scalar_value(make_bool(false));
  }
  Type looked_at() {
    const Deeper deeper(*this);
    if (at("(")) {
      const Token opener = take();
      Type first = looked_at();
      if (!accept(",")) {
        close(opener, ")", ", or `,`");
        return first;
      }
      Type second = looked_at();
      close(opener, ")");
      return pair_of(std::move(first), std::move(second));
    }
    if (at("[")) {
      const Token opener = take();
      std::optional<Type> element;
      items_or_none(opener, "]", [&] {
        const std::uint32_t begin = peek().begin;
        const Type next = looked_at();
        const auto both = element ? joined(*element, next) : std::optional(next);
        if (!both)
          fail(region(begin, previous_.end), "this element is of another type than those before it",
               "elements of one type");
        element = both;
      });
      return pull(element.value_or(int_type));
    }
    switch (word_kind()) {
      case WordKind::Integer:
        return take(), int_type;
      case WordKind::Fraction:
      case WordKind::Special:
        return take(), double_type;
      case WordKind::Truth:
        return take(), bool_type;
      case WordKind::Other:
        break;
    }
    unexpected("a value: 12, -1.5, true, (1,2.5) or [1,2]");
  }

  Value array(const Type& type, const Type& element) {
    if (!at("[")) unexpected("a value of type " + show(type) + ", such as […]");
    const Token opener = take();
    std::vector<Value> items;
    std::optional<lockstep::Type> shape;
    items_or_none(opener, "]", [&] {
      const std::uint32_t begin = peek().begin;
      items.push_back(value(element));
      if (bound_) return;
      lockstep::Type is = shaped(element, items.back());
      if (shape && !(*shape == is))
        fail(region(begin, previous_.end),
             "this array is irregular: an element is `" + lockstep::show(is) + "`, and those before it `" +
                 lockstep::show(*shape) + "`",
             "rows of one length");
      shape = std::move(is);
    });
    return array_value(std::move(items));
  }

  Bound* const bound_;  // null where nothing is open
};

}  // namespace
}  // namespace parsing

std::optional<Diagnostics> note_types(const SourceRef& source, const Type& type, Bound& bound) {
  parsing::TypedReader reader(source, &bound);
  const auto read = reading::read_whole(reader, [&] { return reader.whole(type); });
  return read ? std::nullopt : std::optional(read.error());
}
Checked<Value> parse_value(const SourceRef& source, const Type& type) {
  parsing::TypedReader reader(source, nullptr);
  return reading::read_whole(reader, [&] { return reader.whole(type); });
}

Type closed(const Type& t, const Bound& bound) {
  return match(
      t.node, [](ScalarType s) { return Type{s}; },
      [&](const NamedType& n) {
        const auto at = bound.find(n.name);
        return at == bound.end() ? int_type : at->second;
      },
      [&](const PairOf& p) { return pair_of(closed(*p.first, bound), closed(*p.second, bound)); },
      [&](const PullType& a) { return pull(closed(*a.element, bound)); },
      [&](const PushType& a) { return push(closed(*a.element, bound), a.level); },
      [&](const Arrow& a) { return arrow(closed(*a.from, bound), closed(*a.to, bound)); },
      [&](const LevelArrow& a) { return level_arrow(a.variable, closed(*a.to, bound)); });
}

lockstep::Type shaped(const Type& t, const Value& v) {
  const auto of_elements = [&](const Type& element) {
    const std::int64_t n = length_of(v);
    return lockstep::array(Size(n), shaped(element, n > 0 ? element_of(v, 0) : array_value({})));
  };
  return match(
      t.node, [](ScalarType s) { return lockstep::scalar(s); },
      [&](const PairOf& p) {
        const bool is_pair = std::holds_alternative<std::shared_ptr<const PairValue>>(v.node);
        return lockstep::pair(shaped(*p.first, is_pair ? first_of(v) : array_value({})),
                              shaped(*p.second, is_pair ? second_of(v) : array_value({})));
      },
      [&](const PullType& a) { return of_elements(*a.element); },
      [&](const PushType& a) { return of_elements(*a.element); },
      [&](const auto&) -> lockstep::Type { throw Bug("a value of a type that has none: " + show(t)); });
}

}  // namespace lockstep::fcl
