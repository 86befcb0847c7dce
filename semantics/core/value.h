// Values of the interpreters. Arrays are functions from {0, ..., n-1} (DPIA §5.1), stored or delayed.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/number.h"

namespace lockstep {

struct Value;
struct PairValue;
struct ArrayValue;
struct Trap;
using Lanes = std::vector<Scalar>;
using DelayedValue = std::function<Value()>;
using FunctionValue = std::function<Value(std::span<const Value>)>;

struct Value {
  std::variant<Scalar, std::shared_ptr<const PairValue>, std::shared_ptr<const ArrayValue>,
               std::shared_ptr<const Lanes>, std::shared_ptr<const FunctionValue>, std::shared_ptr<const DelayedValue>,
               std::shared_ptr<const Trap>>  // in the place of what an operation that trapped did not give
      node;
};
struct PairValue {
  Value first;
  Value second;
};
struct ArrayValue {
  std::int64_t length;
  std::vector<Value> items;               // stored, when at is empty
  std::function<Value(std::int64_t)> at;  // delayed
};

Value scalar_value(Scalar s);
Value pair_value(Value a, Value b);
Value array_value(std::vector<Value> items);
Value delayed_array(std::int64_t length, std::function<Value(std::int64_t)> at);
Value lanes_value(Lanes lanes);
Value function_value(FunctionValue f);
Value delayed_value(DelayedValue d);
Value trapped_value(Trap t);

Value force(const Value& v);  // to weak head: no DelayedValue at the top; throws the TrapSignal of a Trap
const Scalar& as_scalar(const Value& forced);
Value first_of(const Value& v);
Value second_of(const Value& v);
std::int64_t length_of(const Value& v);
Value element_of(const Value& v, std::int64_t i);
const Lanes& as_lanes(const Value& forced);
Value call(const Value& function, std::span<const Value> arguments);
Value stored(const Value& v);  // every delay forced, arrays stored, to the leaves; a Trap inside stays

// The literal that the command line reads back (languages.md §4), on one line.
std::string show(const Value& v, const Domain& domain);

}  // namespace lockstep
