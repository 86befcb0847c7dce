// The names in scope.
#include "semantics/functional/inference/bindings.h"

#include <algorithm>

namespace lockstep::inference {

void Bindings::declare(const std::string& name, std::variant<Typed, Size> meaning, Region local_function) {
  all_.push_back({name, std::move(meaning), std::move(local_function)});
}
const Binding* Bindings::find(const std::string& name) const {
  const auto it = std::find_if(all_.rbegin(), all_.rend(), [&](const Binding& b) { return b.name == name; });
  return it == all_.rend() ? nullptr : &*it;
}
const Binding* Bindings::use(const std::string& name) {
  const auto it = std::find_if(all_.rbegin(), all_.rend(), [&](const Binding& b) { return b.name == name; });
  if (it == all_.rend()) return nullptr;
  ++it->uses;
  return &*it;
}
void Bindings::leave(std::size_t to) {
  for (std::size_t k = to; k < all_.size(); ++k)
    if (all_[k].local_function.source && all_[k].uses == 0) unused_.push_back(all_[k]);
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(to), all_.end());
}
std::vector<std::string> Bindings::names() const {
  std::vector<std::string> out;
  for (const Binding& b : all_) out.push_back(b.name);
  return out;
}

}  // namespace lockstep::inference
