// Functions, blocks, and what is in scope.
#include "props/l0/generate.h"

#include <algorithm>
#include <functional>

#include "props/l0/generate_state.h"
#include "semantics/core/diagnostic.h"
#include "semantics/l0/check.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::props::l0 {

std::string text_of(const Shaped& t, bool unique) {
  std::string out = t.kind == Kind::Int ? "int" : t.kind == Kind::Real ? "real" : "bool";
  for (int k = 0; k < t.rank; ++k) out = (unique && k + 1 == t.rank ? "*[" : "[") + out + "]";
  return out;
}

Named* Generator::array_where(int unused_percent, const std::function<bool(const Named&)>& fits) {
  std::vector<Named*> all, unused;
  for (Named& n : scope_) {
    if (!fits(n)) continue;
    all.push_back(&n);
    if (n.used == 0) unused.push_back(&n);
  }
  if (all.empty()) return nullptr;
  Named* out = !unused.empty() && random_.percent(unused_percent) ? random_.among(unused) : random_.among(all);
  ++out->used;
  return out;
}
Named* Generator::array(int rank) {
  return array_where(75, [rank](const Named& n) { return n.type.rank == rank; });
}
Named* Generator::array_as_long(const Named& as, int rank) {
  if (random_.percent(4)) return array(rank);
  return array_where(70, [&](const Named& n) { return n.type.rank == rank && n.length == as.length; });
}
// So many at most, of one length.
std::vector<Named*> Generator::arrays_together(int most) {
  Named* first = array(random_.percent(30) ? 2 : 1);
  if (!first) first = array(1);
  std::vector<Named*> out;
  if (!first) return out;
  out.push_back(first);
  for (int k = 1 + random_.below(most); k > 1; --k)
    if (Named* next = array_as_long(*first, random_.percent(25) ? 2 : 1)) out.push_back(next);
  return out;
}
Named Generator::element(const Named& array) {
  return {fresh("e"), {array.type.kind, array.type.rank - 1}, array.row, 0, false, 0};
}

std::string Generator::program() {
  sets_ = random_.percent(30);
  doubles_ = random_.percent(30);
  std::string out;
  if (sets_) out += "fun *[int] set(*[int] a, int i, int v) = let a[i] = v in a\n";
  if (doubles_) out += "fun int twice(int v) = v + v\nfun real halved(real v) = v / 2.0\n";
  return out + function();
}

std::string Generator::function() {
  const int n = new_length(), m = new_length();
  std::string parameters;
  const auto parameter = [&](const Named& p, bool unique) {
    parameters += (parameters.empty() ? "" : ", ") + text_of(p.type, unique) + " " + p.name;
    scope_.push_back(p);
  };
  parameter({"n", {Kind::Int, 0}, n}, false);
  if (random_.percent(50)) parameter({fresh("k"), {kind(), 0}}, false);
  for (int k = 1 + random_.below(3); k > 0; --k) {
    const bool rows = random_.percent(35), unique = random_.percent(40);
    parameter({fresh("a"), {kind(), rows ? 2 : 1}, n, rows ? m : 0, unique}, unique);
  }
  std::string body;
  for (int k = 0; k < statements_; ++k) body += statement(2);
  std::vector<const Named*> given;
  for (const Named& x : scope_)
    if (x.type.rank < gone && (x.used == 0 || random_.percent(10))) given.push_back(&x);
  while (given.size() > 3) given.erase(given.begin() + random_.below(static_cast<int>(given.size())));
  if (given.empty()) given.push_back(&scope_.front());
  std::string types, names;
  for (const Named* x : given) {
    types += (types.empty() ? "" : ", ") + text_of(x->type);
    names += (names.empty() ? "" : ", ") + x->name;
  }
  const bool several = given.size() > 1;
  return "fun " + (several ? "(" + types + ")" : types) + " main(" + parameters + ") =\n" + body +
         (several ? "(" + names + ")" : names) + "\n";
}

// Definitions, and something of the type wanted.
std::string Generator::block(int statements, int depth, const Shaped* wanted) {
  const std::size_t before = scope_.size();
  std::string out;
  for (int k = 0; k < statements && depth > 0; ++k) out += statement(depth - 1);
  std::string value;
  if (wanted->rank == 0) {
    value = scalar(wanted->kind, depth);
  } else {
    for (std::size_t k = scope_.size(); k-- > 0 && value.empty();)
      if (scope_[k].type == *wanted && (k >= before || random_.percent(60))) value = scope_[k].name, ++scope_[k].used;
    if (value.empty()) {
      value = "replicate(" + (random_.percent(60) ? std::to_string(random_.below(4)) : "n") + ", " +
              scalar(wanted->kind, 1) + ")";
      for (int k = 1; k < wanted->rank; ++k) value = "replicate(2, " + value + ")";
    }
  }
  scope_.resize(before);
  return out + value;
}

namespace {

std::optional<lockstep::l0::Program> read(const std::string& text) {
  const auto source = std::make_shared<const Source>(Source{"program.l0", text});
  const auto fail = [&](const Diagnostics& wrong) { throw Bug("a random program is wrong: " + render(wrong.front())); };
  const auto parsed = lockstep::l0::parse_program(source);
  if (!parsed) fail(parsed.error());
  auto typed = lockstep::l0::typed(*parsed);
  if (!typed) fail(typed.error());
  if (!lockstep::l0::wrong_uses(*typed).empty()) return std::nullopt;
  return std::move(*typed);
}

}  // namespace

// Uses are right by trial: what is consumed is seldom used again.
lockstep::l0::Program generate_program(std::uint64_t seed, int statements) {
  for (std::uint64_t k = 0;; ++k)
    if (auto p = read(Generator(seed_of(seed, k), std::max(1, statements - static_cast<int>(k / 10))).program()))
      return std::move(*p);
}

lockstep::l0::Values random_arguments(const lockstep::l0::Function& f, std::uint64_t seed) {
  using namespace lockstep::l0;
  Random random(seed);
  const std::int64_t n = random.percent(12) ? 0 : 1 + random.below(4), m = random.percent(40)   ? n
                                                                           : random.percent(12) ? 0
                                                                                                : 1 + random.below(3);
  const auto length = [&](std::int64_t usual) { return random.percent(3) ? random.below(5) : usual; };
  const auto scalar = [&](ScalarType t) {
    if (t == ScalarType::Bool) return make_bool(random.percent(50));
    if (t == ScalarType::F64)
      return make_ieee(t, random.percent(4) ? special_float(random) : static_cast<double>(random.below(17) - 8) / 2);
    if (t == ScalarType::U8) return make_integer(t, static_cast<std::uint64_t>('a' + random.below(26)));
    const std::int64_t usual = random.below(9) - 3;
    return make_integer(t, static_cast<std::uint64_t>(random.percent(3) ? INT64_MIN + random.below(2) : usual));
  };
  Values leaves;
  // What is around a tuple is as long for each of its parts.
  const std::function<void(const lockstep::l0::Type&, const Dimensions&, bool)> draw =
      [&](const lockstep::l0::Type& type, const Dimensions& around, bool is_n) {
        if (const lockstep::l0::Type* element = element_of(type)) {
          Dimensions lengths = around;
          lengths.push_back(length(around.empty() ? n : m));
          return draw(*element, lengths, is_n);
        }
        if (const auto* tuple = as<TupleType>(type)) {
          for (const lockstep::l0::Type& item : tuple->items) draw(item, around, is_n);
          return;
        }
        const ScalarType t = std::get<ScalarType>(type.node);
        if (around.empty()) {
          const bool is_length = t == ScalarType::I64 && random.percent(is_n ? 90 : 40);
          leaves.push_back(is_length ? int_value(n) : lockstep::l0::Value{scalar(t)});
          return;
        }
        Array a = array_of_scalars(t, Shape(around));
        for (std::int64_t k = 0, all = a.shape.count(); k < all; ++k) set(a, static_cast<std::size_t>(k), scalar(t));
        leaves.push_back({std::move(a)});
      };
  for (const Parameter& p : f.parameters) draw(p.type, {}, p.name == "n");
  return leaves;
}

}  // namespace lockstep::props::l0
