// Acceptors (DPIA Fig. 6b): that each one's paths stay inside and apart, that the acceptors of a view together are the
// inverse of its read path, and the layout equality of §5.3 (5) that follows. In: a view; out: obligations.
#include "proofs/calculus/views/hypotheses.h"

namespace lockstep::proofs {
namespace {

// A place of an acceptor's argument and the place of the result that it stands for.
struct Accepted {
  Place from, to;
};

const char* lane_name = "$lane";  // primitive.h, AcceptorFacet

// A whole short vector is every one of its lanes.
Place by_lane(Place p, bool extend_path) {
  if (p.lanes == 0) return p;
  p.indices.push_back(name(lane_name));
  p.ranges.push_back(within(name(lane_name), number(p.lanes)));
  if (extend_path) p.path.push_back(PathLane{Size::name(lane_name)});
  p.lanes = 0;
  return p;
}

tl::expected<Accepted, std::string> accepted(const SymbolicView& v, const AcceptorFacet& acceptor, const Place& from) {
  try {
    const auto to = locate(v, v.result, acceptor.path(Instance{v.instance}, from.path));
    if (!to) return tl::unexpected(to.error());
    return Accepted{by_lane(from, false), by_lane(*to, true)};
  } catch (const Bug& b) {
    return tl::unexpected(std::string(b.what()));
  }
}

Term natural_steps(const Path& p) {
  std::vector<Term> each;
  for (const PathStep& s : p)
    match(
        s, [&](const PathIndex& x) { each.push_back(divides_naturals(x.index)); }, [](const PathProjection&) {},
        [&](const PathLane& x) { each.push_back(divides_naturals(x.lane)); });
  return all_of(std::move(each));
}

using PlaceClaim = std::function<std::vector<Case>(const ViewCase&, const AcceptorFacet&, const Accepted&)>;

std::vector<Case> at_every_place(const ViewCase& v, const AcceptorFacet& acceptor, const std::string& suffix,
                                 const PlaceClaim& claim) {
  std::vector<Case> out;
  for (const Place& p : places(v.view, v.view.arguments.at(acceptor.argument), suffix)) {
    const auto a = accepted(v.view, acceptor, p);
    if (!a)
      out.push_back(broken(v, a.error()));
    else
      for (Case& c : claim(v, acceptor, *a)) out.push_back(std::move(c));
  }
  return out;
}

std::vector<Case> stays_inside(const ViewCase& v, const AcceptorFacet&, const Accepted& a) {
  return {case_of(v, {a.from.ranges}, all_of({inside(a.to), natural_steps(a.to.path)}))};
}

// "acceptor then read": what is written at a place of the argument is what the view reads there.
std::vector<Case> reads_back(const ViewCase& v, const AcceptorFacet& acceptor, const Accepted& a) {
  std::vector<Case> out;
  for (const Reading& r : readings(v.view, a.to.path)) {
    if (!r.error.empty())
      out.push_back(broken(v, r.error, r.understood));
    else
      out.push_back(as_told(
          case_of(v, {a.from.ranges, r.known}, equal(r.elements.at(0), element(v.view, acceptor.argument, a.from))),
          r));
  }
  return out;
}

// Where a view reads one place for each place of its result, and its only acceptor is the inverse: that place. Both
// ways there and back are cases of their own then, and what follows from them is told to the solver with names for
// places, so that it need not find it out of quotients.
std::optional<Place> only_read(const ViewCase& v, const Place& r) {
  if (v.view.view->acceptors.size() != 1 || r.lanes > 0) return {};
  const std::vector<Reading> all = readings(v.view, r.path);
  if (all.size() != 1 || !all[0].error.empty() || !all[0].known.empty() || all[0].reads.size() != 1) return {};
  const ArgumentRead& read = all[0].reads[0];
  const bool always = smt::is_truth(read.condition, true);
  return always && read.argument == v.view.view->acceptors[0].argument && read.place.lanes == 0
             ? std::optional(read.place)
             : std::nullopt;
}
std::vector<Place> only_place(const SymbolicView& v, const Type& t, const std::string& suffix) {
  std::vector<Place> all = places(v, t, suffix);
  return all.size() == 1 && all[0].lanes == 0 ? all : std::vector<Place>{};
}

// The same, and what it rests on.
std::vector<Case> keeps_apart_by_inverse(const ViewCase& v, const AcceptorFacet& acceptor) {
  const Type& argument = v.view.arguments.at(acceptor.argument);
  const auto result = only_place(v.view, v.view.result, "''"), from = only_place(v.view, argument, ""),
             other = only_place(v.view, argument, "'");
  if (result.empty() || from.empty()) return {};
  const auto back = only_read(v, result[0]);
  const auto a = accepted(v.view, acceptor, from[0]), b = accepted(v.view, acceptor, other[0]);
  if (!back || !a || !b) return {};
  std::vector<Case> out = at_every_place(v, acceptor, "", reads_back);
  const std::vector<Term> inverse{same_place(result[0], a->to), same_place(*back, a->from),
                                  implies(same_place(result[0], b->to), same_place(*back, b->from))};
  out.push_back(case_of(v, {a->from.ranges, b->from.ranges, inverse},
                        implies(same_place(a->to, b->to), same_place(a->from, b->from))));
  return out;
}

// Two places of arguments that are written to one place of the result are one.
std::vector<Case> keeps_apart(const ViewCase& v, const AcceptorFacet& one, const AcceptorFacet& other) {
  if (&one == &other)
    if (auto by_inverse = keeps_apart_by_inverse(v, one); !by_inverse.empty()) return by_inverse;
  const std::map<std::string, Term> renamed = {{lane_name, name("$lane'")}};
  return at_every_place(v, one, "", [&](const ViewCase&, const AcceptorFacet&, const Accepted& a) {
    return at_every_place(v, other, "'", [&](const ViewCase&, const AcceptorFacet&, Accepted b) -> std::vector<Case> {
      for (std::vector<Term>* terms : {&b.from.indices, &b.from.ranges, &b.to.indices, &b.to.ranges})
        for (Term& t : *terms) t = substitute(t, renamed);
      const Term same_from = one.argument == other.argument ? same_place(a.from, b.from) : truth(false);
      return {case_of(v, {a.from.ranges, b.from.ranges}, implies(same_place(a.to, b.to), same_from))};
    });
  });
}

// ------------------------------------------------------------------------------------------------- layout
// The place r of the result after acceptor k := E_k, from what it held before. Either some place p of the argument is
// written there, and r holds its element; or none is, the places that the read path names among them, and r is as
// before.
Term written(const ViewCase& v, std::size_t k, const Place& r, const Reading& reading, const Term& before,
             const Term& after, std::string& error) {
  const AcceptorFacet& acceptor = v.view.view->acceptors[k];
  std::vector<Term> ways, nowhere;
  for (const Place& p : places(v.view, v.view.arguments.at(acceptor.argument), std::to_string(k + 1))) {
    if (p.lanes > 0) continue;
    const auto a = accepted(v.view, acceptor, p);
    if (!a) return error = a.error(), truth(true);
    const Term value = element(v.view, acceptor.argument, a->from);
    if (!(value.sort == after.sort)) continue;
    ways.push_back(all_of({inside(a->from), same_place(a->to, r), equal(after, value)}));
  }
  for (const ArgumentRead& read : reading.reads) {
    if (read.argument != acceptor.argument || read.place.lanes > 0) continue;
    const auto a = accepted(v.view, acceptor, read.place);
    if (!a) return error = a.error(), truth(true);
    nowhere.push_back(negation(all_of({inside(a->from), same_place(a->to, r)})));
  }
  nowhere.push_back(equal(after, before));
  ways.push_back(all_of(std::move(nowhere)));
  return any_of(std::move(ways));
}

// What is read at r is written to r, and what is written to r is read there: hypotheses, and their cases.
std::vector<Term> there_and_back(const ViewCase& v, const Place& r, std::vector<Case>& cases) {
  const auto back = only_read(v, r);
  if (!back) return {};
  const AcceptorFacet& acceptor = v.view.view->acceptors[0];
  const auto from = only_place(v.view, v.view.arguments.at(acceptor.argument), "1");
  const auto again = accepted(v.view, acceptor, *back);
  const auto a = from.empty() ? tl::unexpected(std::string()) : accepted(v.view, acceptor, from[0]);
  if (!again || !a) return {};
  const Term returns = all_of({inside(*back), same_place(again->to, r)});
  cases.push_back(case_of(v, {r.ranges}, returns));
  for (Case& c : at_every_place(v, acceptor, "1", reads_back)) cases.push_back(std::move(c));
  return {returns, implies(all_of({inside(a->from), same_place(a->to, r)}), same_place(*back, a->from))};
}

// A := v E1 .. Ek is acc1 A := E1; ..; acck A := Ek, seen at each place r of A.
std::vector<Case> layout(const ViewCase& v) {
  std::vector<Case> out;
  for (const Place& r : places(v.view, v.view.result, "")) {
    if (r.lanes > 0) continue;
    for (const Reading& reading : readings(v.view, r.path)) {
      if (!reading.error.empty()) {
        out.push_back(broken(v, reading.error, reading.understood));
        continue;
      }
      const Term expected = reading.elements.at(0);
      std::string error;
      std::vector<Term> writes = there_and_back(v, r, out);
      Term before = name("A before", expected.sort);
      for (std::size_t k = 0; k < v.view.view->acceptors.size(); ++k) {
        const Term after = name("A after " + std::to_string(k + 1), expected.sort);
        writes.push_back(written(v, k, r, reading, before, after, error));
        before = after;
      }
      out.push_back(error.empty()
                        ? as_told(case_of(v, {r.ranges, reading.known, writes}, equal(before, expected)), reading)
                        : broken(v, error));
    }
  }
  return out;
}

using ViewClaim = std::function<std::vector<Case>(const ViewCase&)>;

Obligation obligation(const CalculusRef& calculus, const std::string& view, const std::string& claim,
                      const ViewClaim& cases) {
  return {"views", view, claim, [=](const Solver& solver) {
            std::vector<Case> all;
            for (const ViewCase& v : view_cases(*calculus, view)) {
              if (!v.error.empty())
                all.push_back(broken(v, "the check uses " + v.error, false));
              else
                for (Case& c : cases(v)) all.push_back(std::move(c));
            }
            return decide_all(all, 10000, solver);
          }};
}

std::string layout_equality(const std::string& view, const std::vector<AcceptorFacet>& acceptors) {
  std::string left = "A := " + view, right;
  for (std::size_t k = 0; k < acceptors.size(); ++k) {
    const std::string e = acceptors.size() == 1 ? "E" : "E" + std::to_string(k + 1);
    left += " " + e;
    right += (right.empty() ? "" : "; ") + acceptors[k].name + " A := " + e;
  }
  return left + " is " + right;
}

}  // namespace

std::vector<Obligation> acceptor_obligations(const CalculusRef& calculus, const std::string& view) {
  const auto& acceptors = std::get<View>(calculus->primitive(view)->kind).acceptors;
  std::vector<Obligation> out;
  const auto add = [&](const std::string& claim, const ViewClaim& cases) {
    out.push_back(obligation(calculus, view, claim, cases));
  };
  const auto of = [](const ViewCase& v, std::size_t k) -> const AcceptorFacet& { return v.view.view->acceptors[k]; };
  for (std::size_t k = 0; k < acceptors.size(); ++k) {
    const std::string& acc = acceptors[k].name;
    add(acc + " writes inside", [=](const ViewCase& v) { return at_every_place(v, of(v, k), "", stays_inside); });
    add(acc + " writes what is read back",
        [=](const ViewCase& v) { return at_every_place(v, of(v, k), "", reads_back); });
    add(acc + " writes each place once", [=](const ViewCase& v) { return keeps_apart(v, of(v, k), of(v, k)); });
    for (std::size_t j = 0; j < k; ++j)
      add(acceptors[j].name + " and " + acc + " write apart",
          [=](const ViewCase& v) { return keeps_apart(v, of(v, j), of(v, k)); });
  }
  if (!acceptors.empty()) add(layout_equality(view, acceptors), layout);
  return out;
}

}  // namespace lockstep::proofs
