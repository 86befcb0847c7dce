// What is known of a value that was never made (row_shapes.cpp), leaf by leaf. Private to row_shapes.cpp and known.cpp.
#pragma once
#include "semantics/l0/value.h"

namespace lockstep::l0::evaluating {

// The length of an array, shared by all that are as long: those that one operation goes over, whatever they are called
// and wherever that stands. Of several that are known it is the least.
class Length {
 public:
  Length(std::optional<std::int64_t> n = std::nullopt) : node_(std::make_shared<Node>(Node{n, nullptr})) {}
  std::optional<std::int64_t> get() const { return root()->n; }
  bool is(const Length& other) const { return root() == other.root(); }
  void becomes_one_with(const Length& other) const;

 private:
  struct Node {
    std::optional<std::int64_t> n;
    std::shared_ptr<Node> is;  // that it became one with
  };
  std::shared_ptr<Node> root() const;
  std::shared_ptr<Node> node_;
};

// Of a scalar perhaps which, of an array its lengths, or all of it.
struct Known {
  LeafType type;
  std::vector<Length> lengths{};
  std::optional<Value> value{};
};
using KnownValue = std::vector<Known>;
bool same_lengths(const Known& a, const Known& b);

KnownValue nothing_of(const Type& type);
KnownValue all_of(const Value& v, const Type& type);
KnownValue shapes_of(KnownValue v);                    // its shapes alone
KnownValue element_of_known(const KnownValue& array);  // of which only its shape is known
KnownValue array_of_known(const Length& n, const KnownValue& element);
Length common_length(const std::vector<KnownValue>& arrays);  // theirs from now on; one that is unknown of none
KnownValue either(KnownValue a, const KnownValue& b);         // what is the same of both
std::optional<Scalar> scalar_of(const KnownValue& v);
std::optional<std::int64_t> int_of(const KnownValue& v);

}  // namespace lockstep::l0::evaluating
