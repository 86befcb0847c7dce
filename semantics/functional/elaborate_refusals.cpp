// What is applied to what it does not fit: errors that say which other way was meant.
#include <algorithm>

#include "semantics/functional/advice.h"
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {

using namespace surface;

std::size_t dimensions_of(const Type& t) {
  std::size_t n = 0;
  for (const Type* at = &t; as<ArrayType>(*at); at = &*as<ArrayType>(*at)->element) ++n;
  return n;
}

// A number, a size's name, or arithmetic on them.
bool Elaborator::is_written_size(const Expr& e) const {
  if (const auto* l = std::get_if<Literal>(&e.node)) return !l->suffix && is_whole(l->digits);
  if (const auto* n = std::get_if<surface::Name>(&e.node)) {
    const auto it = std::find_if(scope_.rbegin(), scope_.rend(), [&](const Binding& b) { return b.name == n->name; });
    return it != scope_.rend() && std::holds_alternative<Size>(it->meaning);
  }
  const auto* outer = std::get_if<surface::Apply>(&e.node);
  const auto* inner = outer ? std::get_if<surface::Apply>(&outer->function->node) : nullptr;
  return inner && std::holds_alternative<Operator>(inner->function->node) && is_written_size(*inner->argument) &&
         is_written_size(*outer->argument);
}

// Not what inference made.
bool Elaborator::is_written_function(const Argument& a) {
  if (!a.expression || a.made) return false;
  const Expr& e = *a.expression;
  if (std::holds_alternative<surface::Apply>(e.node)) return arguments_missing(e) > 0;
  if (std::holds_alternative<Lambda>(e.node) || std::holds_alternative<Operator>(e.node)) return true;
  const auto* n = std::get_if<surface::Name>(&e.node);
  if (!n) return false;
  for (auto it = scope_.rbegin(); it != scope_.rend(); ++it)
    if (it->name == n->name) {
      const auto* t = std::get_if<Typed>(&it->meaning);
      return t && as<FunctionType>(unifier_.shallow(t->type));
    }
  if (const Defined* d = defined_.find(n->name)) return !d->parameters.empty();
  return calculus_.callable(n->name);
}

// reduce 0 (+) xs: a function stands where data is wanted, or a number where an array is. An error where there is an
// order that would do.
void Elaborator::refuse_other_order(const std::string& name, const std::vector<Argument>& arguments,
                                    const std::vector<std::optional<Type>>& parameters, const Region& region,
                                    const std::string& type) {
  std::vector<const Expr*> functions, data;
  for (const Argument& a : arguments) {
    if (!a.expression || a.made) return;
    (is_written_function(a) ? functions : data).push_back(a.expression);
  }
  std::vector<const Expr*> arrays, others;
  std::size_t functions_wanted = 0, arrays_wanted = 0;
  for (const auto& p : parameters) {
    functions_wanted += p && as<FunctionType>(*p);
    arrays_wanted += p && as<ArrayType>(*p);
  }
  if (functions.size() != functions_wanted) return;
  for (const Expr* e : data)
    (as<ArrayType>(unifier_.shallow(expression(*e, std::nullopt).type)) ? arrays : others).push_back(e);
  std::vector<const Expr*> ordered;
  for (const auto& p : parameters) {
    std::vector<const Expr*>& from = p && as<FunctionType>(*p)        ? functions
                                     : arrays.size() != arrays_wanted ? data
                                     : p && as<ArrayType>(*p)         ? arrays
                                                                      : others;
    const auto wanted =
        p ? from.begin() : std::find_if(from.begin(), from.end(), [&](const Expr* e) { return is_written_size(*e); });
    if (wanted == from.end()) return;
    ordered.push_back(*wanted);
    from.erase(wanted);
  }
  bool as_written = true;
  for (std::size_t k = 0; k < ordered.size(); ++k) as_written = as_written && ordered[k] == arguments[k].expression;
  if (as_written) return;
  const std::string instead = call_text(name, ordered);
  fail(region, "the arguments of " + name + " stand in another order", "arguments as in its type, " + type,
       instead.empty() ? "the function comes where the type has it" : "write " + instead);
}

// "the primitive map" where a name in scope, or a definition, hides one.
std::string Elaborator::hidden_by(const std::string& name) const {
  return calculus_.callable(name) ? "the primitive " + name : "";
}

// f xs[0] where f xs is no array: f (xs ! 0).
std::string Elaborator::indexed_inside(const std::string& name, std::size_t wanted,
                                       const std::vector<Argument>& arguments,
                                       const std::vector<const Expr*>& indices) {
  if (is_array(*arguments[wanted].applied) == true) return "";
  std::vector<const Expr*> others;
  for (std::size_t k = 0; k + 1 < wanted; ++k) others.push_back(arguments[k].expression);
  const Expr* indexed = arguments[wanted - 1].expression;
  if (!indexed || std::find(others.begin(), others.end(), nullptr) != others.end()) return "";
  const std::string call = call_text(name, others), element = index_text(*indexed, indices, indices.size());
  return call.empty() || element.empty() ? "" : call + " (" + element + ")";
}

// Where it has an error, nothing. What is found of it is taken back.
std::optional<bool> Elaborator::is_array(const Expr& e) {
  const std::size_t before = diagnostics_.size(), outer = depth(), misfits_before = misfits.size();
  try {
    return as<ArrayType>(unifier_.shallow(expression(e, std::nullopt).type)) != nullptr;
  } catch (const Failure&) {
    diagnostics_.erase(diagnostics_.begin() + static_cast<std::ptrdiff_t>(before), diagnostics_.end());
    misfits.resize(misfits_before);
    leave(outer);
    return {};
  }
}

// Of how many arguments the function is that comes first among the arguments of this one.
std::size_t Elaborator::function_parameters_first(const std::string& name) const {
  if (const Defined* d = defined_.find(name))
    return d->parameters.empty() || !d->parameters[0].type ? 0 : arity_of(*d->parameters[0].type);
  const Calculus::Entry* entry = calculus_.find(name);
  const auto* f = entry && entry->scheme.nats.empty() ? as<FunctionType>(entry->scheme.type) : nullptr;
  return f ? arity_of(*f->from) : 0;
}

void Elaborator::wrong_count(const std::string& name, std::size_t wanted, const std::vector<Argument>& arguments,
                             const Region& region, const std::string& type) {
  const bool is_operator = !name.empty() && !std::isalpha(static_cast<unsigned char>(name[0])) && name[0] != '_';
  const std::string noun = is_operator ? "operand" : "argument";
  const std::string message =
      name + " takes " + plural(wanted, noun) + ", " +
      (arguments.empty() ? "none is" : std::to_string(arguments.size()) + (arguments.size() == 1 ? " is" : " are")) +
      " given";
  std::string mend = type.empty() ? "" : "its type is " + type;
  const bool operated = infix_ && infix_->left.begin == region.begin && infix_->left.end == region.end;
  std::vector<const Expr*> as_written;
  for (const Argument& a : arguments) as_written.push_back(a.made ? nullptr : a.expression);
  const Expr* only = arguments.size() == 1 ? arguments[0].expression : nullptr;
  if (const auto* tuple = only ? std::get_if<Tuple>(&only->node) : nullptr;
      tuple && tuple->parts.size() == wanted && !is_operator) {
    std::vector<const Expr*> parts;
    for (const Expr& p : tuple->parts) parts.push_back(&p);
    const std::string instead = call_text(name, parts);
    mend = "arguments are separated by spaces" + (instead.empty() ? "" : ": " + instead);
  } else if (arguments.size() == 1 && arguments[0].made && wanted == 2 &&
             as<PairType>(unifier_.shallow(arguments[0].made->type))) {
    mend = "the argument is a pair, which a pattern takes apart: (\\(x, y) -> " +
           (is_operator ? "x " + name + " y)" : name + " x y)");
  } else if (const std::string instead = arguments.empty() && operated ? written(*infix_->right) : "";
             !instead.empty() && function_parameters_first(name) == 2) {
    mend = "an operator that is an argument stands in parentheses: " + name + " (" + infix_->symbol + ") " + instead;
  } else if (const std::string subtracted = operated && infix_->symbol == "-" ? written(*infix_->right) : "";
             !subtracted.empty() && arguments.size() + 1 == wanted) {
    const std::string text = region.source->text.substr(region.begin, region.end - region.begin);
    mend = "the - subtracts; a negative argument is written in parentheses: " + text + " (-" + subtracted + ")";
  } else if (arguments.size() > wanted && arguments[wanted].applied && wanted > 0 &&
             std::holds_alternative<ArrayLiteral>(arguments[wanted].expression->node)) {
    std::vector<const Expr*> indices;
    for (std::size_t k = wanted; k < arguments.size(); ++k)
      if (arguments[k].expression) indices.push_back(arguments[k].expression);
    const std::string of_argument = indexed_inside(name, wanted, arguments, indices);
    const std::string instead =
        of_argument.empty() ? index_text(*arguments[wanted].applied, indices, indices.size()) : of_argument;
    mend = "an element is taken by !, as in " + (instead.empty() ? "xs ! 0" : instead);
  } else if (const std::string instead = name == "map" ? zipped_map(as_written) : ""; !instead.empty()) {
    mend = "map takes one array: " + instead;
  }
  if (defined_.find(name) && !hidden_by(name).empty() && file && file->contains(name))
    mend += (mend.empty() ? "" : "; ") +
            ("it is the function of this file" + in_parentheses(file->at(name)->name_region)) + ", which hides " +
            hidden_by(name);
  fail(region, message, plural(wanted, noun), mend);
}

// The head of an application that is none.
void Elaborator::no_function(const Expr& head, const Typed& f, const std::vector<Argument>& arguments,
                             const Region& region) {
  const Type t = unifier_.deep(f.type);
  const std::string name = std::holds_alternative<surface::Name>(head.node) ? written(head) : "";
  const std::string hidden = hidden_by(name);
  const std::string other_name =
      hidden.empty() ? "" : "the local name " + name + " hides " + hidden + ": give it another name";
  if (Unifier::is_unknown(t) && is_literal(t))
    fail(head.region, "a number is applied to an argument", "a function", other_name);
  if (Unifier::is_unknown(t))
    fail(region, (name.empty() ? "this" : name) + " is applied to an argument, but nothing says that it is a function",
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
  fail(region, (name.empty() ? "this" : name) + " has the type " + readable(t) + " and is applied to an argument",
       "a function", mend);
}

// Operators work on scalars and short vectors.
void Elaborator::operator_on_array(const std::string& op, const std::vector<Argument>& arguments,
                                   std::vector<Type> types) {
  for (std::size_t k = types.size(); k < arguments.size(); ++k)
    types.push_back(arguments[k].made ? arguments[k].made->type
                                      : expression(*arguments[k].expression, std::nullopt).type);
  std::vector<const Expr*> operands;
  std::vector<std::size_t> dimensions;
  std::size_t wrong = types.size();
  for (std::size_t k = 0; k < types.size(); ++k) {
    const Type t = unifier_.shallow(types[k]);
    operands.push_back(arguments[k].made ? nullptr : arguments[k].expression);
    dimensions.push_back(dimensions_of(unifier_.deep(t)));
    if (wrong == types.size() && (as<ArrayType>(t) || as<PairType>(t))) wrong = k;
  }
  const bool array = as<ArrayType>(unifier_.shallow(types[wrong])) != nullptr;
  std::string mend = "take the tuple apart: let (x, y) = ... in ...";
  Type element = unifier_.deep(types[wrong]);
  while (const auto* a = as<ArrayType>(element)) element = Type(*a->element);
  if (array && as<PairType>(element)) {
    mend = "map takes the tuples apart, one after the other: map (\\(x, y) -> ...) xs";
  } else if (array) {
    const std::string instead = over_elements(op, operands, dimensions);
    mend = instead.empty() ? "map applies it to each element: map (\\x -> ...) xs" : "write " + instead;
  }
  fail(arguments[wrong].expression->region,
       "this operand of " + op + " has the type " + readable(unifier_.deep(types[wrong])), "a scalar or a short vector",
       mend);
}

}  // namespace lockstep::inference
