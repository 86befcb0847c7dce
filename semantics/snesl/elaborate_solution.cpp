// Types of inference as they are shown, and as they are once solved.
#include "semantics/snesl/elaborate_types.h"

namespace lockstep::snesl::elaboration {

std::string show_mask(Mask m) {
  std::vector<std::string> names;
  for (const Prim p : {Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
    if (m & mask_of(p)) names.emplace_back(show(p));
  std::string out;
  for (std::size_t k = 0; k < names.size(); ++k)
    out += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return out;
}

void TypeGraph::show(TypeId t, Names& names, std::string& out, Masks masks, int depth) const {
  t = find(t);
  const Node& n = nodes_[at(t)];
  if (depth > 20 || out.size() > 200) {
    out += "...";
    return;
  }
  const auto list = [&](const char* open, const char* close) {
    out += open;
    for (std::size_t k = 0; k < n.items.size(); ++k) {
      if (k > 0) out += ", ";
      show(n.items[k], names, out, masks, depth + 1);
    }
    out += close;
  };
  switch (n.form) {
    case Form::Unknown: {
      if (masks == Masks::Shown && n.mask != 0) {
        out += show_mask(n.mask);
        return;
      }
      const int k = static_cast<int>(names.size());
      const auto it =
          names.emplace(t, std::string(1, static_cast<char>('a' + k % 26)) + (k < 26 ? "" : std::to_string(k / 26)))
              .first;
      out += it->second;
      return;
    }
    case Form::Prim:
      out += snesl::show(n.prim);
      return;
    case Form::Tuple:
      list("(", ")");
      return;
    case Form::Vector:
      list("[", "]");
      return;
    case Form::Sequence:
      list("{", "}");
      return;
    case Form::Wrong:
      out += "?";
      return;
    case Form::Link:
      break;
  }
  throw Bug("a link found");
}
std::string TypeGraph::show(TypeId t, Names& names) const {
  std::string out;
  show(t, names, out, Masks::Left, 0);
  return out;
}
std::string TypeGraph::show(TypeId t) const {
  std::string out;
  Names names;
  show(t, names, out, Masks::Shown, 0);
  return out;
}

namespace {
constexpr int most_parts = 20'000;  // of one type

SolvedType solved(const TypeGraph& g, TypeId t, const Assignment& by, SolvedTypes& known, int depth);

SolvedType around(SolvedType element, Type (*make)(Type)) {
  return {make(std::move(element.type)), element.parts + 1, element.height + 1};
}

SolvedType solved_anew(const TypeGraph& g, TypeId t, const Assignment& by, SolvedTypes& known, int depth) {
  switch (g.form(t)) {
    case TypeGraph::Form::Unknown:
      if (const auto it = by.find(t); it != by.end()) return {it->second, 1, 0};
      return {snesl::prim(Prim::Int), 1, 0};  // a type that no value depends on (elaborate.cpp)
    case TypeGraph::Form::Prim:
      return {snesl::prim(g.prim_of(t)), 1, 0};
    case TypeGraph::Form::Tuple: {
      SolvedType out{{}, 1, 0};
      std::vector<Type> items;
      for (const TypeId i : g.items(t)) {
        SolvedType item = solved(g, i, by, known, depth + 1);
        out.parts = std::min(out.parts + item.parts, most_parts + 1);
        out.height = std::max(out.height, item.height + 1);
        items.push_back(std::move(item.type));
      }
      out.type = snesl::tuple(std::move(items));
      return out;
    }
    case TypeGraph::Form::Vector:
      return around(solved(g, g.items(t)[0], by, known, depth + 1), snesl::vector_of);
    case TypeGraph::Form::Sequence:
      return around(solved(g, g.items(t)[0], by, known, depth + 1), snesl::sequence_of);
    case TypeGraph::Form::Wrong:
    case TypeGraph::Form::Link:
      break;
  }
  throw Bug("a type that has no solution");
}

SolvedType solved(const TypeGraph& g, TypeId t, const Assignment& by, SolvedTypes& known, int depth) {
  if (depth > deepest_type) throw TypeTooLarge{};
  t = g.find(t);
  auto it = known.find(t);
  if (it == known.end()) it = known.emplace(t, solved_anew(g, t, by, known, depth)).first;
  if (it->second.parts > most_parts || depth + it->second.height > deepest_type) throw TypeTooLarge{};
  return it->second;
}
}  // namespace

Type solved_type(const TypeGraph& graph, TypeId t, const Assignment& by, SolvedTypes& known) {
  return solved(graph, t, by, known, 0).type;
}

}  // namespace lockstep::snesl::elaboration
