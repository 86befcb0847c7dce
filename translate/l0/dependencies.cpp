// Statements, blocks and uses of L0.
#include "translate/l0/dependencies.h"

#include <algorithm>

#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"

namespace lockstep::l0 {
namespace {

bool is_array(const Type& t) { return as<ArrayType>(t) != nullptr; }

bool is_written_out(const SoacExpr& s) {
  return std::all_of(s.functions.begin(), s.functions.end(),
                     [](const Fn& f) { return std::holds_alternative<Lambda>(f.node); });
}

class Writing {
 public:
  explicit Writing(const Consumed& consumed) : consumed_(consumed) {}
  Dependencies out;

  void block(const Expr& e, fusion::StatementId owner, bool is_body) {
    const fusion::BlockId b = out.graph.block(owner, is_body);
    out.blocks.emplace(&e, b);
    const auto* several = as<BlockExpr>(e);
    if (several)
      for (const Binding& x : several->bindings) statement(x, b);
    std::vector<fusion::Use> results;
    uses_in(several ? *several->result : e, results);
    out.graph.give(b, std::move(results));
  }

 private:
  fusion::Name name(const std::string& n) {
    const auto [at, is_new] = ids_.emplace(n, static_cast<fusion::Name>(out.names.size()));
    if (is_new) out.names.push_back(n);
    return at->second;
  }

  void uses_in(const Expr& e, std::vector<fusion::Use>& into) {
    each_use(e, [&](const std::string& n, const Region& at) { into.push_back({name(n), at}); });
  }
  void reads_in(const Expr& e, std::vector<fusion::Name>& into) {
    each_use(e, [&](const std::string& n, const Region&) { into.push_back(name(n)); });
  }

  void add(const Binding& b, fusion::Statement s, fusion::BlockId in, const std::vector<const Expr*>& branches,
           const std::vector<const Expr*>& bodies) {
    s.at = b.region;
    if (const auto at = consumed_.find(&b); at != consumed_.end())
      for (const std::string& n : at->second) s.consumed.push_back(name(n));
    const fusion::StatementId id = out.graph.add(in, std::move(s));
    out.bindings.push_back(&b);
    for (const Expr* e : branches) block(*e, id, false);
    for (const Expr* e : bodies) block(*e, id, true);
  }

  void statement(const Binding& b, fusion::BlockId in) {
    fusion::Statement s;
    const auto bound = [&](const std::string& n, const Pattern& p) {
      if (is_array(p.type.value)) s.outputs.push_back(name(n));
    };
    match(
        b.node,
        [&](const LetBinding& l) {
          reading::each_name(l.pattern, bound);
          value(*l.value, b, std::move(s), in);
        },
        [&](const UpdateBinding& u) {
          s.outputs.push_back(name(u.name));
          s.uses.push_back({name(u.source), u.source_region});
          for (const ExprRef& i : u.indices) uses_in(*i, s.uses);
          uses_in(*u.value, s.uses);
          add(b, std::move(s), in, {}, {});
        },
        [&](const LoopBinding& l) {
          reading::each_name(l.merge, bound);
          uses_in(*l.init, s.uses);
          uses_in(*l.bound, s.uses);
          add(b, std::move(s), in, {}, {&*l.step});
        });
  }

  void value(const Expr& e, const Binding& b, fusion::Statement s, fusion::BlockId in) {
    if (const auto* i = as<IfExpr>(e)) {
      uses_in(*i->condition, s.uses);
      return add(b, std::move(s), in, {&*i->yes, &*i->no}, {});
    }
    if (const auto* soac = as<SoacExpr>(e)) return operation(*soac, b, std::move(s), in);
    const auto* built_in = as<BuiltInExpr>(e);
    if (built_in && built_in->op == BuiltIn::Replicate) s.kind = fusion::Kind::Copies;
    uses_in(e, built_in && (built_in->op == BuiltIn::Size || built_in->op == BuiltIn::AssertZip) ? s.lengths : s.uses);
    reads_in(e, s.reads);
    add(b, std::move(s), in, {}, {});
  }

  void operation(const SoacExpr& soac, const Binding& b, fusion::Statement s, fusion::BlockId in) {
    if (combinator(b)) s.kind = fusion::Kind::Combinator;
    const std::vector<bool> read = are_read(soac);
    for (std::size_t k = 0; k < soac.arguments.size(); ++k)
      uses_in(*soac.arguments[k], k < soac.starts.value ? s.uses : read[k] ? s.inputs : s.lengths);
    for (const Fn& f : soac.functions) each_child_of_function(f, [&](const ExprRef& c) { reads_in(*c, s.reads); });
    std::vector<const Expr*> bodies;
    for (const Fn& f : soac.functions) {
      if (const auto* l = std::get_if<Lambda>(&f.node))
        bodies.push_back(&*l->body);
      else
        each_child_of_function(f, [&](const ExprRef& c) { uses_in(*c, s.uses); });
    }
    if (const auto at = consumed_.find(&b); at != consumed_.end() && is_written_out(soac)) {
      const auto& parameters = std::get<Lambda>(soac.functions.back().node).parameters;
      for (std::size_t k = 0; k < soac.arguments.size(); ++k) {
        const auto* type = as<ArrayType>(parameters[k].type);
        const auto* input = as<Variable>(*soac.arguments[k]);
        if (type && type->unique && input && at->second.contains(input->name)) s.consumes.push_back(name(input->name));
      }
    }
    add(b, std::move(s), in, {}, bodies);
  }

  const Consumed& consumed_;
  std::unordered_map<std::string, fusion::Name> ids_;
};

}  // namespace

std::vector<bool> are_read(const SoacExpr& s) {
  std::vector<bool> out(s.arguments.size(), true);
  if ((s.op != Soac::Map2 && s.op != Soac::Redomap2) || !is_written_out(s)) return out;
  const auto& f = std::get<Lambda>(s.functions.back().node);
  std::set<std::string> read;
  each_use(*f.body, [&](const std::string& n, const Region&) { read.insert(n); });
  for (std::size_t k = s.starts.value; k < s.arguments.size(); ++k) {
    const auto* a = as<ArrayType>(f.parameters[k].type);
    out[k] = read.contains(f.parameters[k].name) || (a && a->unique);
  }
  return out;
}

const SoacExpr* combinator(const Binding& b) {
  const auto* l = std::get_if<LetBinding>(&b.node);
  const auto* s = l ? as<SoacExpr>(*l->value) : nullptr;
  if (!s || !is_written_out(*s)) return nullptr;
  const bool has_rules =
      s->op == Soac::Map2 || s->op == Soac::Filter2 || s->op == Soac::Reduce2 || s->op == Soac::Redomap2;
  return has_rules ? s : nullptr;
}

Dependencies dependencies_of(const Function& f, const Consumed& consumed) {
  Writing writing(consumed);
  writing.block(*f.body, fusion::none, false);
  return std::move(writing.out);
}

}  // namespace lockstep::l0
