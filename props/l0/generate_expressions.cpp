// Scalars, and functions in the places of array operations.
#include "props/l0/generate_state.h"

namespace lockstep::props::l0 {

std::string Generator::literal(Kind kind) {
  if (kind == Kind::Bool) return random_.percent(50) ? "true" : "false";
  const int n = random_.below(8) - 2;
  const std::string digits = (n < 0 ? "~" : "") + std::to_string(n < 0 ? -n : n);
  return kind == Kind::Int ? digits : digits + ".5";
}

// An element of something, most likely there.
std::string Generator::index(Kind kind) {
  for (int k = 0; k < 4; ++k) {
    Named* a = array(1);
    if (!a) break;
    if (a->type.kind == kind)
      return a->name + "[" + (random_.percent(70) ? "0" : random_.percent(50) ? "n - 1" : "1") + "]";
    --a->used;
  }
  return literal(kind);
}

std::string Generator::operation(Kind kind, int depth) {
  const auto part = [&](Kind k) { return scalar(k, depth - 1); };
  if (kind == Kind::Bool) {
    const Kind of = random_.percent(60) ? Kind::Int : Kind::Real;
    return random_.one_of(
        Way{6, [&] { return "(" + part(of) + (random_.percent(50) ? " < " : " == ") + part(of) + ")"; }},
        Way{2,
            [&] { return "(" + part(Kind::Bool) + (random_.percent(50) ? " && " : " || ") + part(Kind::Bool) + ")"; }},
        Way{1, [&] { return "(not " + part(Kind::Bool) + ")"; }});
  }
  const char* op = random_.among(std::vector<const char*>{" + ", " - ", " * "});
  return random_.one_of(
      Way{10, [&] { return "(" + part(kind) + op + part(kind) + ")"; }},
      Way{2, [&] { return "(~" + part(kind) + ")"; }},
      Way{2, [&] { return (random_.percent(50) ? "max(" : "min(") + part(kind) + ", " + part(kind) + ")"; }},
      Way{1,
          [&] { return kind == Kind::Int ? "(" + part(kind) + " / " + part(kind) + ")" : "sqrt(" + part(kind) + ")"; }},
      Way{1, [&] { return kind == Kind::Int ? "trunc(" + part(Kind::Real) + ")" : "toReal(" + part(Kind::Int) + ")"; }},
      Way{2, [&] { return "(if " + part(Kind::Bool) + " then " + part(kind) + " else " + part(kind) + ")"; }});
}

std::string Generator::scalar(Kind kind, int depth) {
  std::vector<Named*> fits;
  for (Named& n : scope_)
    if (n.type == Shaped{kind, 0}) fits.push_back(&n);
  if (depth > 0 && random_.percent(60)) return operation(kind, depth);
  if (random_.percent(5)) return index(kind);
  if (fits.empty() || random_.percent(15)) return literal(kind);
  // what is nearest: a function's own parameters
  Named* n = random_.percent(60) ? fits.back() : random_.among(fits);
  ++n->used;
  return n->name;
}

std::string Generator::operator_of(Kind kind) {
  if (kind == Kind::Bool) return random_.percent(50) ? "op &&" : "op ||";
  return random_.among(std::vector<std::string>{"op +", "op *", "max", "min", "op -"});
}

// fn t (…) => …
std::string Generator::lambda(const std::vector<Named>& elements, const Shaped& result, int depth) {
  const std::size_t before = scope_.size(), border = border_;
  border_ = before;
  std::string parameters;
  for (const Named& e : elements) {
    parameters += (parameters.empty() ? "" : ", ") + text_of(e.type) + " " + e.name;
    scope_.push_back(e);
  }
  const std::string body = block(random_.percent(30) ? 1 + random_.below(2) : 0, depth, &result);
  scope_.resize(before);
  border_ = border;
  return "fn " + text_of(result) + " (" + parameters + ") => " + body;
}

}  // namespace lockstep::props::l0
