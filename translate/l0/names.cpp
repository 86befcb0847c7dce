// Renaming binders apart.
#include "translate/l0/names.h"

#include "translate/l0/rename.h"

namespace lockstep::l0 {

Program with_distinct_names(const Program& p) {
  Program out{p.source, {}};
  Fresh fresh;
  for (const Function& f : p.functions) fresh.take(f.name);
  Renaming renaming(fresh);
  for (const Function& f : p.functions) out.functions.push_back(renaming.function(f));
  return retyped(std::move(out), "names");
}

}  // namespace lockstep::l0
