// Words, types, names and expressions of kernel text, which parse.cpp makes statements and programs of.
#pragma once
#include "semantics/kernel/parse.h"
#include "semantics/text/reader.h"

namespace lockstep::kernel {

class ExpressionParser : public reading::Reader {
 protected:
  ExpressionParser(SourceRef source, const PrimitiveLookup& lookup);

  using Scope = std::vector<std::pair<std::string, KType>>;

  std::string name();
  std::string text();
  void skip_remarks();
  KType type();
  KType declared(const Scope& scope, const std::string& name, const reading::Token& at);
  template <class F>
  auto scoped(F f) {
    std::size_t variables = variables_.size(), buffers = buffers_.size();
    const Deeper deeper(*this);
    auto r = f();
    variables_.resize(variables);
    buffers_.resize(buffers);
    return r;
  }
  Region since(std::uint32_t begin) const;
  Expr expression();
  ExprRef binary(int least);  // of operators that bind so tightly
  std::shared_ptr<const Primitive> scalar_operator(const reading::Token& word);

  Scope variables_, buffers_;

 private:
  static std::string written(const reading::Token& t);
  ExprRef bare(const std::string& symbol, const ExprRef& a, const ExprRef& b, const reading::Token& at);
  Expr apply(const std::string& name, KType operand, std::vector<ExprRef> arguments, const reading::Token& at);
  std::shared_ptr<const Primitive> operator_named(const std::string& name, const reading::Token& at);
  std::vector<ExprRef> arguments();
  ExprRef operand();
  ExprRef parenthesis();
  ExprRef number(const reading::Token& t, bool negative);
  ExprRef float_constant();
  ExprRef lane();
  ExprRef build();
  ExprRef splat();
  ExprRef name_or_load();

  const PrimitiveLookup& lookup_;
};

}  // namespace lockstep::kernel
