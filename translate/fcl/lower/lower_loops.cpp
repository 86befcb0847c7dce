// `while`: over an array whose length stays, or over a length and an array of the length that it began with.
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/walk.h"
#include "translate/fcl/lower/lowering.h"

namespace lockstep::fcl::lowering {
namespace {

using make::call, make::name;

const Text& text_at(const Text& e) { return e; }
const Text& text_at(const Ref<Text>& e) { return *e; }

}  // namespace

bool mentions(const Text& e, const std::string& name) {
  const auto* n = std::get_if<surface::Name>(&e.node);
  bool found = n && n->name == name;
  each_child(e, [&](const auto& c) { found = found || mentions(text_at(c), name); });
  return found;
}
bool is_total(const Text& e) {
  if (std::holds_alternative<surface::Index>(e.node) || std::holds_alternative<surface::Lambda>(e.node)) return false;
  const auto* o = std::get_if<surface::Operator>(&e.node);
  bool all = !o || (o->symbol != "/" && o->symbol != "%");
  each_child(e, [&](const auto& c) { all = all && is_total(text_at(c)); });
  return all;
}

// What nothing reads is left out, where it cannot trap: arithmetic of lengths that became sizes.
Text Lowering::behind(Lets lets, Text result) {
  for (auto l = lets.rbegin(); l != lets.rend(); ++l) {
    const auto* own = std::get_if<surface::NamePattern>(&l->first.node);
    if (own && is_total(l->second) && !mentions(result, own->name)) continue;
    result = make::let(std::move(l->first), std::move(l->second), std::move(result));
  }
  return result;
}

Text Lowering::in_memory(Text made, int place) {
  static constexpr const char* spaces[] = {"toPrivate", "toLocal", "toLocal"};
  if (place >= most_above) return made;
  return call(spaces[place], {make::lambda({surface::Pattern{surface::WildPattern{}, {}}}, std::move(made)),
                              source_of(make_bool(true))});
}

Low Lowering::looped(const Spine& s, int place, const std::string& base) {
  const Sizes before = sizes_;
  const Lets lets = lets_;
  const Facts here = here_;
  if (auto made = steady(s, place)) {
    const std::string own = fresh(base);
    lets_.emplace_back(make::bind(own), in_memory(std::move(made->text), place));
    return array_named(own, made->length, made->element);
  }
  sizes_ = before, lets_ = lets, here_ = here;
  return changing(s, place, base);
}

// As long as data say so, where the length stays; nothing where it does not.
std::optional<Lowering::Made> Lowering::steady(const Spine& s, int place) try {
  Made made = scheme(*s.arguments[2], place);
  const auto round = [&](const Expr& f, const auto& of) {
    const auto& fn = std::get<FnExpr>(f.node);
    const std::string own = fresh(fn.parameters[0].name);
    names_.insert_or_assign(fn.parameters[0].name, array_named(own, made.length, made.element));
    return std::pair(own, of(*fn.body));
  };
  const auto [state, holds] =
      round(*s.arguments[0], [&](const Expr& body) { return within([&] { return number(scalar(body)).text; }); });
  const auto [next, step] = round(*s.arguments[1], [&](const Expr& e) { return body(e, place); });
  if (sizes_.current(step.length) != sizes_.current(made.length)) return std::nullopt;
  if (!mentions(holds, state)) return std::nullopt;  // it is endless, which `changing` checks
  made.text = call("while", {make::lambda({make::bind(state)}, holds), make::lambda({make::bind(next)}, step.text),
                             in_memory(std::move(made.text), place)});
  return made;
} catch (const NotLowered&) {
  return std::nullopt;
}

Low Lowering::changing(const Spine& s, int place, const std::string& base) {
  State begins;
  Made made = scheme(*s.arguments[2], place, &begins);
  const Size capacity = *begins.capacity;
  counts_.push_back(capacity);
  const auto of_length = [&](const std::string& length, const std::string& own) {
    running_.emplace(length, capacity);
    return array_named(own, capacity, made.element, Wide{name(length), Size::name(length), Size::name(length)});
  };
  const auto round = [&](const Expr& f, const auto& of) {
    const auto& fn = std::get<FnExpr>(f.node);
    const std::string length = fresh("n"), own = fresh(fn.parameters[0].name);
    names_.insert_or_assign(fn.parameters[0].name, of_length(length, own));
    Text text = of(*fn.body, length, own);
    return make::lambda({make::pattern({length, own})}, std::move(text));
  };
  bool of_lengths = false;
  Text holds = round(*s.arguments[0], [&](const Expr& e, const std::string&, const std::string& own) {
    Text text = within([&] { return number(scalar(e)).text; });
    of_lengths = !mentions(text, own);
    return text;
  });
  Text step = round(*s.arguments[1], [&](const Expr& e, const std::string& length, const std::string&) {
    State next{capacity, of_lengths ? std::optional(name(length)) : std::nullopt};
    return body(e, place, &next).text;
  });
  const std::string length = fresh("n"), own = fresh(base);
  lets_.emplace_back(
      make::pattern({length, own}),
      in_memory(call("while", {std::move(holds), std::move(step), in_memory(std::move(made.text), place)}), place));
  return of_length(length, own);
}

}  // namespace lockstep::fcl::lowering
