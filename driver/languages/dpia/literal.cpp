// Literals of the command line: text to a tree, and the tree to the leaves of a type.
#include "driver/languages/dpia/literal.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "semantics/core/size_limit.h"
#include "semantics/text/value_reader.h"

namespace lockstep::driver {
namespace {

class LiteralReader : public reading::ValueReader {
 public:
  explicit LiteralReader(const std::string& text)
      : ValueReader(std::make_shared<const Source>(Source{"value", text})) {}

  Literal whole() {
    refuse_too_long();
    Literal l = literal();
    expect_end();
    return l;
  }

 private:
  Literal literal() {
    const Deeper deeper(*this);
    if (at("[")) return brackets(Literal::Kind::List, "]");
    if (at("(")) return brackets(Literal::Kind::Tuple, ")");
    if (at("<")) return brackets(Literal::Kind::Lanes, ">");
    if (at_kind(reading::TokenKind::Text)) unexpected("a value", "a text is no value of this language");
    if (!at_word()) unexpected("a value");
    const reading::Token first = take();
    std::string word(first.text);
    if (word == "-" && !at_word()) unexpected("a value after `-`");
    if (word == "-") word += take().text;
    return {Literal::Kind::Word, std::move(word), {}, first.begin};
  }

  Literal brackets(Literal::Kind kind, std::string_view closer) {
    const reading::Token opener = take();
    Literal l{kind, "", {}, opener.begin};
    items_or_none(opener, closer, [&] { l.parts.push_back(literal()); });
    if (kind != Literal::Kind::Tuple || l.parts.size() != 1) return l;
    Literal inside = std::move(l.parts[0]);  // (e) is e itself
    return inside;
  }
};

std::string kind_of(const Literal& l) {
  switch (l.kind) {
    case Literal::Kind::Word:
      return l.word;
    case Literal::Kind::List:
      return "a list";
    case Literal::Kind::Tuple:
      return "a tuple of " + std::to_string(l.parts.size());
    case Literal::Kind::Lanes:
      return "a short vector";
  }
  return "";
}

class Fitter {
 public:
  explicit Fitter(const Type& type) : leaves_(leaves_of(type)) {
    for (const Leaf& l : leaves_) out.dims.emplace_back(l.dims.size());
    out.scalars.resize(leaves_.size());
  }
  struct Stop {
    std::string message;
  };

  void fit(const Literal& l, const Type& t, std::size_t leaf, std::size_t depth) {
    match(
        t.node, [&](ScalarType s) { scalar(l, s, leaf); }, [&](const IndexType&) { scalar(l, ScalarType::I64, leaf); },
        [&](const ArrayType& x) { list(l, t, x, leaf, depth); },
        [&](const PairType& x) { tuple(l, t, x, 0, leaf, depth); }, [&](const VectorType& x) { lanes(l, t, x, leaf); },
        [&](const FunctionType&) { throw Bug("a literal for a function"); },
        [&](const TypeVariable&) { throw Bug("a literal for a type variable"); });
  }
  LiteralLeaves out;

 private:
  [[noreturn]] static void mismatch(const Literal& l, const std::string& expected) {
    throw Stop{"expected " + expected + ", found " + kind_of(l) + " at column " + std::to_string(l.column + 1)};
  }

  void scalar(const Literal& l, ScalarType t, std::size_t leaf) {
    if (l.kind != Literal::Kind::Word) mismatch(l, std::string(lockstep::show(t)));
    auto s = parse_scalar(t, l.word);
    if (!s) throw Stop{s.error() + " at column " + std::to_string(l.column + 1)};
    out.scalars[leaf].push_back(std::move(*s));
  }

  void list(const Literal& l, const Type& t, const ArrayType& a, std::size_t leaf, std::size_t depth) {
    if (l.kind != Literal::Kind::List) mismatch(l, "a list of type " + lockstep::show(t));
    const auto n = static_cast<std::int64_t>(l.parts.size());
    const std::size_t leaves = leaves_of(*a.element).size();
    for (std::size_t k = leaf; k < leaf + leaves; ++k) {
      auto& d = out.dims[k][depth];
      if (d && *d != n)
        throw Stop{"the lists are ragged: one has " + std::to_string(*d) + " elements, the one at column " +
                   std::to_string(l.column + 1) + " has " + std::to_string(n)};
      d = n;
    }
    for (const Literal& part : l.parts) fit(part, *a.element, leaf, depth + 1);
  }

  // The components from `from` on, (a, b, c) being (a, (b, c)).
  void tuple(const Literal& l, const Type& t, const PairType& p, std::size_t from, std::size_t leaf,
             std::size_t depth) {
    if (l.kind != Literal::Kind::Tuple || l.parts.size() < from + 2)
      mismatch(l, "a tuple of type " + lockstep::show(t));
    fit(l.parts[from], *p.first, leaf, depth);
    const std::size_t second = leaf + leaves_of(*p.first).size();
    if (from + 2 == l.parts.size()) return fit(l.parts[from + 1], *p.second, second, depth);
    const auto* rest = as<PairType>(*p.second);
    if (!rest) mismatch(l, "a tuple of type " + lockstep::show(t));
    tuple(l, *p.second, *rest, from + 1, second, depth);
  }

  void lanes(const Literal& l, const Type& t, const VectorType& v, std::size_t leaf) {
    const bool brackets = l.kind == Literal::Kind::Lanes || l.kind == Literal::Kind::List;
    if (!brackets || static_cast<std::int64_t>(l.parts.size()) != v.width.constant())
      mismatch(l, "a short vector of type " + lockstep::show(t) + ", as in <1,2>");
    for (const Literal& part : l.parts) scalar(part, leaves_[leaf].scalar, leaf);
  }

  std::vector<Leaf> leaves_;
};

// word without a type's name at its end: 12i64
std::string without_suffix(const std::string& word, ScalarType t) {
  const std::string name(show(t));
  const bool hexadecimal = word.find('x') != std::string::npos;
  if (word.size() > name.size() && word.ends_with(name) && !(hexadecimal && is_float(t)))
    return word.substr(0, word.size() - name.size());
  return word;
}

tl::expected<Scalar, std::string> parse_float(ScalarType t, const std::string& word) {
  if (const std::string bare = word[0] == '-' ? word.substr(1) : word;
      bare == "inf" || bare == "nan" || bare == "infinity") {
    const double x = bare == "nan" ? std::nan("") : HUGE_VAL;
    return make_ieee(t, word[0] == '-' ? -x : x);
  }
  // strtod takes more than a literal is: nan(...), hexadecimal floats.
  if (word.find_first_not_of("0123456789.eE+-") != std::string::npos || word[0] == '+')
    return tl::unexpected("expected " + std::string(show(t)) + ", found " + word);
  char* end = nullptr;
  errno = 0;
  const double x =
      t == ScalarType::F32 ? static_cast<double>(std::strtof(word.c_str(), &end)) : std::strtod(word.c_str(), &end);
  if (*end != '\0' || end == word.c_str())
    return tl::unexpected("expected " + std::string(show(t)) + ", found " + word);
  if (std::isinf(x)) return tl::unexpected(word + " is out of the range of " + std::string(show(t)));
  return make_ieee(t, x);
}

tl::expected<Scalar, std::string> parse_integer(ScalarType t, const std::string& word) {
  const std::string type(show(t));
  const bool negative = word[0] == '-';
  std::string digits = negative ? word.substr(1) : word;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16, digits = digits.substr(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    return tl::unexpected("expected " + type + ", found " + word);
  const int bits = lockstep::bits_of(t);
  const std::uint64_t top = is_signed(t) ? (std::uint64_t{1} << (bits - 1)) - 1
                            : bits == 64 ? ~std::uint64_t{0}
                                         : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t bottom = is_signed(t) ? top + 1 : 0;
  if (error != std::errc{} || magnitude > (negative ? bottom : top))
    return tl::unexpected(word + " is out of the range of " + type);
  return make_integer(t, negative ? 0 - magnitude : magnitude);
}

}  // namespace

tl::expected<Literal, std::string> parse_literal(const std::string& text) {
  LiteralReader reader(text);
  auto read = reading::read_whole(reader, [&] { return reader.whole(); });
  if (read) return std::move(*read);
  const Diagnostic& d = read.error().front();
  return tl::unexpected(d.message + " at column " + std::to_string(d.region.begin + 1) + ", expected " + d.expected +
                        (d.mend.empty() ? "" : ": " + d.mend));
}

tl::expected<Scalar, std::string> parse_scalar(ScalarType t, const std::string& word) {
  if (t == ScalarType::Bool) {
    if (word == "true" || word == "false") return make_bool(word == "true");
    return tl::unexpected("expected true or false, found " + word);
  }
  const std::string bare = without_suffix(word, t);
  return is_float(t) ? parse_float(t, bare) : parse_integer(t, bare);
}

tl::expected<std::int64_t, std::string> parse_natural(const std::string& word) {
  const auto s = parse_scalar(ScalarType::I64, word);
  if (s && s->integer() >= 0 && s->integer() <= largest_size) return s->integer();
  const bool natural = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  return tl::unexpected(natural ? "the size " + word + " is too large: sizes are at most 2^56"
                                : "a size is a natural number, found " + word);
}

tl::expected<LiteralLeaves, std::string> fit_literal(const Literal& literal, const Type& type) {
  Fitter fitter(type);
  try {
    fitter.fit(literal, type, 0, 0);
  } catch (const Fitter::Stop& stop) {
    return tl::unexpected(stop.message);
  }
  return std::move(fitter.out);
}

}  // namespace lockstep::driver
