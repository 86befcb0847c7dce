// The imperative constants (Fig. 4b, 4c, §6.2, and those that semantics/imperative/README.md adds): each an aggregate
// of what it has beside the sizes, types and arguments that it is applied to. s: those sizes, t: those types.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "semantics/core/hierarchy.h"
#include "semantics/core/ref.h"
#include "semantics/core/type.h"

namespace lockstep {

struct Phrase;
using PhraseRef = Ref<Phrase>;

namespace imp {
struct Takes {  // so many sizes and types
  std::size_t sizes, types;
  bool operator==(const Takes&) const = default;
};
}  // namespace imp

// A constant of a loop's own (semantics/primitives/constant.h); the arguments' types at its sizes and types.
struct Constant {
  std::string name;
  imp::Takes takes;
  std::function<std::vector<PhraseType>(const std::vector<Size>&, const std::vector<Type>&)> arguments;
  std::shared_ptr<const struct ConstantFacets> facets;
};
using ConstantRef = std::shared_ptr<const Constant>;

namespace imp {

struct Skip {  // comm
  static constexpr std::string_view name = "skip";
  static constexpr Takes takes{0, 0};
  bool operator==(const Skip&) const = default;
};
struct Seq {  // comm x comm -> comm
  static constexpr std::string_view name = ";";
  static constexpr Takes takes{0, 0};
  bool operator==(const Seq&) const = default;
};
struct New {  // t{d}: (var@space[d] -> comm) -> comm
  static constexpr std::string_view name = "new";
  static constexpr Takes takes{0, 1};
  Space space = Space::Auto;
  bool operator==(const New&) const = default;
};
struct Assign {  // t{d}: acc[d] x exp[d] -> comm, d a scalar, index or short vector
  static constexpr std::string_view name = ":=";
  static constexpr Takes takes{0, 1};
  bool operator==(const Assign&) const = default;
};
struct For {  // s{n}: (exp[idx(n)] -> comm) -> comm; level Seq or Unroll
  static constexpr std::string_view name = "for";
  static constexpr Takes takes{1, 0};
  Level level = Level::Auto;
  bool operator==(const For&) const = default;
};
struct ParFor {  // s{n} t{d}: acc[n.d] -> (exp[idx(n)] -> acc[d] ->p comm) -> comm
  static constexpr std::string_view name = "parfor";
  static constexpr Takes takes{1, 1};
  Level level = Level::Auto;
  bool operator==(const ParFor&) const = default;
};
struct IdxAcc {  // s{n} t{d}: acc[n.d] -> exp[idx(n)] -> acc[d]
  static constexpr std::string_view name = "idxAcc";
  static constexpr Takes takes{1, 1};
  bool operator==(const IdxAcc&) const = default;
};
struct Cond {  // exp[bool] x comm x comm -> comm
  static constexpr std::string_view name = "cond";
  static constexpr Takes takes{0, 0};
  bool operator==(const Cond&) const = default;
};
struct While {  // exp[bool] x comm -> comm
  static constexpr std::string_view name = "whileDo";
  static constexpr Takes takes{0, 0};
  bool operator==(const While&) const = default;
};
struct Check {  // exp[bool] x exp[s]... -> comm, s scalar: traps where false; the rest are values for the message
  static constexpr std::string_view name = "check";
  static constexpr Takes takes{0, 0};
  std::string primitive;
  std::string message;  // {0}, {1} stand for the values
  bool operator==(const Check&) const = default;
};
struct MapI {  // s{n} t{d1 d2}: (exp[d1] -> acc[d2] ->p comm) -> exp[n.d1] -> acc[n.d2] -> comm
  static constexpr std::string_view name = "mapI";
  static constexpr Takes takes{1, 2};
  Level level = Level::Auto;
  bool operator==(const MapI&) const = default;
};
struct ReduceI {  // s{n} t{d1 d2}: (exp[d1] -> exp[d2] -> acc[d2] -> comm) -> exp[d2] -> exp[n.d1] -> (exp[d2] -> comm)
                  // -> comm
  static constexpr std::string_view name = "reduceI";
  static constexpr Takes takes{1, 2};
  bool operator==(const ReduceI&) const = default;
};
struct ScanI {  // as ReduceI, but -> acc[n.d2] -> comm at the end
  static constexpr std::string_view name = "scanI";
  static constexpr Takes takes{1, 2};
  bool exclusive = false;  // each prefix without its own element
  bool operator==(const ScanI&) const = default;
};
struct IterateI {  // s{k} t{d}: (exp[d] -> acc[d] -> comm) -> exp[d] -> (exp[d] -> comm) -> comm
  static constexpr std::string_view name = "iterateI";
  static constexpr Takes takes{1, 1};
  bool operator==(const IterateI&) const = default;
};
struct WhileI {  // t{d}: (exp[d] -> acc[bool] -> comm) -> (exp[d] -> acc[d] -> comm) -> exp[d] -> (exp[d] -> comm) ->
                 // comm
  static constexpr std::string_view name = "whileI";
  static constexpr Takes takes{0, 1};
  bool operator==(const WhileI&) const = default;
};
struct Own {  // a constant of a loop's own file: arguments as it says -> comm
  ConstantRef constant;
  bool operator==(const Own&) const = default;
};
struct Barrier {  // comm; all threads of the block
  static constexpr std::string_view name = "barrier";
  static constexpr Takes takes{0, 0};
  bool operator==(const Barrier&) const = default;
};

using Constant = std::variant<Skip, Seq, New, Assign, For, ParFor, IdxAcc, Cond, While, Check, MapI, ReduceI, ScanI,
                              IterateI, WhileI, Own, Barrier>;

}  // namespace imp

struct ImpPhrase {
  imp::Constant constant;
  std::vector<Size> sizes;
  std::vector<Type> types;
  std::vector<PhraseRef> arguments;
};
template <class C>
const C* as(const ImpPhrase& p) {
  return std::get_if<C>(&p.constant);
}
std::string_view name_of(const imp::Constant& c);  // in the paper; a constant's own
imp::Takes taken_by(const imp::Constant& c);

// The level of a constant that has one, null otherwise.
template <class C>
Like<C, Level>* level_of(C& constant) {
  if (auto* x = std::get_if<imp::For>(&constant)) return &x->level;
  if (auto* x = std::get_if<imp::ParFor>(&constant)) return &x->level;
  if (auto* x = std::get_if<imp::MapI>(&constant)) return &x->level;
  return nullptr;
}

// What an imperative constant's type is at its sizes and types. Arguments in one group share resources (a product in
// the paper's type); distinct groups must not interfere (Fig. 3, App).
struct ImpSignature {
  std::vector<PhraseType> arguments;
  std::vector<int> group;
  PhraseType result;
};
ImpSignature signature(const ImpPhrase& p);

}  // namespace lockstep
