// What the solvers are given for each operation of terms: Z3's function beside its name in SMT-LIB 2.6, a row an
// operation. For the .cpp files here that encode.
#pragma once
#include <z3.h>

#include <array>
#include <string_view>
#include <variant>

#include "proofs/smt/term.h"

namespace lockstep::proofs::smt {

// Functions of that many terms; a rounding is the first of them. ToSort: of a rounding, a term and a sort. ToWidth: of
// a number of bits and a term.
using Unary = Z3_ast (*)(Z3_context, Z3_ast);
using Binary = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast);
using Ternary = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast, Z3_ast);
using Quaternary = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast, Z3_ast, Z3_ast);
using Nary = Z3_ast (*)(Z3_context, unsigned, const Z3_ast*);
using ToSort = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast, Z3_sort);
using ToWidth = Z3_ast (*)(Z3_context, unsigned, Z3_ast);
using Rounding = Z3_ast (*)(Z3_context);

struct Operation {
  TermOp op;
  std::string_view name;
  std::variant<Unary, Binary, Ternary, Quaternary, Nary, ToSort, ToWidth, std::monostate> z3;
  std::string_view rounding = "";
  Rounding z3_rounding = nullptr;
};

inline constexpr TermOp first_operation = TermOp::Add;
// Truncation has no row of Z3's: it extracts.
inline constexpr auto operations = std::to_array<Operation>({
    {TermOp::Add, "+", Z3_mk_add},
    {TermOp::Subtract, "-", Z3_mk_sub},
    {TermOp::Multiply, "*", Z3_mk_mul},
    {TermOp::Less, "<", Z3_mk_lt},
    {TermOp::LessEqual, "<=", Z3_mk_le},
    {TermOp::Equal, "=", Z3_mk_eq},
    {TermOp::If, "ite", Z3_mk_ite},
    {TermOp::Not, "not", Z3_mk_not},
    {TermOp::And, "and", Z3_mk_and},
    {TermOp::Or, "or", Z3_mk_or},
    {TermOp::Implies, "=>", Z3_mk_implies},
    {TermOp::Select, "select", Z3_mk_select},
    {TermOp::Store, "store", Z3_mk_store},
    {TermOp::BitAdd, "bvadd", Z3_mk_bvadd},
    {TermOp::BitSubtract, "bvsub", Z3_mk_bvsub},
    {TermOp::BitMultiply, "bvmul", Z3_mk_bvmul},
    {TermOp::DivideUnsigned, "bvudiv", Z3_mk_bvudiv},
    {TermOp::DivideSigned, "bvsdiv", Z3_mk_bvsdiv},
    {TermOp::ModuloUnsigned, "bvurem", Z3_mk_bvurem},
    {TermOp::ModuloSigned, "bvsrem", Z3_mk_bvsrem},
    {TermOp::BitNegate, "bvneg", Z3_mk_bvneg},
    {TermOp::BitAnd, "bvand", Z3_mk_bvand},
    {TermOp::BitOr, "bvor", Z3_mk_bvor},
    {TermOp::BitXor, "bvxor", Z3_mk_bvxor},
    {TermOp::ShiftLeft, "bvshl", Z3_mk_bvshl},
    {TermOp::ShiftRightLogical, "bvlshr", Z3_mk_bvlshr},
    {TermOp::ShiftRightArithmetic, "bvashr", Z3_mk_bvashr},
    {TermOp::LessUnsigned, "bvult", Z3_mk_bvult},
    {TermOp::LessSigned, "bvslt", Z3_mk_bvslt},
    {TermOp::ZeroExtend, "zero_extend", Z3_mk_zero_ext},
    {TermOp::SignExtend, "sign_extend", Z3_mk_sign_ext},
    {TermOp::Truncate, "extract", std::monostate{}},
    {TermOp::FloatAdd, "fp.add", Z3_mk_fpa_add, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatSubtract, "fp.sub", Z3_mk_fpa_sub, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatMultiply, "fp.mul", Z3_mk_fpa_mul, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatDivide, "fp.div", Z3_mk_fpa_div, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatNegate, "fp.neg", Z3_mk_fpa_neg},
    {TermOp::FloatAbs, "fp.abs", Z3_mk_fpa_abs},
    {TermOp::FloatSqrt, "fp.sqrt", Z3_mk_fpa_sqrt, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatFma, "fp.fma", Z3_mk_fpa_fma, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatFloor, "fp.roundToIntegral", Z3_mk_fpa_round_to_integral, "RTN", Z3_mk_fpa_rtn},
    {TermOp::FloatCeil, "fp.roundToIntegral", Z3_mk_fpa_round_to_integral, "RTP", Z3_mk_fpa_rtp},
    {TermOp::FloatEqual, "fp.eq", Z3_mk_fpa_eq},
    {TermOp::FloatLess, "fp.lt", Z3_mk_fpa_lt},
    {TermOp::FloatLessEqual, "fp.leq", Z3_mk_fpa_leq},
    {TermOp::FloatIsNan, "fp.isNaN", Z3_mk_fpa_is_nan},
    {TermOp::FloatOfSigned, "to_fp", Z3_mk_fpa_to_fp_signed, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatOfUnsigned, "to_fp_unsigned", Z3_mk_fpa_to_fp_unsigned, "RNE", Z3_mk_fpa_rne},
    {TermOp::FloatOfFloat, "to_fp", Z3_mk_fpa_to_fp_float, "RNE", Z3_mk_fpa_rne},
});
constexpr bool is_complete() {
  for (std::size_t k = 0; k < operations.size(); ++k)
    if (operations[k].op != static_cast<TermOp>(static_cast<std::size_t>(first_operation) + k)) return false;
  return operations.back().op == TermOp::FloatOfFloat;
}
static_assert(is_complete(), "a row an operation, in their order");

inline const Operation& operation_of(TermOp op) {
  return operations.at(static_cast<std::size_t>(op) - static_cast<std::size_t>(first_operation));
}

// The name that the solvers know a name or function by: no two kinds have one in common, and in SMT-LIB it can stand
// between bars.
enum class NameKind { Free, Bound, Function };
std::string spelled(NameKind kind, const std::string& name);

}  // namespace lockstep::proofs::smt
