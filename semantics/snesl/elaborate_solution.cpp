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

void TypeGraph::show(TypeId t, Names& names, std::string& out, int depth) const {
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
      show(n.items[k], names, out, depth + 1);
    }
    out += close;
  };
  switch (n.form) {
    case Form::Unknown: {
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
  show(t, names, out, 0);
  return out;
}
std::string TypeGraph::show(TypeId t) const {
  const Node& n = nodes_[at(find(t))];
  if (n.form == Form::Unknown && n.mask != 0) return show_mask(n.mask);
  Names names;
  return show(t, names);
}

namespace {
constexpr int most_parts = 20'000;  // of one type

Type solved(const TypeGraph& g, TypeId t, const Assignment& by, int depth, int& count) {
  if (depth > deepest_type || ++count > most_parts) throw TypeTooLarge{};
  t = g.find(t);
  switch (g.form(t)) {
    case TypeGraph::Form::Unknown:
      if (const auto it = by.find(t); it != by.end()) return it->second;
      return snesl::prim(Prim::Int);  // a type that no value depends on (elaborate.cpp)
    case TypeGraph::Form::Prim:
      return snesl::prim(g.prim_of(t));
    case TypeGraph::Form::Tuple: {
      std::vector<Type> items;
      for (const TypeId i : g.items(t)) items.push_back(solved(g, i, by, depth + 1, count));
      return snesl::tuple(std::move(items));
    }
    case TypeGraph::Form::Vector:
      return snesl::vector_of(solved(g, g.items(t)[0], by, depth + 1, count));
    case TypeGraph::Form::Sequence:
      return snesl::sequence_of(solved(g, g.items(t)[0], by, depth + 1, count));
    case TypeGraph::Form::Wrong:
    case TypeGraph::Form::Link:
      break;
  }
  throw Bug("a type that has no solution");
}
}  // namespace

Type solved_type(const TypeGraph& graph, TypeId t, const Assignment& by) {
  int count = 0;
  return solved(graph, t, by, 0, count);
}

}  // namespace lockstep::snesl::elaboration
