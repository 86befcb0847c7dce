// Sizes as arguments are written, and numbers that are sizes, as in xs ! (n - 1): decided when the program is checked,
// as sizes in types are.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

bool is_written_size(const Work& w, const surface::Expr& e);  // a number, a size's name, or arithmetic on them
Size size_argument(Work& w, const surface::Expr& e);
std::optional<Size> size_of_index(const Work& w, const Phrase& i);
// 0 <= k < n for all sizes. What normal forms leave open is listed with the obligations.
bool inside(Work& w, const Size& k, const Size& n, const Region& region);

}  // namespace lockstep::inference
