// The facet called on names, and its commands executed. A data type is one element here.
#include "proofs/calculus/facets/terms.h"

#include "semantics/primitives/build.h"

namespace lockstep::proofs {
namespace {

const Type d = scalar(ScalarType::F32);
const PhraseType data = exp_type(d), acceptor_type = acc_type(d);

// A[E](a) for a part E: a command that is not looked into.
class Parts final : public Translation {
 public:
  PhraseRef acceptor(const PhraseRef& e, const PhraseRef& a) override {
    if (const auto* x = as<Ident>(*e)) return apply(ident("A " + x->name, phrase_function(a->type, comm_type())), a);
    const auto* call_ = as<ApplyPhrase>(*e);
    const auto* f = call_ ? as<Ident>(*call_->function) : nullptr;
    if (!f) throw NotUnderstood{"a part of another form"};
    const PhraseType of = phrase_function(call_->argument->type, phrase_function(a->type, comm_type()));
    return apply(apply(ident("A " + f->name, of), call_->argument), a);
  }
  PhraseRef continuation(const PhraseRef& e, const std::function<PhraseRef(PhraseRef)>& c) override { return c(e); }
  PhraseRef named(const PhraseRef& e, const std::function<PhraseRef(PhraseRef)>& c) override { return c(e); }
  PhraseRef assign(const PhraseRef& a, const PhraseRef& e) override { return lockstep::assign(a, e); }
  std::string fresh(const std::string& base) override { return names_.fresh(base); }
  const PrimitiveRef& primitive(std::string_view name) override { return calculus_.primitive(name); }
  Region where() const override { return {}; }

 private:
  const Calculus calculus_ = standard_calculus();
  Names names_;
};

PrimPhrase applied(const std::string& primitive) {
  const Calculus calculus = standard_calculus();
  const PhraseRef x = ident("x", data);
  const Size n = Size::name("n");
  if (primitive == "generate") {
    const PhraseRef f = ident("f", phrase_function(exp_type(index_type(n)), data));
    return {calculus.primitive(primitive), -1, {n}, {d}, {f}};
  }
  return {calculus.primitive(primitive), -1, {}, {d, d}, {ident("f", phrase_function(data, data)), x}};
}

class Execution {
 public:
  explicit Execution(const FacetParts& parts) : parts_(parts) { places_.insert_or_assign("A", name("A")); }

  Term command(const PhraseRef& p, const Term& now) {
    if (as<ApplyPhrase>(*p)) return unknown_command(p, now);
    const auto* x = as<ImpPhrase>(*p);
    if (!x) throw NotUnderstood{"a command of another form"};
    return match(
        x->constant, [&](const imp::Skip&) { return now; },
        [&](const imp::Seq&) { return command(x->arguments[1], command(x->arguments[0], now)); },
        [&](const imp::New&) {
          const LambdaPhrase& v = binder(x->arguments[0]);
          places_.insert_or_assign(v.name, name(v.name));
          return command(v.body, now);
        },
        [&](const imp::Assign&) { return store(now, place(x->arguments[0]), value(x->arguments[1], now)); },
        [&](const imp::Cond&) {
          const auto* c = as<Ident>(*x->arguments[0]);
          if (!c) throw NotUnderstood{"a condition of another form"};
          const Term then = command(x->arguments[1], now);
          return choose(name(c->name, boolean), then, command(x->arguments[2], now));
        },
        [&](const imp::ParFor&) {  // one iteration; acceptor o is element i of A
          const LambdaPhrase &i = binder(x->arguments[1]), &o = binder(i.body);
          const auto* all = as<Ident>(*x->arguments[0]);
          if (!all || all->name != "A") throw NotUnderstood{"a loop over another array"};
          indices_.insert(i.name);
          places_.insert_or_assign(o.name, name("A") + name("k"));
          return command(o.body, now);
        },
        [&](const OneOf<imp::For, imp::IdxAcc, imp::While, imp::Check, imp::MapI, imp::ReduceI, imp::ScanI,
                        imp::IterateI, imp::WhileI, imp::Own, imp::Barrier> auto& c) -> Term {
          throw NotUnderstood{"the command " + std::string(name_of(c))};
        });
  }

 private:
  static const LambdaPhrase& binder(const PhraseRef& p) {
    const auto* l = as<LambdaPhrase>(*p);
    if (!l) throw NotUnderstood{"a block without a body"};
    return *l;
  }
  // A part's translation, with its arguments and its acceptor; or C, with a value.
  Term unknown_command(const PhraseRef& p, const Term& now) {
    const auto* last = as<ApplyPhrase>(*p);
    const PhraseRef f(last->function);
    if (const auto* head = as<Ident>(*f)) {
      if (head->name == "C") return call("D", parts_.store, {now, value(last->argument, now)});
      return store(now, place(last->argument), parts_.meaning(head->name.substr(2), now, {}));
    }
    const auto* inner = as<ApplyPhrase>(*f);
    const auto* head = inner ? as<Ident>(*inner->function) : nullptr;
    if (!head) throw NotUnderstood{"a function of another form"};
    const Term x = value(inner->argument, now);
    return store(now, place(last->argument), parts_.meaning(head->name.substr(2), now, {x}));
  }
  Term value(const PhraseRef& e, const Term& now) const {
    if (const auto* x = as<Ident>(*e)) return indices_.contains(x->name) ? name("k") : name(x->name, parts_.value);
    if (as<ProjPhrase>(*e)) return select(now, place(e));
    throw NotUnderstood{"an expression of another form"};
  }
  Term place(const PhraseRef& a) const {
    const auto* accepted = as<PrimPhrase>(*a);
    const auto* view = accepted && accepted->acceptor == 0 ? std::get_if<View>(&accepted->primitive->kind) : nullptr;
    if (const auto* x = accepted; view && view->acceptors[0].nontemporal)
      return place(x->arguments[0]);  // its path is an obligation of the view
    const auto* v = as<ProjPhrase>(*a);
    const auto* x = as<Ident>(v ? *v->phrase : *a);
    if (!x || !places_.contains(x->name)) throw NotUnderstood{"an acceptor of another form"};
    return places_.at(x->name);
  }

  const FacetParts& parts_;
  std::map<std::string, Term> places_;
  std::set<std::string> indices_;
};

}  // namespace

tl::expected<Term, std::string> branch_terms(const BranchClause& clause, const FacetParts& parts) {
  return understood([&] {
    Parts translation;
    const IfPhrase e{ident("c", exp_type(scalar(ScalarType::Bool))), ident("x", data), ident("y", data)};
    return Execution(parts).command(clause(translation, e, ident("A", acceptor_type)), name("s", parts.store));
  });
}

tl::expected<Term, std::string> facet_terms(const Loop& loop, const std::string& primitive, const FacetParts& parts,
                                            bool by_continuation) {
  return understood([&] {
    Parts translation;
    const PrimPhrase e = applied(primitive);
    const PhraseType output = primitive == "generate" ? acc_type(array(Size::name("n"), d)) : acceptor_type;
    const auto then = [](const PhraseRef& r) { return apply(ident("C", phrase_function(data, comm_type())), r); };
    const PhraseRef made =
        by_continuation ? loop.continuation(translation, e, then) : loop.acceptor(translation, e, ident("A", output));
    return Execution(parts).command(made, name("s", parts.store));
  });
}

}  // namespace lockstep::proofs
