// What is applied to what it does not fit: errors that say which other way was meant.
#include "semantics/functional/inference/refusals.h"

#include <algorithm>

#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/functions.h"
#include "semantics/functional/inference/sizes.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::inference {

using namespace surface;

std::size_t dimensions_of(const Type& t) {
  std::size_t n = 0;
  for (const Type* at = &t; as<ArrayType>(*at); at = &*as<ArrayType>(*at)->element) ++n;
  return n;
}

// Not what inference made.
bool is_written_function(const Work& w, const Argument& a) {
  if (!a.expression || a.made) return false;
  const Expr& e = *a.expression;
  if (std::holds_alternative<surface::Apply>(e.node)) return arguments_missing(w, e) > 0;
  if (std::holds_alternative<Lambda>(e.node) || std::holds_alternative<Operator>(e.node)) return true;
  const auto* n = std::get_if<surface::Name>(&e.node);
  if (!n) return false;
  if (const Binding* b = w.bindings.find(n->name)) {
    const auto* t = std::get_if<Typed>(&b->meaning);
    return t && as<FunctionType>(w.types().shallow(t->type));
  }
  if (const Defined* d = w.in.defined.find(n->name)) return !d->parameters.empty();
  return w.in.calculus.callable(n->name);
}

// reduce 0 (+) xs: a function stands where data is wanted, or a number where an array is. An error where there is an
// order that would do.
void refuse_other_order(Work& w, const Applied& to, const std::vector<Argument>& arguments,
                        const std::vector<std::optional<Type>>& parameters) {
  std::vector<const Expr*> functions, data;
  for (const Argument& a : arguments) {
    if (!a.expression || a.made) return;
    (is_written_function(w, a) ? functions : data).push_back(a.expression);
  }
  std::vector<const Expr*> arrays, others;
  std::size_t functions_wanted = 0, arrays_wanted = 0;
  for (const auto& p : parameters) {
    functions_wanted += p && as<FunctionType>(*p);
    arrays_wanted += p && as<ArrayType>(*p);
  }
  if (functions.size() != functions_wanted) return;
  for (const Expr* e : data)
    (as<ArrayType>(w.types().shallow(expression(w, *e, std::nullopt).type)) ? arrays : others).push_back(e);
  std::vector<const Expr*> ordered;
  for (const auto& p : parameters) {
    std::vector<const Expr*>& from = p && as<FunctionType>(*p)        ? functions
                                     : arrays.size() != arrays_wanted ? data
                                     : p && as<ArrayType>(*p)         ? arrays
                                                                      : others;
    const auto wanted =
        p ? from.begin()
          : std::find_if(from.begin(), from.end(), [&](const Expr* e) { return is_written_size(w, *e); });
    if (wanted == from.end()) return;
    ordered.push_back(*wanted);
    from.erase(wanted);
  }
  bool as_written = true;
  for (std::size_t k = 0; k < ordered.size(); ++k) as_written = as_written && ordered[k] == arguments[k].expression;
  if (as_written) return;
  const std::string instead = call_text(to.name, ordered);
  w.fail(to.region, "the arguments of " + to.name + " stand in another order", "arguments as in its type, " + to.type,
         instead.empty() ? "the function comes where the type has it" : "write " + instead);
}

namespace {

// "the primitive map" where a name in scope, or a definition, hides one.
std::string hidden_by(const Work& w, const std::string& name) {
  return w.in.calculus.callable(name) ? "the primitive " + name : "";
}

// f xs[0] where f xs is no array: f (xs ! 0).
std::string indexed_inside(Work& w, const std::string& name, std::size_t wanted, const std::vector<Argument>& arguments,
                           const std::vector<const Expr*>& indices) {
  if (is_array(w, *arguments[wanted].applied) == true) return "";
  std::vector<const Expr*> others;
  for (std::size_t k = 0; k + 1 < wanted; ++k) others.push_back(arguments[k].expression);
  const Expr* indexed = arguments[wanted - 1].expression;
  if (!indexed || std::find(others.begin(), others.end(), nullptr) != others.end()) return "";
  const std::string call = call_text(name, others), element = index_text(*indexed, indices, indices.size());
  return call.empty() || element.empty() ? "" : call + " (" + element + ")";
}

// Of how many arguments the function is that comes first among the arguments of this one.
std::size_t function_parameters_first(const Work& w, const std::string& name) {
  if (const Defined* d = w.in.defined.find(name))
    return d->parameters.empty() || !d->parameters[0].type ? 0 : arity_of(*d->parameters[0].type);
  const Calculus::Entry* entry = w.in.calculus.find(name);
  const auto* f = entry && entry->scheme.nats.empty() ? as<FunctionType>(entry->scheme.type) : nullptr;
  return f ? arity_of(*f->from) : 0;
}

}  // namespace

// Where it has an error, nothing. What is found of it is taken back.
std::optional<bool> is_array(Work& w, const Expr& e) {
  const std::size_t before = w.errors.size(), outer = w.bindings.depth(), misfits_before = w.orders.misfits.size();
  try {
    return as<ArrayType>(w.types().shallow(expression(w, e, std::nullopt).type)) != nullptr;
  } catch (const Failure&) {
    w.errors.erase(w.errors.begin() + static_cast<std::ptrdiff_t>(before), w.errors.end());
    w.orders.misfits.resize(misfits_before);
    w.bindings.leave(outer);
    return {};
  }
}

namespace {

// Where a function is given too few arguments, or too many: what is to be written instead, if that is seen.
class Count {
 public:
  Count(Work& w, const Applied& to, std::size_t wanted, const std::vector<Argument>& arguments)
      : w_(w), to_(to), wanted_(wanted), arguments_(arguments) {}

  bool is_operator() const {
    return !to_.name.empty() && !std::isalpha(static_cast<unsigned char>(to_.name[0])) && to_.name[0] != '_';
  }
  std::string mend() const {
    for (const auto& advice : {&Count::tuple, &Count::pair_made, &Count::operator_as_argument, &Count::subtracted,
                               &Count::indexed, &Count::zipped})
      if (std::string text = (this->*advice)(); !text.empty()) return text;
    return to_.type.empty() ? "" : "its type is " + to_.type;
  }

 private:
  std::string tuple() const {
    const Expr* only = arguments_.size() == 1 ? arguments_[0].expression : nullptr;
    const auto* tuple = only ? std::get_if<Tuple>(&only->node) : nullptr;
    if (!tuple || tuple->parts.size() != wanted_ || is_operator()) return "";
    std::vector<const Expr*> parts;
    for (const Expr& p : tuple->parts) parts.push_back(&p);
    const std::string instead = call_text(to_.name, parts);
    return "arguments are separated by spaces" + (instead.empty() ? "" : ": " + instead);
  }
  std::string pair_made() const {
    if (arguments_.size() != 1 || !arguments_[0].made || wanted_ != 2 ||
        !as<PairType>(w_.types().shallow(arguments_[0].made->type)))
      return "";
    return "the argument is a pair, which a pattern takes apart: (\\(x, y) -> " +
           (is_operator() ? "x " + to_.name + " y)" : to_.name + " x y)");
  }
  // Of the operator that stands behind this.
  bool operated() const {
    return w_.infix && w_.infix->left.begin == to_.region.begin && w_.infix->left.end == to_.region.end;
  }
  std::string operator_as_argument() const {
    const std::string right = arguments_.empty() && operated() ? written(*w_.infix->right) : "";
    if (right.empty() || function_parameters_first(w_, to_.name) != 2) return "";
    return "an operator that is an argument stands in parentheses: " + to_.name + " (" + w_.infix->symbol + ") " +
           right;
  }
  std::string subtracted() const {
    const std::string right = operated() && w_.infix->symbol == "-" ? written(*w_.infix->right) : "";
    if (right.empty() || arguments_.size() + 1 != wanted_) return "";
    const std::string text = to_.region.source->text.substr(to_.region.begin, to_.region.end - to_.region.begin);
    return "the - subtracts; a negative argument is written in parentheses: " + text + " (-" + right + ")";
  }
  std::string indexed() const {
    if (arguments_.size() <= wanted_ || !arguments_[wanted_].applied || wanted_ == 0 ||
        !std::holds_alternative<ArrayLiteral>(arguments_[wanted_].expression->node))
      return "";
    std::vector<const Expr*> indices;
    for (std::size_t k = wanted_; k < arguments_.size(); ++k)
      if (arguments_[k].expression) indices.push_back(arguments_[k].expression);
    const std::string of_argument = indexed_inside(w_, to_.name, wanted_, arguments_, indices);
    const std::string instead =
        of_argument.empty() ? index_text(*arguments_[wanted_].applied, indices, indices.size()) : of_argument;
    return "an element is taken by !, as in " + (instead.empty() ? "xs ! 0" : instead);
  }
  std::string zipped() const {
    std::vector<const Expr*> as_written;
    for (const Argument& a : arguments_) as_written.push_back(a.made ? nullptr : a.expression);
    const std::string instead = to_.name == "map" ? zipped_map(as_written) : "";
    return instead.empty() ? "" : "map takes one array: " + instead;
  }

  Work& w_;
  const Applied& to_;
  std::size_t wanted_;
  const std::vector<Argument>& arguments_;
};

}  // namespace

void wrong_count(Work& w, const Applied& to, std::size_t wanted, const std::vector<Argument>& arguments) {
  const Count count(w, to, wanted, arguments);
  const std::string noun = count.is_operator() ? "operand" : "argument";
  const std::string message =
      to.name + " takes " + plural(wanted, noun) + ", " +
      (arguments.empty() ? "none is" : std::to_string(arguments.size()) + (arguments.size() == 1 ? " is" : " are")) +
      " given";
  std::string mend = count.mend();
  if (w.in.defined.find(to.name) && !hidden_by(w, to.name).empty() && w.in.file && w.in.file->contains(to.name))
    mend += (mend.empty() ? "" : "; ") +
            ("it is the function of this file" + in_parentheses(w.in.file->at(to.name)->name_region)) +
            ", which hides " + hidden_by(w, to.name);
  w.fail(to.region, message, plural(wanted, noun), mend);
}

// The head of an application that is none.
void no_function(Work& w, const Expr& head, const Typed& f, const std::vector<Argument>& arguments,
                 const Region& region) {
  const Type t = w.types().deep(f.type);
  const std::string name = std::holds_alternative<surface::Name>(head.node) ? written(head) : "";
  const std::string hidden = hidden_by(w, name);
  const std::string other_name =
      hidden.empty() ? "" : "the local name " + name + " hides " + hidden + ": give it another name";
  if (Unifier::is_unknown(t) && is_literal(w.types(), t))
    w.fail(head.region, "a number is applied to an argument", "a function", other_name);
  if (Unifier::is_unknown(t))
    w.fail(region,
           (name.empty() ? "this" : name) + " is applied to an argument, but nothing says that it is a function",
           "a function",
           "a local function takes data only; written with `fun` its parameter has a type, as in (" +
               (name.empty() ? "f" : name) + " : f32 -> f32)");
  std::vector<const Expr*> indices;
  for (const Argument& a : arguments)
    if (a.expression) indices.push_back(a.expression);
  std::string mend = other_name;
  if (mend.empty() && as<ArrayType>(t)) {
    const std::string instead = index_text(head, indices, dimensions_of(t));
    mend = "an element is taken by !, as in " + (instead.empty() ? "xs ! i" : instead);
  }
  w.fail(region, (name.empty() ? "this" : name) + " has the type " + readable(t) + " and is applied to an argument",
         "a function", mend);
}

// Operators work on scalars and short vectors.
void operator_on_array(Work& w, const std::string& op, const std::vector<Argument>& arguments,
                       std::vector<Type> types) {
  for (std::size_t k = types.size(); k < arguments.size(); ++k)
    types.push_back(arguments[k].made ? arguments[k].made->type
                                      : expression(w, *arguments[k].expression, std::nullopt).type);
  std::vector<const Expr*> operands;
  std::vector<std::size_t> dimensions;
  std::size_t wrong = types.size();
  for (std::size_t k = 0; k < types.size(); ++k) {
    const Type t = w.types().shallow(types[k]);
    operands.push_back(arguments[k].made ? nullptr : arguments[k].expression);
    dimensions.push_back(dimensions_of(w.types().deep(t)));
    if (wrong == types.size() && (as<ArrayType>(t) || as<PairType>(t))) wrong = k;
  }
  const bool array = as<ArrayType>(w.types().shallow(types[wrong])) != nullptr;
  std::string mend = "take the tuple apart: let (x, y) = ... in ...";
  Type element = w.types().deep(types[wrong]);
  while (const auto* a = as<ArrayType>(element)) element = Type(*a->element);
  if (array && as<PairType>(element)) {
    mend = "map takes the tuples apart, one after the other: map (\\(x, y) -> ...) xs";
  } else if (array) {
    const std::string instead = over_elements(op, operands, dimensions);
    mend = instead.empty() ? "map applies it to each element: map (\\x -> ...) xs" : "write " + instead;
  }
  w.fail(arguments[wrong].expression->region,
         "this operand of " + op + " has the type " + readable(w.types().deep(types[wrong])),
         "a scalar or a short vector", mend);
}

}  // namespace lockstep::inference
