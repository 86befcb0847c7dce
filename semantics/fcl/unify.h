// Unknown types and levels of FCL, and what makes two of them one. Levels unify structurally: 1 + l with block is
// l = warp; there is no subtyping. Private to inference.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "semantics/fcl/type.h"

namespace lockstep::fcl::inference {

using TypeId = std::uint32_t;
using LevelId = std::uint32_t;
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct LevelTerm {
  int above = 0;
  LevelId base = none;  // none: Z
};

// Of which scalars a type is one; Every: it is any type.
enum Scalars : unsigned { Ints = 1, Doubles = 2, Bools = 4, Every = 8 };
std::string show_scalars(unsigned allowed);  // "int or double"

// Those that a scheme binds, to what they are at one use.
struct Instance {
  std::map<TypeId, TypeId> types{};
  std::map<LevelId, LevelTerm> levels{};
};

class Unifier {
 public:
  int depth = 0;  // of lets and functions that bind levels: what is unknown is generalised behind the one it is of

  TypeId unknown(Kind kind = Kind::Any, unsigned allowed = Every);
  TypeId rigid(const std::string& name, Kind kind);
  TypeId scalar(ScalarType s);
  TypeId pair(TypeId a, TypeId b);
  TypeId pull(TypeId element);
  TypeId push(TypeId element, LevelTerm level);
  TypeId arrow(TypeId from, TypeId to);
  TypeId level_arrow(LevelId bound, TypeId to);
  LevelTerm unknown_level();
  LevelId rigid_level(const std::string& name);

  enum class Shape : unsigned char { Unknown, Rigid, Scalar, Pair, Pull, Push, Arrow, LevelArrow };
  struct Node {
    Shape shape = Shape::Unknown;
    Kind kind = Kind::Any;
    unsigned allowed = Every;  // of Unknown
    int depth = 0;             // of Unknown and Rigid
    ScalarType scalar = ScalarType::I32;
    std::uint32_t name = none;           // of Rigid: name_of
    TypeId first = none, second = none;  // element; from, to; to
    LevelTerm level{};                   // of Push; the bound one of LevelArrow
    TypeId is = none;                    // of Unknown: what it turned out to be
  };
  TypeId find(TypeId t) const;
  const Node& operator[](TypeId t) const { return nodes_[find(t)]; }
  LevelTerm find(LevelTerm l) const;
  const std::string& name_of(const Node& rigid) const { return names_[rigid.name]; }

  // Makes the two one; why they are not, where they cannot be.
  std::optional<std::string> unify(TypeId a, TypeId b);
  std::optional<std::string> unify(LevelTerm a, LevelTerm b);
  std::optional<std::string> constrain(TypeId t, Kind kind);
  std::optional<std::string> constrain(TypeId t, unsigned allowed);

  bool is_open(TypeId t) const;  // unknown, with no scalars that it has to be of, and deeper than this let
  bool is_open_level(LevelId l) const;
  bool is_rigid_level(LevelId l) const { return levels_[l].is_rigid; }
  TypeId instance(TypeId t, const Instance& of);
  // Each unknown and rigid within, once.
  void each_leaf(TypeId t, const std::function<void(TypeId)>& type, const std::function<void(LevelId)>& level) const;
  // As it is written, what is unknown by these names.
  struct Names {
    std::map<TypeId, std::string> types{};
    std::map<LevelId, std::string> levels{};
  };
  Type written(TypeId t, Names& names) const;
  std::string show(TypeId t) const;
  std::string show(LevelTerm l) const;
  // So many above Z that no machine has it; nothing where all is well.
  std::optional<LevelTerm> above_grid(TypeId t) const;

 private:
  struct LevelNode {
    bool is_rigid = false;
    std::string name{};
    int depth = 0;
    std::optional<LevelTerm> is{};
  };
  TypeId add(Node n);
  std::optional<std::string> bind(TypeId unknown, TypeId to);
  std::optional<std::string> bind(LevelId unknown, LevelTerm to);
  std::optional<std::string> lower(TypeId t, int depth, TypeId not_within);
  std::optional<std::string> lower(LevelTerm l, int depth);
  Level written(LevelTerm l, Names& names) const;

  std::vector<Node> nodes_;
  std::vector<LevelNode> levels_;
  std::vector<std::string> names_;  // of rigid types: a node is copied often
};

}  // namespace lockstep::fcl::inference
