// What is known of a program's lengths before it runs (needs.h).
#include "driver/languages/snesl/needs.h"

#include "codegen/runtime/memory.h"
#include "codegen/streaming/engine.h"

namespace lockstep::driver {
namespace {

namespace core = snesl::core;
using core::Builtin;

// Of an element, one for each vector that it is counted as its start and length.
std::uint64_t bytes_of_element(const snesl::Type& t) {
  if (const auto* p = snesl::as<snesl::Prim>(t)) return engine::engine_width(*p);
  if (snesl::as<snesl::VectorType>(t)) return 16;
  const auto* tuple = snesl::as<snesl::TupleType>(t);
  std::uint64_t bytes = 0;
  if (tuple)
    for (const snesl::Type& item : tuple->items) bytes = sum_of_bytes(bytes, bytes_of_element(item));
  return bytes;
}

class Known {
 public:
  Known(const core::Program& p, const snesl::Values& arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const snesl::Value& v = arguments[k];
      Fact& f = facts_[p.parameters[k].name];
      if (v.kind == snesl::Value::Kind::Atom) f.number = v.atom;
      if (v.kind == snesl::Value::Kind::Vector || v.kind == snesl::Value::Kind::Sequence)
        f.length = static_cast<std::int64_t>(v.size());
    }
  }
  std::uint64_t needed(const core::Expr& body, bool kept) {
    const Fact result = fact_of(body);
    if (kept) count(result, body.type);
    return most_;
  }

 private:
  struct Fact {
    std::optional<snesl::Atom> number;
    std::optional<std::int64_t> length;
  };

  void count(const Fact& f, const snesl::Type& type) {
    const snesl::Type* element = snesl::element_of(type);
    if (f.length && element)
      most_ = std::max(most_, times_bytes(static_cast<std::uint64_t>(*f.length), bytes_of_element(*element)));
  }
  static Fact of_number(std::int64_t n) { return {snesl::int_atom(n), {}}; }
  static Fact of_length(const std::optional<std::int64_t>& n) { return {{}, n}; }

  Fact fact_of(const core::Expr& e) {
    return match(
        e.node, [&](const core::Var& x) { return facts_[x.name]; },
        [](const core::Literal& x) {
          return Fact{x.atom, {}};
        },
        [](const core::Text& x) { return of_length(static_cast<std::int64_t>(x.text.size())); },
        [](const core::Tuple&) { return Fact{}; }, [](const core::Project&) { return Fact{}; },
        [&](const core::Let& x) {
          facts_[x.name] = fact_of(*x.value);
          return fact_of(*x.body);
        },
        [&](const core::Apply& x) { return of_builtin(e, x); },
        [&](const core::Comprehension& x) { return of_length(facts_[x.sequence].length); },
        [](const core::Guarded&) { return Fact{}; });
  }

  Fact of_scalar(const core::Expr& e, const core::Apply& x) {
    std::vector<snesl::Atom> operands;
    for (const std::string& name : x.arguments) {
      if (!facts_[name].number) return {};
      operands.push_back(*facts_[name].number);
    }
    try {
      return {snesl::apply(x.op, operands, e.region), {}};
    } catch (const TrapSignal&) {
      return {};
    }
  }

  Fact of_builtin(const core::Expr& e, const core::Apply& x) {
    const Fact first = x.arguments.empty() ? Fact{} : facts_[x.arguments.front()];
    switch (x.builtin) {
      case Builtin::Scalar:
        return of_scalar(e, x);
      case Builtin::Iota:
        return first.number && first.number->integer >= 0 ? of_length(first.number->integer) : Fact{};
      case Builtin::Mkseq:
        return of_length(static_cast<std::int64_t>(x.arguments.size()));
      case Builtin::Tab:
        count(first, e.type);
        return of_length(first.length);
      case Builtin::Seq:
      case Builtin::Scan:
      case Builtin::Zip:
      case Builtin::TailFlags:
        return of_length(first.length);
      case Builtin::Append: {
        const Fact& second = facts_[x.arguments.at(1)];
        std::int64_t both = 0;
        if (!first.length || !second.length || __builtin_add_overflow(*first.length, *second.length, &both)) return {};
        return of_length(both);
      }
      case Builtin::Length:
      case Builtin::SeqLength:
        return first.length ? of_number(*first.length) : Fact{};
      case Builtin::Empty:
      case Builtin::The:
      case Builtin::Unzip:
      case Builtin::Flagpart:
      case Builtin::Sep:
      case Builtin::Concat:
      case Builtin::Index:
      case Builtin::Reduce:
      case Builtin::Reduce1:
      case Builtin::ReadFile:
      case Builtin::WriteFile:
        return {};
    }
    throw Bug("no such built-in");
  }

  std::map<std::string, Fact> facts_;
  std::uint64_t most_ = 0;
};

}  // namespace

std::uint64_t bytes_needed(const core::Program& program, const snesl::Values& arguments, bool kept) {
  return Known(program, arguments).needed(*program.body, kept);
}

}  // namespace lockstep::driver
