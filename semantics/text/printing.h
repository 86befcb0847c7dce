// What printers of expressions have in common, whichever language's; `doc` prints a part.
#pragma once
#include "semantics/core/pretty.h"
#include "semantics/text/operators.h"

namespace lockstep::reading {

// if c then t else …: a run of else-ifs stands in one column. Of a node with a condition, yes and no.
template <class If, class F>
pretty::Doc conditional_doc(const If& first, const F& doc) {
  using namespace pretty;
  std::vector<Doc> parts;
  const If* i = &first;
  for (;;) {
    parts.insert(parts.end(), {text("if "), nest(3, doc(*i->condition)), line(), text("then "), nest(5, doc(*i->yes)),
                               line(), text("else ")});
    const auto& no = *i->no;
    i = std::get_if<If>(&no.node);
    if (!i) {
      parts.push_back(nest(5, doc(no)));
      return group(concat(std::move(parts)));
    }
  }
}

// The left operands of one level are one group: a + b - c. Of a node with an op, left and right; `row_of` gives an
// operator's row, `level_of` an expression's level, and `doc` is also told the level that its place asks for.
template <class Infix, class Expr, class Rows, class Levels, class F>
pretty::Doc infix_doc(const Expr& e, const Rows& row_of, const Levels& level_of, const F& doc) {
  using namespace pretty;
  const int level = level_of(e);
  std::vector<Doc> backwards;
  const Expr* left = &e;
  while (level_of(*left) == level) {
    const auto& i = std::get<Infix>(left->node);
    const Operator& row = row_of(i.op);
    backwards.push_back(concat({line(), text(std::string(row.symbol) + " "), nest(2, doc(*i.right, level + 1))}));
    left = i.left.get();
    if (row.chain == Chain::None) break;
  }
  backwards.push_back(doc(*left, level + 1));
  return group(concat_backwards(std::move(backwards)));
}

}  // namespace lockstep::reading
