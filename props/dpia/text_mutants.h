// Mistakes in what a language's programs are in the calculus, planted in its text.
#pragma once
#include <functional>
#include <optional>

#include "semantics/functional/syntax/make.h"
#include "translate/lowered/in_calculus.h"

namespace lockstep::props::texts {

using InText = std::function<surface::Expr(surface::Expr)>;  // of one node, after what is in it
surface::Expr rewritten_text(const surface::Expr& e, const InText& change);

using CallArguments = std::vector<surface::Expr>;
// The arguments of a call of that many, by the name or operator that is called; nothing where e is no such call.
std::optional<CallArguments> call_of(const surface::Expr& e, const std::string& name, std::size_t arguments);
InText of_call(const std::string& name, std::size_t arguments, const std::function<void(CallArguments&)>& f);
InText exchanged(const std::string& name);                            // the two arguments
InText another_name(const std::string& name, const std::string& by);  // of what is called
InText another_operator(const std::string& symbol, const std::string& by);
InText branches_exchanged();
InText indices_made_to_fit();              // a ! (i % 2)
surface::Expr number(const char* digits);  // an i64

// The program with the change in its body, or without where types would show it.
tl::expected<InCalculus, NotLowered> lowered_with(const InText& change,
                                                  const tl::expected<LoweredProgram, NotLowered>& made,
                                                  const Calculus& calculus, const SizeSolver& solver);

}  // namespace lockstep::props::texts
