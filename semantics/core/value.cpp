// Values: makers, reading through delays, and printing.
#include "semantics/core/value.h"

#include "semantics/core/diagnostic.h"
#include "semantics/core/ref.h"

namespace lockstep {

Value scalar_value(Scalar s) { return {std::move(s)}; }
Value pair_value(Value a, Value b) {
  return {std::make_shared<const PairValue>(PairValue{std::move(a), std::move(b)})};
}
Value array_value(std::vector<Value> items) {
  const auto length = static_cast<std::int64_t>(items.size());
  return {std::make_shared<const ArrayValue>(ArrayValue{length, std::move(items), nullptr})};
}
Value delayed_array(std::int64_t length, std::function<Value(std::int64_t)> at) {
  if (length < 0) throw Bug("an array of negative length");
  return {std::make_shared<const ArrayValue>(ArrayValue{length, {}, std::move(at)})};
}
Value lanes_value(Lanes lanes) { return {std::make_shared<const Lanes>(std::move(lanes))}; }
Value function_value(FunctionValue f) { return {std::make_shared<const FunctionValue>(std::move(f))}; }
Value delayed_value(DelayedValue d) { return {std::make_shared<const DelayedValue>(std::move(d))}; }
Value trapped_value(Trap t) { return {std::make_shared<const Trap>(std::move(t))}; }

namespace {

Value without_delay(const Value& v) {
  Value now = v;
  while (const auto* delayed = std::get_if<std::shared_ptr<const DelayedValue>>(&now.node)) {
    const auto kept = *delayed;  // `now` goes while its closure runs
    now = (*kept)();
  }
  return now;
}

}  // namespace

Value force(const Value& v) {
  Value now = without_delay(v);
  if (const auto* trap = std::get_if<std::shared_ptr<const Trap>>(&now.node)) throw TrapSignal{**trap, {}, true};
  return now;
}

namespace {

template <class T>
const T& content(const Value& forced, const char* expected) {
  const auto* p = std::get_if<std::shared_ptr<const T>>(&forced.node);
  if (!p) throw Bug(std::string("a value that is no ") + expected);
  return **p;
}

// Where a trap has left nothing there is nothing; what is beside it stays.
template <class F>
Value or_trapped(const F& f) {
  try {
    return f();
  } catch (const TrapSignal& signal) {
    if (!signal.again) throw;
    return trapped_value(signal.trap);
  }
}

// v at weak head, without a copy where it is there already.
class Forced {
 public:
  explicit Forced(const Value& v) {
    const bool there = !std::holds_alternative<std::shared_ptr<const DelayedValue>>(v.node) &&
                       !std::holds_alternative<std::shared_ptr<const Trap>>(v.node);
    if (!there) kept_ = force(v);
    value_ = there ? &v : &kept_;
  }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;
  const Value& operator*() const { return *value_; }

 private:
  Value kept_;
  const Value* value_;
};

}  // namespace

const Scalar& as_scalar(const Value& forced) {
  const auto* s = std::get_if<Scalar>(&forced.node);
  if (!s) throw Bug("a value that is no scalar");
  return *s;
}
const Lanes& as_lanes(const Value& forced) { return content<Lanes>(forced, "short vector"); }

Value first_of(const Value& v) { return content<PairValue>(*Forced(v), "pair").first; }
Value second_of(const Value& v) { return content<PairValue>(*Forced(v), "pair").second; }
std::int64_t length_of(const Value& v) { return content<ArrayValue>(*Forced(v), "array").length; }

Value element_of(const Value& v, std::int64_t i) {
  const Forced forced(v);
  const ArrayValue& a = content<ArrayValue>(*forced, "array");
  if (i < 0 || i >= a.length) {
    throw Bug("element " + std::to_string(i) + " of an array of " + std::to_string(a.length));
  }
  return a.at ? or_trapped([&] { return a.at(i); }) : a.items[static_cast<std::size_t>(i)];
}

Value call(const Value& function, std::span<const Value> arguments) {
  return content<FunctionValue>(*Forced(function), "function")(arguments);
}

Value stored(const Value& v) {
  const Value forced = or_trapped([&] { return without_delay(v); });
  if (const auto* pair = std::get_if<std::shared_ptr<const PairValue>>(&forced.node)) {
    Value first = stored((*pair)->first);
    return pair_value(std::move(first), stored((*pair)->second));
  }
  if (!std::holds_alternative<std::shared_ptr<const ArrayValue>>(forced.node)) return forced;
  const std::int64_t length = length_of(forced);
  std::vector<Value> items;
  items.reserve(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) items.push_back(stored(element_of(forced, i)));
  return array_value(std::move(items));
}

namespace {

// The depth of recursion is the nesting of the value's type, which the parsers limit.
void print(std::string& out, const Value& v, const Domain& domain);

void print_tuple(std::string& out, const Value& pair, const Domain& domain) {  // (a, (b, c)) is (a, b, c)
  out += '(';
  Value rest = pair;
  while (std::holds_alternative<std::shared_ptr<const PairValue>>(rest.node)) {
    print(out, first_of(rest), domain);
    out += ", ";
    rest = force(second_of(rest));
  }
  print(out, rest, domain);
  out += ')';
}

void print_array(std::string& out, const Value& array, const Domain& domain) {
  const std::int64_t length = length_of(array);
  out += '[';
  for (std::int64_t i = 0; i < length; ++i) {
    if (i > 0) out += ", ";
    print(out, element_of(array, i), domain);
  }
  out += ']';
}

void print_lanes(std::string& out, const Lanes& lanes, const Domain& domain) {
  out += '<';
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (i > 0) out += ", ";
    out += show(lanes[i], domain);
  }
  out += '>';
}

void print(std::string& out, const Value& v, const Domain& domain) {
  const Value forced = force(v);
  match(
      forced.node, [&](const Scalar& s) { out += show(s, domain); },
      [&](const std::shared_ptr<const PairValue>&) { print_tuple(out, forced, domain); },
      [&](const std::shared_ptr<const ArrayValue>&) { print_array(out, forced, domain); },
      [&](const std::shared_ptr<const Lanes>& lanes) { print_lanes(out, *lanes, domain); },
      [](const std::shared_ptr<const FunctionValue>&) { throw Bug("a function is no result"); },
      [](const std::shared_ptr<const DelayedValue>&) { throw Bug("force left a delay"); },
      [](const std::shared_ptr<const Trap>&) { throw Bug("force left a trap"); });
}

}  // namespace

std::string show(const Value& v, const Domain& domain) {
  std::string out;
  print(out, v, domain);
  return out;
}

}  // namespace lockstep
