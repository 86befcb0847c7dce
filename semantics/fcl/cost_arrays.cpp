// Array operations where costs are counted: elements computed again, what is written to memory and read from there.
#include "semantics/fcl/costing.h"

namespace lockstep::fcl::costing {

void trap(std::string_view primitive, std::string message, const Region& at) {
  throw TrapSignal{{std::string(primitive), std::move(message), at}};
}

Place Evaluator::place_of(const std::string& array, const Region& region) {
  return {machine_.fresh_array(), array, region, machine_.memory()};
}

// ---- pull arrays
Val Evaluator::generated(std::int64_t n, Function f) {
  return {std::make_shared<const Pull>(
      Pull{n, [f = std::move(f)](std::int64_t i) { return f(val(i)); }, std::make_shared<Seen>()})};
}

namespace {

// An array that was made anew for an element of another one stands for what it was before.
Val known_again(const Val& v, std::int64_t i, Seen& seen) {
  const auto* made = std::get_if<std::shared_ptr<const Pull>>(&v.node);
  if (!made || !(*made)->seen || !(*made)->seen->elements.empty()) return v;
  std::shared_ptr<Seen>& before = seen.inside[i];
  if (!before) before = (*made)->seen;
  Pull again = **made;
  again.seen = before;
  return {std::make_shared<const Pull>(std::move(again))};
}

}  // namespace

Val Evaluator::element(const Pull& a, std::int64_t i) {
  if (!a.seen || machine_.is_unseen()) return a.at(i);
  const bool is_first_again = !a.seen->elements.insert(i).second && !is_again_;
  const std::int64_t before = costs_.work();
  if (is_first_again) is_again_ = true;
  const Val v = a.at(i);
  if (is_first_again) {
    is_again_ = false;
    costs_.recomputed += costs_.work() - before;
  }
  return known_again(v, i, *a.seen);
}

Val Evaluator::mapped(const Val& f, const Val& array) {
  const Function& g = known<Function>(f);
  if (const auto* pull = std::get_if<std::shared_ptr<const Pull>>(&array.node))
    return {std::make_shared<const Pull>(Pull{(*pull)->length,
                                              [this, g, a = *pull](std::int64_t i) { return g(element(*a, i)); },
                                              std::make_shared<Seen>()})};
  Push out = known<Push>(array);
  out.mapped.push_back(g);
  return {std::make_shared<const Push>(std::move(out))};
}

// ---- memory
Val Evaluator::in_memory(std::shared_ptr<const Stored> stored) {
  const auto n = static_cast<std::int64_t>(stored->elements.size());
  return {std::make_shared<const Pull>(
      Pull{n, [this, stored = std::move(stored)](std::int64_t i) { return loaded(stored, i); }})};
}

Val Evaluator::loaded(const std::shared_ptr<const Stored>& stored, std::int64_t index) {
  const bool for_unit = !machine_.is_in_thread();
  const auto load = [this, stored, index, for_unit](std::size_t leaf, const Scalar& s) {
    machine_.access(stored->place, leaf, index, bytes_of(s.type), false, for_unit);
  };
  const Val& v = stored->elements[static_cast<std::size_t>(index)];
  if (const auto* s = std::get_if<Scalar>(&v.node)) return load(0, *s), v;
  std::size_t leaf = 0;
  const std::function<Val(const Val&)> part = [&](const Val& of) -> Val {
    if (const auto* s = std::get_if<Scalar>(&of.node))
      return {std::make_shared<Part>(Part{*s, [load, k = leaf++, s = *s] { load(k, s); }})};
    const auto& both = known<std::pair<Val, Val>>(of);
    Val first = part(both.first);
    return pair_val(std::move(first), part(both.second));
  };
  return part(v);
}

void Evaluator::store(const Val& v, std::int64_t index, std::size_t& leaf, Stored& out, Val& into) {
  if (const auto* both = std::get_if<std::shared_ptr<const std::pair<Val, Val>>>(&v.node)) {
    Val first, second;
    store((*both)->first, index, leaf, out, first);
    store((*both)->second, index, leaf, out, second);
    into = pair_val(std::move(first), std::move(second));
    return;
  }
  const Scalar& s = scalar_of(v);
  machine_.access(out.place, leaf++, index, bytes_of(s.type), true, false);
  into = val(s);
  out.bytes += bytes_of(s.type);
}

// ---- push arrays
Val Evaluator::interleaved(std::span<const Val> x, const Region& region) {
  const std::int64_t n = int_of(x[0]);
  const auto chunks = std::get<std::shared_ptr<const Pull>>(x[2].node);
  // Levels are in types alone: that of the chunks is the first one's.
  int level = thread_level.above;
  if (chunks->length > 0) machine_.unseen([&] { level = known<Push>(element(*chunks, 0)).level; });
  Push out{n * chunks->length, level + 1, chunks, known<Function>(x[1]), n, region};
  return {std::make_shared<const Push>(std::move(out))};
}

namespace {

// Each place is to be met once.
class Places {
 public:
  Places(const Push& p) : region_(p.region), length_(p.length) {}
  void meet(std::int64_t i, std::int64_t j, std::int64_t to) {
    const std::string element = "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
    if (to < 0 || to >= length_)
      trap("interleave",
           "element " + element + " goes to " + std::to_string(to) + ", outside [0, " + std::to_string(length_) + ")",
           region_);
    if (from_.empty()) from_.resize(static_cast<std::size_t>(length_));
    if (from_[static_cast<std::size_t>(to)])
      trap("interleave", "another element than " + element + " goes to " + std::to_string(to), region_);
    from_[static_cast<std::size_t>(to)] = true;
  }

 private:
  const Region region_;
  const std::int64_t length_;
  std::vector<bool> from_{};  // nothing before the first
};

}  // namespace

void Evaluator::write(const Push& p, const std::function<std::int64_t(std::int64_t)>& to, Stored& out) {
  if (p.level > machine_.level()) throw Bug("a push array of FCL where its level is too high");
  if (!p.place) {
    machine_.deal_elements(p.level, p.length, [&](std::int64_t i) {
      Val v = element(*p.parts, i);
      for (const Function& f : p.mapped) v = f(v);
      std::size_t leaf = 0;
      out.bytes = 0;
      const std::int64_t index = to(i);
      if (out.elements.empty()) machine_.limit(out.length);
      store(v, index, leaf, out, out.at(index));
    });
    return;
  }
  Places places(p);
  machine_.deal_chunks(p.level - 1, p.parts->length, [&](std::int64_t i) {
    Push chunk = known<Push>(element(*p.parts, i));
    if (chunk.length != p.chunk_length)
      trap("interleave",
           "chunk " + std::to_string(i) + " has " + std::to_string(chunk.length) + " elements, not " +
               std::to_string(p.chunk_length),
           p.region);
    chunk.mapped.insert(chunk.mapped.end(), p.mapped.begin(), p.mapped.end());
    const auto place = [&](std::int64_t j) {
      const std::int64_t at = int_of((*p.place)(pair_val(val(i), val(j))));
      places.meet(i, j, at);
      return to(at);
    };
    write(chunk, place, out);
  });
}

std::shared_ptr<const Evaluator::Stored> Evaluator::written(const Push& p, const Place& place) {
  auto out = std::make_shared<Stored>(Stored{place, p.length});
  write(
      p, [](std::int64_t i) { return i; }, *out);
  machine_.made();
  return out;
}

// Two arrays of the first one's length, which take turns.
Val Evaluator::looped(std::span<const Val> x, const Region& region) {
  std::shared_ptr<const Stored> now;
  machine_.hold(machine_.memory(), [&] {
    now = written(known<Push>(x[2]), place_of("while", region));
    const std::size_t capacity = now->elements.size();
    const std::int64_t bytes = 2 * now->bytes * static_cast<std::int64_t>(capacity);
    Place next = place_of("while", region);
    machine_.rounds(true, [&] {
      if (!truth_of(apply(x[0], in_memory(now)))) return false;
      if (how_.rounds > 0 && ++rounds_ > how_.rounds) trap("while", std::string(round_limit_message), region);
      machine_.scope([&] {
        const Val made = apply(x[1], in_memory(now));
        const Push& step = known<Push>(made);
        if (step.length > static_cast<std::int64_t>(capacity))
          trap("while", "a round makes more elements than there is room for", region);
        const Place before = now->place;
        now = written(step, next);
        next = before;
      });
      return true;
    });
    return bytes;
  });
  return in_memory(now);
}

Val Evaluator::operate(BuiltIn op, std::span<const Val> x, const Region& region) {
  switch (op) {
    case BuiltIn::Generate: {
      const std::int64_t n = int_of(x[0]);
      if (n < 0) trap("generate", "the length is negative: " + std::to_string(n), region);
      return generated(n, known<Function>(x[1]));
    }
    case BuiltIn::Index: {
      const Pull& a = known<Pull>(x[0]);
      const std::int64_t i = int_of(x[1]);
      if (i < 0 || i >= a.length)
        trap("index", "index " + std::to_string(i) + " is outside [0, " + std::to_string(a.length) + ")", region);
      return element(a, i);
    }
    case BuiltIn::LengthPull:
    case BuiltIn::LengthPush:
    case BuiltIn::Length:
      if (const auto* p = std::get_if<std::shared_ptr<const Push>>(&x[0].node)) return val((*p)->length);
      return val(known<Pull>(x[0]).length);
    case BuiltIn::MapPull:
    case BuiltIn::MapPush:
    case BuiltIn::Map:
      return mapped(x[0], x[1]);
    case BuiltIn::Push: {
      const auto a = std::get<std::shared_ptr<const Pull>>(x[1].node);
      return {std::make_shared<const Push>(Push{a->length, std::get<Level>(x[0].node).above, a})};
    }
    case BuiltIn::Force: {
      std::shared_ptr<const Stored> out;
      machine_.hold(machine_.memory(), [&] {
        out = written(known<Push>(x[0]), place_of("force", region));
        return out->bytes * static_cast<std::int64_t>(out->elements.size());
      });
      return in_memory(out);
    }
    case BuiltIn::Interleave:
      return interleaved(x, region);
    case BuiltIn::While:
      return looped(x, region);
    case BuiltIn::Fst:
      return known<std::pair<Val, Val>>(x[0]).first;
    case BuiltIn::Snd:
      return known<std::pair<Val, Val>>(x[0]).second;
    case BuiltIn::Assert:
      if (!truth_of(x[0])) trap("assert", "the condition does not hold", region);
      return x[1];
  }
  throw Bug("a built-in of FCL that is none");
}

// ---- arguments and the result
namespace {

bool is_base(const Value& v) {
  const auto* p = std::get_if<std::shared_ptr<const PairValue>>(&v.node);
  return p ? is_base((*p)->first) && is_base((*p)->second) : std::holds_alternative<Scalar>(v.node);
}
Val base_of(const Value& v) {
  if (const auto* s = std::get_if<Scalar>(&v.node)) return val(*s);
  const auto& p = *std::get<std::shared_ptr<const PairValue>>(v.node);
  return pair_val(base_of(p.first), base_of(p.second));
}
Value value_of(const Val& v) {
  if (const auto* s = std::get_if<Scalar>(&v.node)) return scalar_value(*s);
  const auto& p = known<std::pair<Val, Val>>(v);
  return pair_value(value_of(p.first), value_of(p.second));
}

}  // namespace

Val Evaluator::given(const std::string& name, const Value& v, Given& arrays) {
  if (is_base(v)) return base_of(v);
  if (const auto* p = std::get_if<std::shared_ptr<const PairValue>>(&v.node)) {
    Val first = given(name + ".0", (*p)->first, arrays);
    return pair_val(std::move(first), given(name + ".1", (*p)->second, arrays));
  }
  const auto n = length_of(v);
  if (n == 0 || is_base(element_of(v, 0))) {
    auto& in = arrays[name];
    if (!in) in = std::make_shared<Stored>(Stored{place_of(name, {}), 0});
    const auto first = std::exchange(in->length, in->length + n);
    for (std::int64_t i = 0; i < n; ++i) in->elements.push_back(base_of(element_of(v, i)));
    return {std::make_shared<const Pull>(
        Pull{n, [this, in = in, first](std::int64_t i) { return loaded(in, first + i); }})};
  }
  std::vector<Val> parts;
  for (std::int64_t i = 0; i < n; ++i) parts.push_back(given(name, element_of(v, i), arrays));
  return {
      std::make_shared<const Pull>(Pull{n, [parts](std::int64_t i) { return parts[static_cast<std::size_t>(i)]; }})};
}

void Evaluator::run(std::string_view name, std::vector<Value> arguments) {
  const auto k = definition(name, program_.program.definitions.size());
  if (!k) throw Bug("there is no definition " + std::string(name));
  const Definition& d = program_.program.definitions[*k];
  Val v = function(d.parameters, 0, d.body, {nullptr, *k});
  Given arrays;
  std::size_t next = 0;
  for (const Parameter& p : d.parameters)
    v = apply(v, p.is_level ? Val{how_.levels.at(p.name)} : given(p.name, stored(arguments.at(next++)), arrays));
  for (std::size_t unnamed = 1; next < arguments.size(); ++unnamed)
    v = apply(v, given("x" + std::to_string(unnamed), stored(arguments[next++]), arrays));
  const auto result = written(known<Push>(v), place_of("result", {}));
  std::vector<Value> elements;
  for (const Val& e : result->elements) elements.push_back(value_of(e));
  costs_.result = array_value(std::move(elements));
  machine_.finish();
}

}  // namespace lockstep::fcl::costing
