// Inference of operators, indexing, components and constructions.
#include "semantics/core/table.h"
#include "semantics/snesl/elaborate_infer.h"

namespace lockstep::snesl::elaboration {

using namespace surface;

namespace {

struct InfixRow {
  OperatorRef (*op)();  // whose name is the symbol
  Constraint::Kind kind;
};
template <scalars::Name symbol>
constexpr InfixRow of(Constraint::Kind kind) {
  return {scalars::row<symbol>, kind};
}
InfixRow row_of(Infix op) {
  using K = Constraint::Kind;
  static constexpr auto rows = table<Infix, InfixRow>({{Infix::OpOr, of<"||">(K::Bits)},
                                                       {Infix::OpAnd, of<"&&">(K::Bits)},
                                                       {Infix::Eq, of<"==">(K::Comparison)},
                                                       {Infix::Ne, of<"!=">(K::Comparison)},
                                                       {Infix::Lt, of<"<">(K::Comparison)},
                                                       {Infix::Le, of<"<=">(K::Comparison)},
                                                       {Infix::Gt, of<">">(K::Comparison)},
                                                       {Infix::Ge, of<">=">(K::Comparison)},
                                                       {Infix::BitOr, of<"|">(K::Bits)},
                                                       {Infix::BitXor, of<"^">(K::Bits)},
                                                       {Infix::BitAnd, of<"&">(K::Bits)},
                                                       {Infix::Shl, of<"<<">(K::Bits)},
                                                       {Infix::Shr, of<">>">(K::Bits)},
                                                       {Infix::Add, of<"+">(K::Arithmetic)},
                                                       {Infix::Sub, of<"-">(K::Arithmetic)},
                                                       {Infix::Mul, of<"*">(K::Arithmetic)},
                                                       {Infix::Div, of<"/">(K::Arithmetic)},
                                                       {Infix::Mod, of<"%">(K::Arithmetic)}});
  return rows[op];
}

}  // namespace

NodeId Inference::infix(const InfixExpr& x, const Region& region) {
  const InfixRow row = row_of(x.op);
  const OperatorRef op = row.op();
  const std::string& symbol = op->name;
  const NodeId left = expression(*x.left), right = expression(*x.right);
  if (x.op == Infix::OpAnd || x.op == Infix::OpOr) {
    const TypeId t = boolean();
    expect(left, t, "the left side of " + symbol);
    expect(right, t, "the right side of " + symbol);
    return add(LogicNode{x.op == Infix::OpAnd, left, right}, boolean(), region);
  }
  if (x.op == Infix::Shl || x.op == Infix::Shr) {
    const Mask whole = mask_of(Prim::Int) | mask_of(Prim::Char);
    if (!expect_prim(left, whole, "the left side of " + symbol) ||
        !expect_prim(right, whole, "the right side of " + symbol))
      return wrong(region);
    return add(OperatorNode{op, {left, right}}, types().prim(Prim::Int), region);
  }
  return binary(row.kind, op, symbol, left, right, region);
}

NodeId Inference::binary(Constraint::Kind kind, OperatorRef op, const std::string& symbol, NodeId left, NodeId right,
                         const Region& region) {
  const Mask operands = kind == Constraint::Kind::Arithmetic ? any_number | mask_of(Prim::Char)
                        : kind == Constraint::Kind::Bits     ? any_prim & ~mask_of(Prim::Real)
                                                             : any_prim;
  const bool comparison = kind == Constraint::Kind::Comparison;
  const std::string_view of_vector = comparison ? compare_texts : go_over_vector;
  const bool fits_left = expect_prim(left, operands, "the left side of " + symbol, of_vector);
  const bool fits_right = expect_prim(right, operands, "the right side of " + symbol, of_vector);
  if (!fits_left || !fits_right) return wrong(region);
  const TypeId result = comparison ? boolean() : types().unknown(region);
  constrain({kind, {type(left), type(right), comparison ? -1 : result}, 0, region, symbol, ""});
  return add(OperatorNode{op, {left, right}}, result, region);
}

NodeId Inference::select(const SelectExpr& x, const Region& region) {
  const NodeId condition = expression(*x.condition);
  expect(condition, boolean(), "the condition");
  const NodeId yes = expression(*x.yes), no = expression(*x.no);
  for (const NodeId n : {yes, no})
    if (types().form(type(n)) != TypeGraph::Form::Unknown && types().mask(type(n)) == 0) {
      report(out_[n].region, "? : chooses between scalars, and this has the type " + shown(type(n)),
             show_mask(any_prim), "write if ... then ... else ...");
      return wrong(region);
    }
  const TypeId result = types().unknown(region);
  constrain({Constraint::Kind::Choice, {type(yes), type(no), result}, 0, region, "? :", ""});
  return add(OperatorNode{&scalars::choice(), {condition, yes, no}}, result, region);
}

NodeId Inference::prefix(const PrefixExpr& x, const Region& region) {
  const NodeId n = expression(*x.operand);
  switch (x.op) {
    case Prefix::Iota:
      expect(n, types().prim(Prim::Int), "the operand of &");
      return add(BuiltinNode{Builtin::Iota, {}, {n}}, types().sequence_of(types().prim(Prim::Int)), region);
    case Prefix::Length:
      return length(n, region);
    case Prefix::Negate:
      if (!expect_prim(n, any_number, "the operand of -")) return wrong(region);
      return add(OperatorNode{scalars::row<"neg">(), {n}}, type(n), region);
    case Prefix::Not:
      expect(n, boolean(), "the operand of !");
      return add(OperatorNode{scalars::row<"not">(), {n}}, boolean(), region);
  }
  throw Bug("prefix operator");
}

NodeId Inference::length(NodeId operand, const Region& region) {
  constrain({Constraint::Kind::Countable, {type(operand), -1, -1}, 0, region, "#", ""});
  return add(BuiltinNode{Builtin::SeqLength, {}, {operand}}, types().prim(Prim::Int), region);
}

NodeId Inference::project(const ProjectExpr& x, const Region& region) {
  const NodeId tuple = expression(*x.tuple);
  if (x.index < 1) {
    report(region, "." + std::to_string(x.index) + " is no component", "a component from .1", "");
    return wrong(region);
  }
  const TypeId result = types().unknown(region);
  const std::size_t before = diagnostics_.size();
  constrain(
      {Constraint::Kind::Component, {type(tuple), result, -1}, x.index - 1, region, "." + std::to_string(x.index), ""});
  if (diagnostics_.size() > before) return wrong(region);
  return add(ProjectNode{tuple, x.index - 1}, result, region);
}

NodeId Inference::index(const IndexExpr& x, const Region& region) {
  const NodeId vector = expression(*x.vector), at = expression(*x.index);
  const TypeId element = types().unknown(x.vector->region);
  concrete(element, {x.vector->region, "the left side of !", "a vector", "tab(...) makes a vector of a sequence"});
  const bool is_vector = expect(vector, types().vector_of(element), "the left side of !");
  expect(at, types().prim(Prim::Int), "the index");
  if (!is_vector) return wrong(region);
  return add(BuiltinNode{Builtin::Index, {}, {vector, at}}, element, region);
}

NodeId Inference::append(const AppendExpr& x, const Region& region) {
  const NodeId left = expression(*x.left), right = expression(*x.right);
  const TypeId t = types().sequence_of(types().unknown(region));
  const bool fits = expect(left, t, "the left side of ++");
  if (!expect(right, t, "the right side of ++") || !fits) return wrong(region);
  return add(BuiltinNode{Builtin::Append, {}, {left, right}}, t, region);
}

NodeId Inference::sequence(const std::vector<ExprRef>& items, const Region& region, bool vector) {
  const std::string what = vector ? "this element of the vector" : "this element of the sequence";
  const TypeId element = types().unknown(region);
  BuiltinNode out{Builtin::Mkseq, {}, {}};
  bool fits = true;
  for (const ExprRef& i : items) {
    out.arguments.push_back(expression(*i));
    fits = expect(out.arguments.back(), element, what) && fits;
  }
  if (!fits) return wrong(region);
  const NodeId sequence = add(std::move(out), types().sequence_of(element), region);
  if (!vector) return sequence;
  if (!concrete(element, {region, "an element of this vector", "elements without sequences",
                          "tab(...) makes a vector of a sequence"}))
    return wrong(region);
  return add(BuiltinNode{Builtin::Tab, {}, {sequence}}, types().vector_of(element), region);
}

}  // namespace lockstep::snesl::elaboration
