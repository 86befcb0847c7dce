// Renaming binders apart.
#include "translate/l0/names.h"

#include <algorithm>

#include "translate/l0/rename.h"

namespace lockstep::l0 {

Program with_distinct_names(const Program& p) {
  Program out{p.source, {}};
  Fresh fresh;
  for (const Function& f : p.functions) fresh.take(f.name);
  Renaming renaming(fresh);
  for (auto f = p.functions.rbegin(); f != p.functions.rend(); ++f) out.functions.push_back(renaming.function(*f));
  std::reverse(out.functions.begin(), out.functions.end());
  return retyped(std::move(out), "names");
}

}  // namespace lockstep::l0
