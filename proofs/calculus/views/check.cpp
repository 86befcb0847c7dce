// What a view's check establishes: its facet run on names, and the loops and conditions of the command that it makes
// read as terms. In: a view; out: facts.
#include "proofs/calculus/views/symbolic_view.h"

#include "proofs/calculus/terms.h"
#include "semantics/primitives/build.h"

namespace lockstep::proofs {
namespace {

// A check only makes commands of its own: it translates nothing.
class CheckTranslation final : public Translation {
 public:
  explicit CheckTranslation(const Calculus& calculus) : calculus_(calculus) {}
  PhraseRef acceptor(const PhraseRef&, const PhraseRef&) override { throw NotUnderstood{"a translation in a check"}; }
  PhraseRef continuation(const PhraseRef&, const std::function<PhraseRef(PhraseRef)>&) override {
    throw NotUnderstood{"a translation in a check"};
  }
  PhraseRef named(const PhraseRef&, const std::function<PhraseRef(PhraseRef)>&) override {
    throw NotUnderstood{"a translation in a check"};
  }
  PhraseRef assign(const PhraseRef&, const PhraseRef&) override { throw NotUnderstood{"a write in a check"}; }
  std::string fresh(const std::string& base) override { return base + "$" + std::to_string(count_++); }
  const PrimitiveRef& primitive(std::string_view name) override { return calculus_.primitive(name); }
  Region where() const override { return {}; }

 private:
  const Calculus& calculus_;
  int count_ = 0;
};

std::string argument_name(std::size_t k) { return "x" + std::to_string(k); }

class CheckReader {
 public:
  explicit CheckReader(std::vector<CheckedFact>& out) : out_(out) {}

  void command(const PhraseRef& p, const std::vector<std::pair<std::string, Term>>& loops) {
    const auto* x = as<ImpPhrase>(*p);
    if (!x) throw NotUnderstood{"a check that is no command"};
    match(
        x->constant, [](const imp::Skip&) {},
        [&](const imp::Seq&) {
          for (const PhraseRef& c : x->arguments) command(c, loops);
        },
        [&](const imp::For&) {
          const auto* body = as<LambdaPhrase>(*x->arguments[0]);
          if (!body) throw NotUnderstood{"a loop without a body"};
          auto inner = loops;
          inner.emplace_back(body->name, term_of(x->sizes[0]));
          command(body->body, inner);
        },
        [&](const imp::Check&) {
          out_.push_back({loops, value(x->arguments[0])});
        },
        [&](const OneOf<imp::New, imp::Assign, imp::ParFor, imp::IdxAcc, imp::Cond, imp::While, imp::MapI, imp::ReduceI,
                        imp::ScanI, imp::IterateI, imp::WhileI, imp::Own, imp::Barrier> auto& c) {
          throw NotUnderstood{"the command " + std::string(name_of(c)) + " in a check"};
        });
  }

 private:
  Term value(const PhraseRef& p) {
    if (const auto* x = as<Ident>(*p)) return identifier(x->name);
    if (const auto* x = as<NatPhrase>(*p)) return term_of(x->size);
    const auto* x = as<PrimPhrase>(*p);
    if (!x) throw NotUnderstood{"an expression in a check"};
    const auto* op = std::get_if<ScalarOp>(&x->primitive->kind);
    if (op && op->decided_by == false) return all_of({value(x->arguments[0]), value(x->arguments[1])});
    if (op && op->compares && !op->compares->swapped) {
      if (op->compares->relation == Comparison::LessEqual)
        return at_most(value(x->arguments[0]), value(x->arguments[1]));
      if (op->compares->relation == Comparison::Less) return less(value(x->arguments[0]), value(x->arguments[1]));
    }
    const auto* array = is_unchecked_element(*x) ? as<Ident>(*x->arguments[0]) : nullptr;
    if (array) return call(array->name, integer, {value(x->arguments[1])});
    throw NotUnderstood{x->primitive->name + " in a check"};
  }
  static Term identifier(const std::string& n) {
    return n.find('$') == std::string::npos ? call(n, integer, {}) : name(n);  // a loop's variable has a $
  }

  std::vector<CheckedFact>& out_;
};

}  // namespace

Checks checks_of(const Calculus& calculus, const SymbolicView& v) {
  if (!v.view->check) return {};
  const auto facts = understood([&] {
    CheckTranslation translation(calculus);
    std::vector<PhraseRef> arguments;
    for (std::size_t k = 0; k < v.arguments.size(); ++k)
      arguments.push_back(ident(argument_name(k), exp_type(v.arguments[k])));
    std::vector<CheckedFact> out;
    CheckReader(out).command(v.view->check(translation, Instance{v.instance}, arguments), {});
    return out;
  });
  return facts ? Checks{*facts} : Checks{{}, facts.error()};
}

std::vector<Term> as_hypotheses(const Checks& checks) {
  std::vector<Term> out;
  for (const CheckedFact& f : checks.facts) {
    std::vector<Term> names, ranges;
    for (const auto& [variable, bound] : f.loops) {
      names.push_back(name(variable));
      ranges.push_back(within(names.back(), bound));
    }
    const Term body = implies(all_of(ranges), f.condition);
    out.push_back(names.empty() ? body : for_all(names, body));
  }
  return out;
}

}  // namespace lockstep::proofs
