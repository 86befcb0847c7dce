// Definitions spelled in a dialect (dialect.h).
#include "codegen/dialects/dialect.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "codegen/dialects/library.h"
#include "semantics/core/diagnostic.h"
#include "semantics/core/ref.h"

namespace lockstep {

using namespace scalars;

std::string_view memory_type(const Dialect& dialect, ScalarType t) {
  return dialect.types[t == ScalarType::Bool ? ScalarType::U8 : t];
}

std::string vector_type(const Dialect& dialect, ScalarType t, int lanes) {
  const ScalarType lane = t == ScalarType::Bool ? ScalarType::U8 : t;
  return filled(
      dialect.vectors.type, {},
      {{'e', std::string(dialect.types[lane])}, {'k', std::string(show(lane))}, {'n', std::to_string(lanes)}});
}

ScalarType word_type(ScalarType t) {
  for (const ScalarType word : scalar_types)
    if (is_integer(word) && !is_signed(word) && bits_of(word) == bits_of(t)) return word;
  throw Bug("a type that no word is as wide as");
}

namespace {

bool compares(Operation op) { return op >= Operation::Equal && op <= Operation::GreaterEqual; }
bool on_bits(Operation op) { return op >= Operation::And && op <= Operation::ShiftRight; }
bool may_overflow(Operation op) {
  return op <= Operation::Multiply || op == Operation::ShiftLeft || op == Operation::Negate;
}

// `lanes`: 0 for numbers.
class Speller {
 public:
  Speller(const Dialect& dialect, const std::vector<std::string>& arguments, int lanes, NameOnVectors name = {})
      : dialect_(dialect), arguments_(arguments), lanes_(lanes), name_on_vectors_(std::move(name)) {}

  struct Text {
    std::string text;
    int precedence;
  };
  // `condition`: its truth is asked only, so that 0 and 1 will do for a bool.
  Text text(const Definition& d, bool condition = false) {
    return match(
        d.node,
        [&](const Definition::Argument& a) -> Text {
          return {arguments_.at(a.k), 13};
        },
        [&](const Definition::Constant& c) {
          return is_float(d.type) ? number(c.value.ieee(), d.type) : whole(c.value);
        },
        [&](const Definition::Apply& a) { return application(d.type, a, condition); },
        [&](const Definition::Choice& c) -> Text {
          const Text when = text(c.operands[0], true);
          return {(when.precedence < 7 ? "(" + when.text + ")" : when.text) + " ? " + at(c.operands[1], 2) + " : " +
                      at(c.operands[2], 1),
                  1};
        },
        [&](const Definition::Library& l) -> Text {
          if (lanes_ == 0) calls.push_back(library_function(dialect_, l, d.type));
          const std::string name = lanes_ > 0 ? name_on_vectors_(l, d.type) : calls.back().name;
          std::string all;
          for (const Definition& x : l.operands) all += (all.empty() ? "" : ", ") + text(x).text;
          return {name + "(" + all + ")", 13};
        });
  }

  std::vector<LibraryFunction> calls;

 private:
  std::string type(ScalarType t) const {
    return lanes_ > 0 ? vector_type(dialect_, t, lanes_) : std::string(dialect_.types[t]);
  }
  // Beside whole vectors an int might be wider than their lanes.
  Text whole(const Scalar& value) const {
    const ScalarType t = value.type;
    const std::int64_t n = value.integer();
    const Letters letters{{'t', std::string(dialect_.types[t])}};
    if (!is_signed(t) && n > INT32_MAX) return {filled(dialect_.large, {std::to_string(value.bits)}, letters), 13};
    const Text plain{std::to_string(n), n < 0 ? 12 : 13};
    if (lanes_ == 0 || dialect_.lane_number == "#0") return plain;
    return {filled(dialect_.lane_number, {plain.text}, letters), 12};
  }
  // Small whole numbers as ints, where the dialect converts them; others exactly.
  Text number(double x, ScalarType t) const {
    const int precedence = x < 0 ? 12 : 13;
    if (dialect_.whole_floats_as_ints && std::abs(x) <= INT32_MAX && std::trunc(x) == x)
      return {std::to_string(static_cast<std::int64_t>(x)), precedence};
    char text[64];
    std::snprintf(text, sizeof text, "%a", x);
    return {text + std::string(t == ScalarType::F32 ? dialect_.number_suffix : ""), precedence};
  }

  std::string at(const Definition& d, int least) {
    const Text t = text(d);
    return t.precedence < least ? "(" + t.text + ")" : t.text;
  }

  const Dialect::Operator* wrapping(Operation op, ScalarType t) const {
    if (!is_integer(t) || !(is_signed(t) || (lanes_ == 0 && bits_of(t) < dialect_.promoted_below))) return nullptr;
    for (const Dialect::Wrapping& w : dialect_.wrapping)
      if (w.op == op) return lanes_ > 0 ? &w.on_vectors : &w.on_numbers;
    return nullptr;
  }

  Text filled_in(const Dialect::Operator& row, ScalarType t, const std::vector<Definition>& operands) {
    const ScalarType from = operands[0].type;
    std::vector<std::string> texts;
    for (const Definition& x : operands) texts.push_back(at(x, texts.empty() ? row.left : row.right));
    Letters letters{{'t', type(t)}, {'o', type(from)}};
    // A short word would be an int again.
    if (is_integer(t)) letters.emplace_back('w', type(word_type(lanes_ == 0 && bits_of(t) < 32 ? ScalarType::U32 : t)));
    return {filled(row.text, texts, letters), row.precedence};
  }

  Text application(ScalarType t, const Definition::Apply& a, bool condition) {
    if (const Dialect::Operator* row = wrapping(a.op, t)) return filled_in(*row, t, a.operands);
    const Dialect::Operator& row = dialect_.operators[a.op];
    const Text out = filled_in(row, t, a.operands);
    if (a.op == Operation::LeadingZeros && row.bits > bits_of(t))
      return {out.text + " - " + std::to_string(row.bits - bits_of(t)), 10};
    if (t == ScalarType::Bool && on_bits(a.op) && !condition) return {"(" + out.text + ") != 0", 7};
    if (lanes_ == 0 && is_integer(t) && bits_of(t) < dialect_.promoted_below && may_overflow(a.op))
      return is_signed(t) ? Text{"(" + std::string(dialect_.types[t]) + ")(" + out.text + ")", 12}
                          : Text{"(" + out.text + ") & " + std::to_string((std::int64_t(1) << bits_of(t)) - 1), 6};
    return out;
  }

  const Dialect& dialect_;
  const std::vector<std::string>& arguments_;
  int lanes_;
  NameOnVectors name_on_vectors_;
};

// As a condition a comparison of vectors is a mask; | & ^ of masks are, too.
bool is_mask(const Dialect& dialect, const Definition& d, const NameOnVectors& name);
bool is_on_vectors(const Dialect& dialect, const Definition& d, const NameOnVectors& name) {
  const auto all = [&](const std::vector<Definition>& operands) {
    return std::all_of(operands.begin(), operands.end(),
                       [&](const Definition& x) { return is_on_vectors(dialect, x, name); });
  };
  return match(
      d.node, [](const Definition::Argument&) { return true; }, [](const Definition::Constant&) { return true; },
      [&](const Definition::Apply& a) {
        if (d.type == ScalarType::Bool || !dialect.operators[a.op].on_vectors) return false;
        // A machine stops at what one lane divides by.
        if ((a.op == Operation::Divide || a.op == Operation::Remainder) && !is_float(d.type)) return false;
        return all(a.operands);
      },
      [&](const Definition::Choice& c) {
        return is_mask(dialect, c.operands[0], name) && is_on_vectors(dialect, c.operands[1], name) &&
               is_on_vectors(dialect, c.operands[2], name);
      },
      [&](const Definition::Library& l) { return name && !name(l, d.type).empty() && all(l.operands); });
}
bool is_mask(const Dialect& dialect, const Definition& d, const NameOnVectors& name) {
  const auto* a = std::get_if<Definition::Apply>(&d.node);
  if (!a || d.type != ScalarType::Bool || !(compares(a->op) || on_bits(a->op))) return false;
  return std::all_of(a->operands.begin(), a->operands.end(), [&](const Definition& x) {
    return compares(a->op) ? is_on_vectors(dialect, x, name) : is_mask(dialect, x, name);
  });
}

}  // namespace

Spelled spell(const Dialect& dialect, const Definition& d, const std::vector<std::string>& arguments) {
  Speller speller(dialect, arguments, 0);
  auto [text, precedence] = speller.text(d);
  return {std::move(text), precedence == 13, std::move(speller.calls)};
}

std::string spell_on_vectors(const Dialect& dialect, const Definition& d, const std::vector<std::string>& arguments,
                             int lanes, const NameOnVectors& name) {
  if (const auto* l = std::get_if<Definition::Library>(&d.node)) {
    const auto it = dialect.on_vectors.find(l->name);
    if (it != dialect.on_vectors.end()) return spell_on_vectors(dialect, it->second(d.type), arguments, lanes);
  }
  if (d.type == ScalarType::Bool || !is_on_vectors(dialect, d, name)) return "";
  return Speller(dialect, arguments, lanes, name).text(d).text;
}

}  // namespace lockstep
