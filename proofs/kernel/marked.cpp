// A mark is an access that writes behind two checks: that its index is inside, and that what stands there is none. Two
// iterations of the loop around it that write one place are a race of it, and are held apart by what races are; what
// refutes it is found by running through the iterations at small sizes.
#include "proofs/kernel/parts.h"
#include "semantics/kernel/walk.h"

namespace lockstep::proofs::kernels {
namespace {

struct Mark {
  const Access* write;
  const CheckAt *inside, *first;  // what comes before it
};

// load(marks, index) < 0, of the place that is written.
bool is_first(const Accesses& a, const CheckAt& c, const Access& write) {
  const auto* none = std::get_if<kernel::Arith>(&c.ok.node);
  const auto* old = none && none->op == kernel::ArithOp::Less ? std::get_if<kernel::Load>(&none->left->node) : nullptr;
  const std::string& name = a.places[static_cast<std::size_t>(write.place)].name;
  return old && *none->right == number(0) && plain_name(old->buffer) == spelled(name) && *old->index == write.index;
}

std::vector<Mark> marks_of(const Accesses& a) {
  std::vector<Mark> out;
  for (const Access& x : a.accesses) {
    if (!x.write || x.where.loops.empty()) continue;
    const CheckAt *inside = nullptr, *first = nullptr;
    for (const CheckAt& c : a.checks) {
      if (c.where.at > x.where.at || c.where.loops != x.where.loops) continue;
      if (is_first(a, c, x)) first = &c;
      if (!first && conjuncts(c.ok).size() == 2 && conjuncts(c.ok)[0] == less_equal(number(0), x.index)) inside = &c;
    }
    if (inside && first) out.push_back({&x, inside, first});
  }
  return out;
}

// What the check of an index tells first of an iteration: the element's row and column (primitives/spread.cpp).
class Told {
 public:
  Told(const kernel::Program& p, const Region& at) {
    kernel::each_statement(p.body, [&](const kernel::Stmt& s) {
      const auto* c = std::get_if<kernel::Check>(&s.node);
      const bool here = c && c->region.begin == at.begin && c->region.end == at.end && c->values.size() > 2;
      if (here && kernel::as_size(c->values[0]) && kernel::as_size(c->values[1])) check_ = c;
    });
  }
  std::string element(const SizeValues& at) const {
    const auto part = [&](std::size_t k) {
      const auto size = check_ ? kernel::as_size(check_->values[k]) : std::nullopt;
      const auto value = size ? lockstep::evaluate(*size, at) : std::nullopt;
      return value ? std::to_string(*value) : "?";
    };
    return "(" + part(0) + ", " + part(1) + ")";
  }

 private:
  const kernel::Check* check_ = nullptr;
};

std::string at_sizes(const SizeValues& sizes, std::optional<std::int64_t> inputs) {
  std::string out = sizes.empty() ? "" : show_values(sizes);
  if (inputs) out += (out.empty() ? "" : " ") + ("where inputs hold " + std::to_string(*inputs));
  return out.empty() ? "" : "at " + out + ", ";
}

// The least sizes at which two iterations mark one place, or one is outside.
std::optional<std::string> found_wrong(const Accesses& a, const Mark& m, const Told& told) {
  const Term inside = m.inside->ok;
  std::size_t budget = search_budget;
  for (const SizeValues& sizes : small_sizes_of(a))
    for (std::optional<std::int64_t> inputs :
         {std::optional<std::int64_t>(), std::optional<std::int64_t>(0), std::optional<std::int64_t>(1)}) {
      std::map<std::vector<std::int64_t>, SizeValues> marked;  // by what is around, and the place
      std::optional<std::string> found;
      each_instance(
          a, m.inside->where, sizes, false, budget,
          [&](const SizeValues& now) {
            const auto place = evaluate(m.write->index, now, inputs), holds = evaluate(inside, now, inputs);
            if (!place || !holds) return false;
            if (*holds == 0) {
              found = "element " + told.element(now) + " goes to " + std::to_string(*place) + ", outside";
              return true;
            }
            std::vector<std::int64_t> key{*place};
            for (std::size_t k = 0; k + 1 < m.write->where.loops.size(); ++k)
              key.push_back(now.at(a.loops[static_cast<std::size_t>(m.write->where.loops[k])].symbol));
            const auto [before, added] = marked.emplace(key, now);
            if (!added)
              found = "elements " + told.element(before->second) + " and " + told.element(now) + " both go to " +
                      std::to_string(*place);
            return !added;
          },
          inputs);
      if (found) return at_sizes(program_sizes(a, sizes), inputs) + *found;
      if (budget == 0) return {};
    }
  return {};
}

// Values are not followed so far where nothing is marked.
bool has_marks(const kernel::Program& p) {
  bool out = false;
  kernel::each_statement(p.body, [&](const kernel::Stmt& s) {
    const auto* c = std::get_if<kernel::Check>(&s.node);
    const auto* none = c ? std::get_if<kernel::Arith>(&c->ok.node) : nullptr;
    out = out || (none && none->op == kernel::ArithOp::Less && std::holds_alternative<kernel::Load>(none->left->node));
  });
  return out;
}

constexpr Followed followed{.nodes = 1000, .wraps = false};

// Where the loop has an iteration its extent is no product with 0.
Accesses with_iterations(const kernel::Program& p, const Accesses& a, const Mark& m) {
  kernel::Program out = p;
  const LoopFrame& loop = a.loops[static_cast<std::size_t>(m.write->where.loops.back())];
  const auto extent = kernel::as_size(loop.extent);
  if (extent && extent->terms().size() == 1)
    for (const auto& [atom, power] : extent->terms()[0].powers)
      if (!atom.division && std::count(p.sizes.begin(), p.sizes.end(), atom.name) > 0)
        out.facts.push_back({1, SizeRelation::LessEqual, Size::name(atom.name)});
  return accesses_of(out, followed);
}

std::optional<Method> proved_once(const Accesses& a, const Mark& m, Prover& prover) {
  const Answer inside = prover.prove_at(a, m.inside->where, m.inside->ok);
  if (!inside.proved()) return {};
  const Meeting two{m.write, m.write, m.write->where.loops.size() - 1, Meeting::Order::Different};
  const MeetingVerdict once = meeting_verdict(a, two, prover);
  return once.standing == Standing::Proved ? std::optional(both(inside.method, once.method)) : std::nullopt;
}

}  // namespace

std::vector<MarkedOnce> marked_once(const kernel::Program& p, Prover& prover) {
  if (!has_marks(p)) return {};
  const Accesses a = accesses_of(p, followed);
  std::vector<MarkedOnce> out;
  const std::vector<Mark> marks = marks_of(a);
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const Mark& m = marks[k];
    MarkedOnce& one = out.emplace_back();
    one.at = m.first->from;
    if (const auto wrong = found_wrong(a, m, Told(p, one.at))) {
      one.standing = Standing::Refuted;
      one.detail = *wrong;
      one.always = a.sizes.empty();
      continue;
    }
    const Accesses some = with_iterations(p, a, m);
    const std::vector<Mark> there = marks_of(some);
    if (const auto method = there.size() == marks.size() ? proved_once(some, there[k], prover) : std::nullopt) {
      one.standing = Standing::Proved;
      one.method = *method;
    } else {
      const bool on_data = mentions_data(m.write->index);
      one.standing = on_data ? Standing::Tested : Standing::Unknown;
      one.detail = on_data ? "it hangs on data" : "not decided";
    }
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
