// Calls of functions that a library has, alone and on whole vectors, in the names that a dialect gives them.
#pragma once
#include <set>

#include "codegen/dialects/dialect.h"

namespace lockstep {

// The dialect's row of the function, where a program brings it with it; else null.
const Dialect::Written* written_function(const Dialect& dialect, const scalars::Definition::Library& l, ScalarType t);

// The function on numbers of this type, so many at once: as the dialect's row has it, or as the C library.
LibraryFunction library_function(const Dialect& dialect, const scalars::Definition::Library& l, ScalarType t);

// The body of a function of vectors of so many lanes, of the type named `vector`, whose parameters are `names`: by the
// widest of the library's functions that the processor has and that are no wider, and lane by lane where it has none.
// What it calls is added to `called`. Empty where the dialect has no function of vectors.
std::string body_on_vectors(const Dialect& dialect, const scalars::Definition::Library& l, ScalarType t, int width,
                            const std::string& vector, const std::vector<std::string>& names,
                            std::set<LibraryFunction>& called);

// Of a library that a program has to be linked with, by this option.
bool calls_library(const std::set<LibraryFunction>& called);
inline constexpr std::string_view link_library = "-lsleef";

// What a text that calls these declares. <math.h> costs a tenth of a second in C++. g++ makes vectors of loops that
// call them: of the same bits, so that it may.
std::string prototypes(const Dialect& dialect, const std::set<LibraryFunction>& called);

}  // namespace lockstep
