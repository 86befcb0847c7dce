// The types of the imperative constants, in the order of the type: Fig. 4b, 4c.
#include "semantics/core/imperative.h"

#include "semantics/core/phrase.h"

namespace lockstep {

std::string_view name_of(const imp::Constant& c) {
  return match(
      c, [](const imp::Own& x) -> std::string_view { return x.constant->name; }, [](const auto& x) { return x.name; });
}

imp::Takes taken_by(const imp::Constant& c) {
  return match(
      c, [](const imp::Own& x) { return x.constant->takes; }, [](const auto& x) { return x.takes; });
}

namespace {

// Of one phrase; the cases are of its constant.
class Signature {
 public:
  explicit Signature(const ImpPhrase& p) : p_(p) {}

  ImpSignature operator()(const imp::Skip&) const { return {{}, {}, comm_}; }
  ImpSignature operator()(const imp::Seq&) const { return {{comm_, comm_}, {0, 0}, comm_}; }
  ImpSignature operator()(const imp::New& x) const {
    return {{to(var_type(t(0), lives_in(x.space)), comm_)}, {0}, comm_};
  }
  ImpSignature operator()(const imp::Assign&) const { return {{acc_type(t(0)), exp_type(t(0))}, {0, 0}, comm_}; }
  ImpSignature operator()(const imp::For&) const { return {{to(index(), comm_)}, {0}, comm_}; }
  ImpSignature operator()(const imp::ParFor&) const {
    return {{acc_type(all(t(0))), to(index(), passive(acc_type(t(0)), comm_))}, {0, 1}, comm_};
  }
  ImpSignature operator()(const imp::IdxAcc&) const { return {{acc_type(all(t(0))), index()}, {0, 1}, acc_type(t(0))}; }
  ImpSignature operator()(const imp::Cond&) const { return {{truth(), comm_, comm_}, {0, 0, 0}, comm_}; }
  ImpSignature operator()(const imp::While&) const { return {{truth(), comm_}, {0, 0}, comm_}; }
  ImpSignature operator()(const imp::Check&) const {
    ImpSignature s{{truth()}, {0}, comm_};
    for (std::size_t k = 1; k < p_.arguments.size(); ++k) {
      const auto* value = as<ExpType>(p_.arguments[k]->type);
      const auto* its = value ? as<ScalarType>(value->data) : nullptr;
      s.arguments.push_back(exp_type(scalar(its ? *its : ScalarType::I64)));
      s.group.push_back(0);
    }
    return s;
  }
  ImpSignature operator()(const imp::MapI&) const {
    return {{to(exp_type(t(0)), passive(acc_type(t(1)), comm_)), exp_type(all(t(0))), acc_type(all(t(1)))},
            {0, 1, 2},
            comm_};
  }
  ImpSignature operator()(const imp::ReduceI&) const { return fold(to(exp_type(t(1)), comm_)); }
  ImpSignature operator()(const imp::ScanI&) const { return fold(acc_type(all(t(1)))); }
  ImpSignature operator()(const imp::IterateI&) const {
    return {{step(t(0)), exp_type(t(0)), to(exp_type(t(0)), comm_)}, {0, 1, 2}, comm_};
  }
  ImpSignature operator()(const imp::WhileI&) const {
    return {
        {step(scalar(ScalarType::Bool)), step(t(0)), exp_type(t(0)), to(exp_type(t(0)), comm_)}, {0, 1, 2, 3}, comm_};
  }
  ImpSignature operator()(const imp::Own& x) const {
    ImpSignature s{x.constant->arguments(p_.sizes, p_.types), {}, comm_};
    for (std::size_t k = 0; k < s.arguments.size(); ++k) s.group.push_back(static_cast<int>(k));
    return s;
  }
  ImpSignature operator()(const imp::Barrier&) const { return {{}, {}, comm_}; }

 private:
  static PhraseType to(PhraseType a, PhraseType b) { return phrase_function(std::move(a), std::move(b)); }
  static PhraseType passive(PhraseType a, PhraseType b) { return phrase_function(std::move(a), std::move(b), true); }
  static PhraseType truth() { return exp_type(scalar(ScalarType::Bool)); }
  const Type& t(std::size_t k) const { return p_.types.at(k); }
  PhraseType index() const { return exp_type(index_type(p_.sizes.at(0))); }
  Type all(const Type& element) const { return array(p_.sizes.at(0), element); }
  PhraseType step(const Type& result) const { return to(exp_type(t(0)), to(acc_type(result), comm_)); }
  ImpSignature fold(PhraseType last) const {
    return {{to(exp_type(t(0)), to(exp_type(t(1)), to(acc_type(t(1)), comm_))), exp_type(t(1)), exp_type(all(t(0))),
             std::move(last)},
            {0, 1, 2, 3},
            comm_};
  }

  const ImpPhrase& p_;
  const PhraseType comm_ = comm_type();
};

}  // namespace

ImpSignature signature(const ImpPhrase& p) { return match(p.constant, Signature(p)); }

}  // namespace lockstep
