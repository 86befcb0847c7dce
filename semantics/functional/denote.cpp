// The denotation, by compiling the phrase once to closures over a frame with a slot for each binder. There is no
// recursion and no function outlives its frame, so one frame serves the whole run.
#include "semantics/functional/denote.h"

#include <array>

#include "semantics/core/closure.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {
namespace {

using Frame = std::vector<Value>;
using Code = Closure<Value(Frame&)>;

class Compiler {
 public:
  // Into `traps`, where it is given, goes every trap, and the run goes on without what trapped.
  Compiler(const SizeValues& sizes, const Domain& domain, std::vector<Trap>* traps = nullptr)
      : sizes_(sizes), domain_(domain), traps_(traps) {}

  std::size_t slot(const std::string& name) {
    slots_[name] = count_;
    return count_++;
  }
  std::size_t slots() const { return count_; }

  Code compile(const Phrase& p) { return traps_ ? going_on(code_of(p)) : code_of(p); }

 private:
  Code code_of(const Phrase& p) {
    return match(
        p.node, [&](const Ident& x) { return read(x.name); },
        [&](const LiteralPhrase& x) { return constant(literal_value(x)); },
        [&](const NatPhrase& x) { return constant(number(size_of(x.size))); },
        [&](const LambdaPhrase&) { return function(p); }, [&](const ApplyPhrase& x) { return application(x); },
        [&](const LetPhrase& x) { return binding(x); }, [&](const IfPhrase& x) { return branch(x); },
        [](const PairPhrase&) -> Code { throw Bug("a phrase pair in a functional program"); },
        [](const ProjPhrase&) -> Code { throw Bug("a phrase projection in a functional program"); },
        [&](const PrimPhrase& x) { return primitive(x, p); },
        [](const ImpPhrase&) -> Code { throw Bug("a command in a functional program"); });
  }

  Code going_on(Code code) const {
    return [code = std::move(code), traps = traps_](Frame& f) {
      try {
        return code(f);
      } catch (const TrapSignal& signal) {
        traps->push_back(signal.trap);
        traps->insert(traps->end(), signal.others.begin(), signal.others.end());
        return trapped_value(signal.trap);
      }
    };
  }

  static Code constant(Value v) {
    return [v = std::move(v)](Frame&) { return v; };
  }
  static Value number(std::int64_t n) {
    return scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(n)));
  }

  Value literal_value(const LiteralPhrase& x) const {
    if (is_float(x.value.type) && !x.digits.empty()) return scalar_value(domain_.literal(x.value.type, x.digits));
    if (is_float(x.value.type)) return scalar_value(domain_.from_ieee(x.value.type, x.value.ieee()));
    return scalar_value(x.value);
  }

  std::int64_t size_of(const Size& s) const {
    const auto n = evaluate(s, sizes_);
    if (!n) throw Bug("the size " + show(s) + " has no value");
    return *n;
  }

  Code read(const std::string& name) const {
    const auto it = slots_.find(name);
    if (it == slots_.end()) throw Bug("the identifier " + name + " is not bound");
    return [k = it->second](Frame& f) { return f[k]; };
  }

  // All parameters of a curried lambda at once.
  Code function(const Phrase& p) {
    std::vector<std::size_t> parameters;
    const Phrase* body = &p;
    while (const auto* l = as<LambdaPhrase>(*body)) {
      parameters.push_back(slot(l->name));
      body = l->body.get();
    }
    return [parameters, code = std::make_shared<const Code>(compile(*body))](Frame& f) {
      return function_value([&f, parameters, code](std::span<const Value> arguments) {
        for (std::size_t k = 0; k < parameters.size(); ++k) f[parameters[k]] = arguments[k];
        return (*code)(f);
      });
    };
  }

  Code application(const ApplyPhrase& x) {
    std::vector<Code> arguments{compile(*x.argument)};
    const Phrase* head = x.function.get();
    while (const auto* a = as<ApplyPhrase>(*head)) {
      arguments.insert(arguments.begin(), compile(*a->argument));
      head = a->function.get();
    }
    return [h = compile(*head), arguments](Frame& f) {
      std::vector<Value> values;
      for (const Code& c : arguments) values.push_back(c(f));
      return call(h(f), values);
    };
  }

  Code binding(const LetPhrase& x) {
    Code value = compile(*x.value);
    const std::size_t k = slot(x.name);
    return [value = std::move(value), k, body = compile(*x.body)](Frame& f) {
      Value v = value(f);
      f[k] = std::move(v);
      return body(f);
    };
  }

  // A trap of a primitive's meaning, or what it cannot decide, gets the source position of its use.
  template <class F>
  static auto located(const Region& region, const F& f) {
    try {
      return f();
    } catch (TrapSignal& signal) {
      if (!signal.trap.region.source) signal.trap.region = region;
      for (Trap& t : signal.others)
        if (!t.region.source) t.region = region;
      throw;
    } catch (UndecidedSignal& signal) {
      constexpr std::string_view at = ", at ";
      if (region.source && signal.what.find(at) == std::string::npos)
        signal.what += std::string(at) + show_position(region);
      throw;
    }
  }

  Code primitive(const PrimPhrase& x, const Phrase& p) {
    if (x.acceptor >= 0) throw Bug("an acceptor in a functional program");
    if (const auto* op = std::get_if<ScalarOp>(&x.primitive->kind); op && op->decided_by)
      return connective(x, *op->decided_by);
    std::vector<Code> arguments;
    for (const PhraseRef& a : x.arguments) arguments.push_back(compile(*a));
    std::vector<std::int64_t> sizes;
    for (const Size& s : x.sizes) sizes.push_back(size_of(s));
    return match(
        x.primitive->kind, [&](const ScalarOp& op) { return scalar_code(op, x, std::move(arguments), p.region); },
        [&](const View& v) { return view_code(v, std::move(sizes), std::move(arguments), p.region); },
        [&](const Loop& l) -> Code {
          return [&l, sizes, arguments, region = p.region](Frame& f) {
            const std::vector<Value> values = evaluate_all(arguments, f);
            return located(region, [&] { return l.meaning(sizes, std::span<const Value>(values)); });
          };
        });
  }

  Code branch(const IfPhrase& x) {
    return [c = compile(*x.condition), t = compile(*x.then), e = compile(*x.otherwise)](Frame& f) {
      return as_scalar(force(c(f))).bits ? t(f) : e(f);
    };
  }
  Code connective(const PrimPhrase& x, bool decided_by) {
    return [a = compile(*x.arguments[0]), b = compile(*x.arguments[1]), decided_by](Frame& f) {
      Value left = force(a(f));
      return (as_scalar(left).bits != 0) == decided_by ? left : force(b(f));
    };
  }

  static std::vector<Value> evaluate_all(const std::vector<Code>& codes, Frame& f) {
    std::vector<Value> out;
    out.reserve(codes.size());
    for (const Code& c : codes) out.push_back(c(f));
    return out;
  }

  Code scalar_code(const ScalarOp& op, const PrimPhrase& x, std::vector<Code> arguments, const Region& region) const {
    const Type& operand = x.types.at(0);
    if (const auto* v = as<VectorType>(operand)) {
      const auto* t = as<ScalarType>(*v->element);
      if (!t) throw Bug("a vector of no scalar type");
      return [&op, &domain = domain_, t = *t, w = static_cast<std::size_t>(*v->width.constant()), arguments,
              region](Frame& f) {
        std::vector<Value> values = evaluate_all(arguments, f);
        for (Value& value : values) value = force(value);
        Lanes out;
        std::vector<Scalar> lane(values.size());
        Traps traps;
        for (std::size_t l = 0; l < w; ++l) {
          for (std::size_t k = 0; k < values.size(); ++k) lane[k] = as_lanes(values[k]).at(l);
          traps.among([&] {
            out.push_back(located(region, [&] { return op.meaning(domain, t, std::span<const Scalar>(lane)); }));
          });
        }
        traps.raise();
        return lanes_value(std::move(out));
      };
    }
    const auto* s = as<ScalarType>(operand);
    const ScalarType t = s ? *s : ScalarType::I64;  // idx(n)
    return [&op, &domain = domain_, t, arguments, region](Frame& f) {
      std::array<Scalar, 3> values;
      Traps traps;
      for (std::size_t k = 0; k < arguments.size(); ++k)
        traps.among([&] { values.at(k) = as_scalar(force(arguments[k](f))); });
      traps.raise();
      return scalar_value(located(
          region, [&] { return op.meaning(domain, t, std::span<const Scalar>(values.data(), arguments.size())); }));
    };
  }

  static Code view_code(const View& v, std::vector<std::int64_t> sizes, std::vector<Code> arguments,
                        const Region& region) {
    if (!v.check_meaning)
      return [&v, sizes, arguments](Frame& f) {
        return v.meaning(sizes, std::span<const Value>(evaluate_all(arguments, f)));
      };
    return [&v, sizes, arguments, region](Frame& f) {
      const std::vector<Value> values = evaluate_all(arguments, f);
      located(region, [&] { return v.check_meaning(sizes, values), 0; });
      return v.meaning(sizes, std::span<const Value>(values));
    };
  }

  const SizeValues& sizes_;
  const Domain& domain_;
  std::vector<Trap>* traps_;
  std::map<std::string, std::size_t> slots_;
  std::size_t count_ = 0;
};

Value run(Compiler compiler, const PhraseProgram& program, const std::vector<Value>& arguments) {
  for (const auto& [name, type] : program.parameters) compiler.slot(name);
  const Code code = compiler.compile(*program.body);
  Frame frame(compiler.slots());
  std::copy(arguments.begin(), arguments.end(), frame.begin());
  return stored(code(frame));
}

}  // namespace

tl::expected<Value, Trap> denote(const PhraseProgram& program, const SizeValues& sizes,
                                 const std::vector<Value>& arguments, const Domain& domain) {
  try {
    return run({sizes, domain}, program, arguments);
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}

std::vector<Trap> traps_of(const PhraseProgram& program, const SizeValues& sizes, const std::vector<Value>& arguments,
                           const Domain& domain) {
  std::vector<Trap> found;
  try {
    run({sizes, domain, &found}, program, arguments);
  } catch (const TrapSignal& signal) {
    found.push_back(signal.trap);
  }
  return each_once(std::move(found));
}

}  // namespace lockstep
