// Conditionals: of scalars one is left; of arrays one of what they are made of.
#include "translate/fcl/fusing.h"

namespace lockstep::fcl::fusing {
namespace {

bool is_base(const Sem& s) {
  if (std::holds_alternative<Base>(s.node)) return true;
  const auto* p = std::get_if<std::shared_ptr<const std::pair<Sem, Sem>>>(&s.node);
  return p && is_base((*p)->first) && is_base((*p)->second);
}
Expr if_expr(const Expr& c, Expr yes, Expr no) { return {IfExpr{c, std::move(yes), std::move(no)}}; }

}  // namespace

// Each branch is evaluated where it stands alone. What is left of it, where it is no scalar, would have to be computed
// without regard to the condition.
Sem Fusion::branches(const Base& condition, const std::function<Sem()>& yes, const std::function<Sem()>& no,
                     const Region& at) {
  if (const auto* known = as<Literal>(condition.left)) return known->value.bits != 0 ? yes() : no();
  const Base c = named(condition, "c");
  Scope in_yes, in_no;
  const Sem a = within(in_yes, yes), b = within(in_no, no);
  const bool computes = !in_yes.bindings.empty() || !in_no.bindings.empty();
  if (is_base(a) && is_base(b)) {
    Type type = int_type, same = int_type;
    Expr first = as_base(a, type), second = as_base(b, same);
    const Base left{
        if_expr(c.left, closed(std::move(in_yes), std::move(first)), closed(std::move(in_no), std::move(second))),
        type};
    return computes || as<PairOf>(type) ? of_base(named(left, "v")) : sem(left);
  }
  const auto *w = std::get_if<std::shared_ptr<const Written>>(&a.node),
             *v = std::get_if<std::shared_ptr<const Written>>(&b.node);
  if (!computes && w && v) return chosen(c, **w, **v);
  if (computes)
    refuse(
        "the branches of an `if` between arrays or functions compute something that is not of one element: move it out "
        "of them",
        at);
  return joined(c, a, b, at);
}

// A push array whose scheme is chosen where it is written.
Sem Fusion::chosen(const Base& c, const Written& yes, const Written& no) {
  return sem(Written{
      chosen_length(c, yes.length, no.length), [this, c, yes, no](const std::function<Sem(const Sem&)>& each) {
        Scope in_yes, in_no;
        auto [first, type] = within(in_yes, [&] { return yes.scheme(each); });
        auto [second, same] = within(in_no, [&] { return no.scheme(each); });
        return std::pair(
            if_expr(c.left, closed(std::move(in_yes), std::move(first)), closed(std::move(in_no), std::move(second))),
            std::move(type));
      }});
}
Base Fusion::chosen_length(const Base& c, const Base& yes, const Base& no) {
  if (yes.left == no.left) return yes;
  const Base n = named({if_expr(c.left, yes.left, no.left), int_type}, "n");
  if (is_natural(yes.left) && is_natural(no.left)) naturals_.insert(std::get<Variable>(n.left.node).name);
  return n;
}

Sem Fusion::joined(const Base& c, const Sem& yes, const Sem& no, const Region& at) {
  if (is_base(yes) && is_base(no))
    return branches(
        c, [&] { return yes; }, [&] { return no; }, at);
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Sem, Sem>>>(&yes.node)) {
    const auto& q = *std::get<std::shared_ptr<const std::pair<Sem, Sem>>>(no.node);
    Sem first = joined(c, (*p)->first, q.first, at);
    return sem_pair(std::move(first), joined(c, (*p)->second, q.second, at));
  }
  if (std::holds_alternative<std::shared_ptr<const Delayed>>(yes.node)) {
    const Delayed a = delayed(yes), b = delayed(no);
    const Base length = chosen_length(c, a.length, b.length);
    return sem(Delayed{length, [this, c, a, b, at](const Base& k) {
                         return branches(
                             c, [&] { return a.at(k); }, [&] { return b.at(k); }, at);
                       }});
  }
  if (const auto* w = std::get_if<std::shared_ptr<const Written>>(&yes.node))
    return chosen(c, **w, *std::get<std::shared_ptr<const Written>>(no.node));
  if (std::holds_alternative<std::shared_ptr<const Function>>(yes.node))
    return sem(Function([this, c, yes, no, at](const Sem& x) {
      return branches(
          c, [&] { return apply(yes, x); }, [&] { return apply(no, x); }, at);
    }));
  return sem(LevelFunction([this, c, yes, no, at](const Level& l) {
    const auto with = [&](const Sem& f) { return (*std::get<std::shared_ptr<const LevelFunction>>(f.node))(l); };
    return branches(
        c, [&] { return with(yes); }, [&] { return with(no); }, at);
  }));
}

}  // namespace lockstep::fcl::fusing
