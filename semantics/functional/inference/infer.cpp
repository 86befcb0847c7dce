// Inference of a program: each definition's signature, its body, and the verdict on everything that sizes must satisfy.
#include "semantics/functional/inference/infer.h"

#include "semantics/core/size_limit.h"
#include "semantics/functional/inference/elaborate.h"
#include "semantics/functional/inference/expansion.h"
#include "semantics/functional/inference/functions.h"
#include "semantics/functional/inference/hierarchy.h"
#include "semantics/functional/inference/other_orders.h"
#include "semantics/functional/inference/signature.h"
#include "semantics/functional/inference/verdicts.h"
#include "semantics/functional/syntax/walk.h"

namespace lockstep {
namespace {

using namespace inference;

// Of a whole program: what examples take is far below, and what is left makes every check linear in its source.
constexpr std::size_t expanded_at_once = 50'000;
// So many more are expanded to judge what the places of calls decide.
constexpr std::size_t judged_at_once = 100'000;

class Inference {
 public:
  Inference(const Calculus& calculus, const SizeSolver& solver) : calculus_(calculus), solver_(solver) {
    out_.implied = implied_by(solver);
  }

  Checked<Elaboration> run(const surface::Program& program, Calls calls) {
    std::map<std::string, Region> seen;
    for (const surface::Definition& d : program.definitions) file_.emplace(d.name, &d);
    for (const surface::Definition& d : program.definitions) {
      if (!seen.emplace(d.name, d.name_region).second)
        diagnostics_.push_back(
            {d.name_region, "the name " + d.name + " is defined twice", "distinct names at the top level", ""});
      definition(d);
    }
    for (const auto& [name, d] : outside_blocks_)
      if (!is_called(name)) diagnostics_.push_back(d);
    if (!diagnostics_.empty()) return tl::unexpected(diagnostics_);
    out_.definitions = std::make_shared<const Definitions>(std::move(defined_));
    if (calls == Calls::Left) {
      judge_places();
      if (!diagnostics_.empty()) return tl::unexpected(diagnostics_);
      return std::move(out_);
    }
    for (std::size_t k = 0; k < out_.entries.size(); ++k) {
      auto entry = expanded(out_, k, calculus_);
      if (!entry) return tl::unexpected(entry.error());
      out_.entries[k] = std::move(*entry);
    }
    return std::move(out_);
  }

 private:
  // What the places of calls decide is an error of the file, as far as expanding them takes little.
  void judge_places() {
    std::size_t left = judged_at_once;
    for (std::size_t k = 0; k < out_.entries.size(); ++k) {
      const Defined* d = out_.definitions->find(out_.entries[k].name);
      if (!d->has_calls || d->expanded_nodes > left) continue;
      left -= d->expanded_nodes;
      try {
        const auto entry = expanded_within(out_, k, calculus_, judged_at_once);
        if (!entry) diagnostics_.insert(diagnostics_.end(), entry.error().begin(), entry.error().end());
      } catch (const TooManyNodes&) {  // judged where it is used
      }
    }
  }

  void definition(const surface::Definition& d) {
    const std::size_t before = diagnostics_.size();
    const auto sound = [&] { return diagnostics_.size() == before; };
    Names names;
    Work w({calculus_, defined_, names, out_.implied, nodes_left_, d.name, &file_}, diagnostics_);
    Signature s = signature_of(d, w);
    if (sound()) body(d, w, s.defined);
    std::vector<SizeObligation> obligations;
    for (const surface::SizeNeed& n : s.needs)
      obligations.push_back({n.fact, {}, n.region, "the size written here", {}, Verdict::Unknown, {}, {}, 0});
    const std::vector<SizeObligation>& found = w.constraints.obligations;
    obligations.insert(obligations.end(), found.begin(), found.end());
    if (sound())
      settle(std::move(obligations), s.defined, {s.needs.size(), w.constraints, s.facts}, solver_, out_.obligations,
             diagnostics_);
    // What stands in a function that was called is seen where it is called, once that is expanded.
    if (sound()) error_if_large(d.name_region, d.name, s.defined.body, diagnostics_);
    if (sound())
      for (Diagnostic& e : hierarchy_errors(s.defined.body)) diagnostics_.push_back(std::move(e));
    if (sound())
      if (auto outside = outside_blocks(s.defined.body)) {
        outside_blocks_.emplace_back(d.name, std::move(*outside));
        s.is_entry = false;
      }
    if (s.is_entry && sound())
      out_.entries.push_back(program_of(s.defined)), out_.entry_regions.push_back(d.name_region);
    // A call of a definition with an error is looked at all the same, against its signature.
    if (!sound()) s.defined.body = placeholder(s.defined);
    defined_.add(std::move(s.defined));
  }

  void body(const surface::Definition& d, Work& w, Defined& out) {
    const std::size_t before = diagnostics_.size();
    const Work untouched = w;
    try {
      out.body = inference::definition(w, d.body, d.result.type);
      out.body = renamed(program_of(out));
    } catch (const Failure&) {
    } catch (const SizeTooLarge&) {
      diagnostics_.push_back(
          {d.name_region, d.name + " has a size that is too large to reason about", "coefficients below 2^63", ""});
    }
    if (diagnostics_.size() > before && !explain_order(d, w.orders.misfits, untouched, before))
      explain_accumulator(d, w.orders.accumulating, untouched, before);
  }

  // By another function of the file.
  bool is_called(const std::string& name) const {
    return std::any_of(file_.begin(), file_.end(),
                       [&](const auto& d) { return d.first != name && mentions(d.second->body, name); });
  }
  static bool mentions(const Ref<surface::Expr>& e, const std::string& name) { return mentions(*e, name); }
  static bool mentions(const surface::Expr& e, const std::string& name) {
    const auto* n = std::get_if<surface::Name>(&e.node);
    bool found = n && n->name == name;
    surface::each_child(e, [&](const auto& c) { found = found || mentions(c, name); });
    return found;
  }

  // Errors stop the run before anybody looks at it.
  static PhraseRef placeholder(const Defined& d) { return Phrase{phrase_type(d.result), Ident{"_"}}; }

  static PhraseProgram program_of(const Defined& d) {
    PhraseProgram p{d.name, d.implicit_sizes, 0, {}, d.result, d.facts, d.body, "", d.launch};
    for (const Defined::Parameter& q : d.parameters) {
      if (q.type)
        p.parameters.emplace_back(q.name, *q.type);
      else
        p.sizes.push_back(q.name), ++p.explicit_sizes;
    }
    return p;
  }

  const Calculus& calculus_;
  const SizeSolver& solver_;
  Diagnostics diagnostics_;
  std::map<std::string, const surface::Definition*> file_;
  std::vector<std::pair<std::string, Diagnostic>> outside_blocks_;  // of functions that only a block can call
  Definitions defined_;
  std::size_t nodes_left_ = expanded_at_once;
  Elaboration out_;
};

}  // namespace

Checked<Elaboration> infer(const surface::Program& program, const Calculus& calculus, const SizeSolver& solver,
                           Calls calls) {
  return Inference(calculus, solver).run(program, calls);
}

}  // namespace lockstep
