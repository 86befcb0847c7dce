// The combinator as a program, the stage run on it, and its commands executed on a store that is a term. A data type is
// one element here: that wider ones are written part by part is an obligation of its own.
#include "proofs/calculus/loops/terms.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::proofs {
namespace {

// ------------------------------------------------------------------------------------------------- the combinator
const Type element_type = scalar(ScalarType::F32);

PhraseType to(const PhraseType& a, const PhraseType& b) { return phrase_function(a, b); }
// \x1 .. xk o. f x1 .. xk o, f unknown
PhraseRef unknown(const std::string& f, const std::vector<PhraseType>& parameters, bool passive = false) {
  PhraseType type = comm_type();
  for (std::size_t k = parameters.size(); k-- > 0;) type = to(parameters[k], type);
  PhraseRef body = ident(f, type);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    names.push_back("p" + std::to_string(k) + f);
    body = apply(body, ident(names.back(), parameters[k]));
  }
  for (std::size_t k = parameters.size(); k-- > 0;)
    body = lambda(names[k], parameters[k], body, passive && k + 1 == parameters.size());
  return body;
}

PhraseRef combinator(const Combinator& of) {
  const Size n = Size::name("n");
  const Type& e = element_type;
  const PhraseType d = exp_type(e), o = acc_type(e);
  const PhraseRef start = ident("I", d), array_read = ident("E", exp_type(array(n, e)));
  const PhraseRef output = ident("A", acc_type(array(n, e)));
  const PhraseRef then = unknown("C", {d}), fold = unknown("T", {d, d, o}), step = unknown("T", {d, o});
  return match(
      of,
      [&](const imp::MapI& c) {
        return phrase_of({c, {n}, {e, e}, {unknown("T", {d, o}, true), array_read, output}});
      },
      [&](const imp::ReduceI& c) {
        return phrase_of({c, {n}, {e, e}, {fold, start, array_read, then}});
      },
      [&](const imp::ScanI& c) {
        return phrase_of({c, {n}, {e, e}, {fold, start, array_read, output}});
      },
      [&](const imp::IterateI& c) {
        return phrase_of({c, {n}, {e}, {step, start, then}});
      },
      [&](const imp::WhileI& c) {
        return phrase_of({c, {}, {e}, {unknown("TQ", {d, acc_type(scalar(ScalarType::Bool))}), step, start, then}});
      });
}

// ------------------------------------------------------------------------------------------------- execution
class Execution {
 public:
  // The store after p; loops are entered once, for an iteration k that begins with s.
  Term command(const PhraseRef& p, const Term& store_) {
    if (as<ApplyPhrase>(*p)) return unknown_command(p, store_);
    const auto* x = as<ImpPhrase>(*p);
    if (!x) throw NotUnderstood{"a command of another form"};
    return match(
        x->constant, [&](const imp::Skip&) { return store_; },
        [&](const imp::Seq&) { return command(x->arguments[1], command(x->arguments[0], store_)); },
        [&](const imp::New&) { return command(body_of(x->arguments[0]), store_); },
        [&](const imp::Assign&) { return store(store_, place(x->arguments[0]), value(x->arguments[1], store_)); },
        [&](const imp::For&) {
          const auto* body = as<LambdaPhrase>(*x->arguments[0]);
          if (!body) throw NotUnderstood{"a loop without a body"};
          return iteration(store_, [&] { return indexed(body->name, body->body); });
        },
        [&](const imp::ParFor&) { return iteration(store_, [&] { return parallel(*x); }); },
        [&](const imp::While&) { return iteration(store_, [&] { return command(x->arguments[1], s_); }); },
        [&](const OneOf<imp::IdxAcc, imp::Cond, imp::Check, imp::MapI, imp::ReduceI, imp::ScanI, imp::IterateI,
                        imp::WhileI, imp::Own, imp::Barrier> auto& c) -> Term {
          throw NotUnderstood{"the command " + std::string(name_of(c))};
        });
  }
  const std::optional<LoopTerms>& loop() const { return loop_; }

 private:
  Term iteration(const Term& begun, const std::function<Term()>& body) {
    if (loop_) throw NotUnderstood{"a second loop"};
    loop_ = LoopTerms{begun, s_, s_};
    loop_->after = body();
    return s_;
  }
  Term indexed(const std::string& index, const PhraseRef& body) {
    indices_.insert_or_assign(index, name("k"));
    return command(body, s_);
  }
  // Acceptor o of iteration i is element i of A.
  Term parallel(const ImpPhrase& x) {
    const auto* i = as<LambdaPhrase>(*x.arguments[1]);
    const auto* o = i ? as<LambdaPhrase>(*i->body) : nullptr;
    if (!o) throw NotUnderstood{"a parallel loop without a body"};
    acceptors_.insert_or_assign(o->name, name(array_name(x.arguments[0])) + name("k"));
    return indexed(i->name, o->body);
  }
  static PhraseRef body_of(const PhraseRef& f) {
    const auto* l = as<LambdaPhrase>(*f);
    if (!l) throw NotUnderstood{"a block without a body"};
    return l->body;
  }
  // T x .. o
  Term unknown_command(const PhraseRef& p, const Term& store_) {
    std::vector<Term> arguments;
    PhraseRef f = p;
    while (const auto* a = as<ApplyPhrase>(*f)) {
      arguments.insert(arguments.begin(), argument(a->argument));
      f = PhraseRef(a->function);
    }
    const auto* head = as<Ident>(*f);
    if (!head) throw NotUnderstood{"a function of another form"};
    arguments.insert(arguments.begin(), store_);
    return call(head->name, element_store, std::move(arguments));
  }
  // An element of E by its index, a variable by its place, an acceptor by its place.
  Term argument(const PhraseRef& p) {
    if (const auto* x = as<PrimPhrase>(*p)) return element_index(*x);
    if (const auto* v = as<ProjPhrase>(*p)) return variable(*v);
    return place(p);
  }
  Term value(const PhraseRef& e, const Term& now) {
    if (const auto* x = as<Ident>(*e)) return name(x->name, element_sort);
    if (const auto* v = as<ProjPhrase>(*e)) return select(now, variable(*v));
    if (const auto* x = as<PrimPhrase>(*e)) return call("E", element_sort, {now, element_index(*x)});
    throw NotUnderstood{"an expression of another form"};
  }
  Term place(const PhraseRef& a) {
    if (const auto* v = as<ProjPhrase>(*a)) return variable(*v);
    if (const auto* x = as<Ident>(*a); x && acceptors_.contains(x->name)) return acceptors_.at(x->name);
    const auto* x = use_of<imp::IdxAcc>(*a);
    if (!x) throw NotUnderstood{"an acceptor of another form"};
    return name(array_name(x->arguments[0])) + index(x->arguments[1]);
  }
  static std::string array_name(const PhraseRef& a) {
    const auto* x = as<Ident>(*a);
    if (!x) throw NotUnderstood{"an array of another form"};
    return x->name;
  }
  Term element_index(const PrimPhrase& x) {
    if (!is_unchecked_element(x) || array_name(x.arguments[0]) != "E") throw NotUnderstood{x.primitive->name};
    return index(x.arguments[1]);
  }
  Term index(const PhraseRef& i) {
    const auto* x = as<Ident>(*i);
    if (!x || !indices_.contains(x->name)) throw NotUnderstood{"an index of another form"};
    return indices_.at(x->name);
  }
  // acc.1 and acc.2 are one place.
  static Term variable(const ProjPhrase& v) {
    const auto* x = as<Ident>(*v.phrase);
    if (!x) throw NotUnderstood{"a variable of another form"};
    const std::string base = x->name.substr(0, x->name.find('_'));
    return name(base == "state" ? "acc" : base);
  }

  const Term s_ = name("s", element_store);
  std::map<std::string, Term> indices_, acceptors_;
  std::optional<LoopTerms> loop_;
};

}  // namespace

tl::expected<LoopTerms, std::string> loop_terms(const Stage& loops, const Combinator& of) {
  return understood([&] {
    const PhraseProgram program{"combinator", {"n"}, 0, {}, element_type, {}, combinator(of), ""};
    Execution run;
    const Term ended = run.command(apply<PhraseProgram>(loops, program).body, name("s0", element_store));
    if (!run.loop()) throw NotUnderstood{"no loop"};
    return LoopTerms{run.loop()->begun, run.loop()->after, ended};
  });
}

}  // namespace lockstep::proofs
