// Deciding problems: Z3 on the encoded terms, then at small sizes for a counterexample to show. In: a problem; out: an
// answer.
#include "proofs/smt/solver.h"

#include <bit>
#include <charconv>

#include "proofs/smt/encoding.h"

namespace lockstep::proofs {
namespace {

std::string shown_float(z3::context& c, const z3::expr& v) {
  if (Z3_fpa_is_numeral_nan(c, v)) return "nan";
  const std::uint64_t bits = z3::expr(c, Z3_mk_fpa_to_ieee_bv(c, v)).simplify().get_numeral_uint64();
  char text[64];
  const bool single = v.get_sort().fpa_sbits() == 24;
  const auto end = single
                       ? std::to_chars(text, text + sizeof text, std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                       : std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits));
  return {text, end.ptr};
}

std::string shown(const z3::model& model, const z3::expr& e) {
  const z3::expr v = model.eval(e, true);
  if (v.is_fpa()) return shown_float(v.ctx(), v);
  if (v.is_bv()) return std::to_string(v.get_numeral_uint64());
  std::string text = v.to_string();
  if (text.starts_with("(- ")) text = "-" + text.substr(3, text.size() - 4);
  return text;
}

// Sizes first, then the other numbers; elements and stores say nothing to a reader.
std::string text_of(const z3::model& model, const Problem& p, const Encoding& encoding) {
  std::string sizes, others;
  const auto add = [&](std::string& out, const std::string& name, const z3::expr& e) {
    out += (out.empty() ? "" : ", ") + name + " = " + shown(model, e);
  };
  for (const std::string& s : p.sizes)
    if (const auto it = encoding.names().find(s); it != encoding.names().end()) add(sizes, s, it->second);
  for (const auto& [name, e] : encoding.names()) {
    const bool is_size = std::find(p.sizes.begin(), p.sizes.end(), name) != p.sizes.end();
    const auto kind = e.get_sort().sort_kind();
    if (name.starts_with("rest")) continue;  // of a path, below the elements
    if (!is_size && kind != Z3_UNINTERPRETED_SORT && kind != Z3_ARRAY_SORT) add(others, name, e);
  }
  return sizes + (sizes.empty() || others.empty() ? "" : "; ") + others;
}

class Search {
 public:
  Search(const Problem& p, unsigned timeout_ms) : problem_(p), timeout_ms_(timeout_ms), encoding_(context_) {
    for (const Term& h : p.hypotheses) assertions_.push_back(encoding_.term(h));
    assertions_.push_back(!encoding_.term(p.goal));
    for (const z3::expr& d : encoding_.definitions()) assertions_.push_back(d);
    for (const std::string& s : p.sizes) assertions_.push_back(encoding_.number_called(s) >= 0);
  }

  Answer run() {
    const Answer whole = ask({}, timeout_ms_);
    if (whole.kind == Answer::Proved || problem_.sizes.empty()) return whole;
    for (std::int64_t largest = 0; largest <= 3; ++largest) {  // Z3's own models are not small
      std::vector<std::int64_t> values(problem_.sizes.size(), 0);
      do {
        if (*std::max_element(values.begin(), values.end()) != largest) continue;
        const Answer small = ask(values, 1000);
        if (small.kind == Answer::Refuted) return small;
      } while (next(values, largest));
    }
    return whole;
  }

 private:
  static bool next(std::vector<std::int64_t>& values, std::int64_t largest) {
    for (std::size_t k = values.size(); k-- > 0;) {
      if (++values[k] <= largest) return true;
      values[k] = 0;
    }
    return false;
  }
  Answer ask(const std::vector<std::int64_t>& sizes, unsigned timeout_ms) {
    // On integers Z3 4.8.12's default solver may wait for itself for ever where its time is up (timers of tactics
    // within that of the check); the simple one has no tactics.
    z3::solver solver = encoding_.has_bits() ? z3::solver(context_) : z3::solver(context_, z3::solver::simple());
    z3::params limits(context_);
    limits.set("timeout", timeout_ms);
    limits.set("max_memory", 1024U);
    solver.set(limits);
    for (const z3::expr& a : assertions_) solver.add(a);
    for (std::size_t k = 0; k < sizes.size(); ++k)
      solver.add(encoding_.number_called(problem_.sizes[k]) == context_.int_val(sizes[k]));
    switch (solver.check()) {
      case z3::unsat:
        return {Answer::Proved};
      case z3::sat:
        return {Answer::Refuted, text_of(solver.get_model(), problem_, encoding_)};
      case z3::unknown:
        break;
    }
    return {};
  }

  const Problem& problem_;
  unsigned timeout_ms_;
  z3::context context_;
  Encoding encoding_;
  std::vector<z3::expr> assertions_;
};

}  // namespace

Answer decide(const Problem& problem, unsigned timeout_ms) {
  try {
    return Search(problem, timeout_ms).run();
  } catch (const z3::exception&) {
    return {};  // out of memory or time
  }
}

std::vector<std::optional<std::uint64_t>> numbers_of(const std::vector<Term>& terms) {
  z3::context context;
  Encoding encoding(context);
  std::vector<std::optional<std::uint64_t>> out;
  for (const Term& t : terms) {
    z3::expr e = encoding.term(t).simplify();
    if (t.sort.kind == Sort::Bool) {
      out.emplace_back(e.is_true() ? 1 : 0);
    } else if (t.sort.kind == Sort::Float && Z3_fpa_is_numeral_nan(context, e)) {
      out.emplace_back();
    } else {
      if (t.sort.kind == Sort::Float) e = z3::expr(context, Z3_mk_fpa_to_ieee_bv(context, e)).simplify();
      out.emplace_back(e.get_numeral_uint64());
    }
  }
  return out;
}

}  // namespace lockstep::proofs
