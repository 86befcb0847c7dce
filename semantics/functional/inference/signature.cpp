// Signatures, in the order in which they are written.
#include "semantics/functional/inference/signature.h"

#include "semantics/functional/inference/functions.h"

namespace lockstep::inference {
namespace {

class Reader {
 public:
  Reader(const surface::Definition& d, Work& w)
      : d_(d), w_(w), out_{{d.name, {}, {}, d.result.type, {}, {}, skip()}, {}, is_data(d.result.type), {}} {
    for (const surface::Parameter& p : d.parameters)
      if (p.type && p.name != "_") values_.emplace(p.name, p.type->type);
  }

  Signature read() {
    sizes();
    for (const surface::Parameter& p : d_.parameters) parameter(p);
    result();
    facts();
    launch();
    return std::move(out_);
  }

 private:
  void sizes() {
    for (const auto& [n, region] : d_.sizes) {
      out_.defined.implicit_sizes.push_back(n);
      size(n, region);
    }
    for (const surface::Parameter& p : d_.parameters)
      if (!p.type) size(p.name, p.region);
  }
  void size(const std::string& n, const Region& region) {
    add(n, region);
    scope_.insert(n);
    w_.bindings.declare(n, Size::name(n));
  }
  void parameter(const surface::Parameter& p) {
    Defined& defined = out_.defined;
    defined.parameters.push_back({p.name, p.type ? std::optional(p.type->type) : std::nullopt});
    if (!p.type) return;
    std::string n = p.name;
    if (n == "_")
      defined.parameters.back().name = n = w_.in.names.fresh("unused");
    else
      add(n, p.region);
    check_type(p.type->type, p.type->region);
    take(p.type->needs);
    std::set<std::string> sizes;
    collect_names(p.type->type, sizes, type_names_);
    out_.is_entry = out_.is_entry && is_data(p.type->type);
    w_.bindings.declare(p.name, Typed{ident(n, phrase_type(p.type->type)), p.type->type});
  }
  void result() {
    const surface::SourceType& result = d_.result;
    check_type(result.type, result.region);
    if (!is_data(result.type)) w_.report(result.region, "the result of " + d_.name + " is a function", "data");
    take(result.needs);
    std::set<std::string> sizes;
    const std::set<std::string> of_parameters = type_names_;
    collect_names(result.type, sizes, type_names_);
    for (const std::string& t : type_names_)
      if (!of_parameters.contains(t))
        w_.report(result.region, "the result's type '" + t + " is in no parameter",
                  "a type variable that a parameter determines");
    out_.defined.type_variables.assign(type_names_.begin(), type_names_.end());
    out_.is_entry = out_.is_entry && type_names_.empty();
  }
  void facts() {
    for (const surface::Fact& f : d_.facts) {
      check_size_names(f.fact.left, f.region, true);
      check_size_names(f.fact.right, f.region, true);
      take(f.needs);
      out_.defined.facts.push_back(f.fact);
      out_.facts = f.region;
      w_.context.assume(f.fact);
    }
  }

  void launch() {
    out_.defined.launch = d_.launch;
    if (!d_.launch_region.source) return;
    if (const auto why = wrong_launch(d_.launch)) w_.report(d_.launch_region, *why);
    if (!out_.is_entry)
      w_.report(d_.launch_region, d_.name + " is no entry point, and only these are launched",
                "a function whose parameters and result are data",
                "write it behind the head of the function that calls this one");
  }

  void add(const std::string& n, const Region& region) {
    if (n != "_" && !all_.insert(n).second)
      w_.report(region, "the name " + n + " stands twice in the signature of " + d_.name, "distinct names");
    w_.in.names.reserve(n);
  }
  void take(const std::vector<surface::SizeNeed>& more) {
    out_.needs.insert(out_.needs.end(), more.begin(), more.end());
  }

  void check_size_names(const Size& s, const Region& region, bool in_fact = false) {
    std::set<std::string> names;
    collect_names(s, names);
    for (const std::string& n : names) {
      if (scope_.contains(n) || !unknown_sizes_.insert(n).second) continue;
      const auto value = values_.find(n);
      if (value != values_.end()) {
        w_.report(region, n + " is a value here, of the type " + show(value->second), "a size: a number or a size name",
                  value_as_size(n, value->second, in_fact));
        continue;
      }
      const std::string near = nearest_name(n, {scope_.begin(), scope_.end()});
      w_.report(region, "unknown size " + n, "a number or a size in scope",
                near.empty() ? "list it as [" + n + "] after the function's name" : "did you mean " + near + "?");
    }
  }

  static std::string value_as_size(const std::string& n, const Type& t, bool in_fact) {
    const auto* s = as<ScalarType>(t);
    const bool whole = s && is_integer(*s);
    const std::string as_size = "take it as a size, which is known before the program runs: (" + n + " : nat)";
    const std::string of_values = "what depends on a value is decided in the body: if ... then ... else ...";
    if (in_fact) return whole ? as_size + "; " + of_values : of_values;
    return whole ? as_size : "list a size, of another name, in [ ] after the function's name";
  }

  void check_type(const Type& t, const Region& region) {
    match(
        t.node, [](ScalarType) {}, [&](const IndexType& x) { check_size_names(x.bound, region); },
        [&](const ArrayType& x) {
          check_size_names(x.length, region);
          std::optional<Size> elements = x.length;
          for (const auto* inner = as<ArrayType>(*x.element); inner && elements; inner = as<ArrayType>(*inner->element))
            elements = combined('*', *elements, inner->length);
          if (!elements) return w_.report(region, "this array has more than 2^63 elements", "less");
          check_type(*x.element, region);
          if (!is_data(*x.element)) w_.report(region, "an array of functions", "an array of data");
        },
        [&](const PairType& x) {
          check_type(*x.first, region), check_type(*x.second, region);
          if (!is_data(*x.first) || !is_data(*x.second)) w_.report(region, "a tuple of functions", "a tuple of data");
        },
        [&](const VectorType& x) {
          const auto w = x.width.constant();
          if (!w || !(*w == 2 || *w == 3 || *w == 4 || *w == 8 || *w == 16))
            w_.report(region, "a short vector of " + show(x.width) + " lanes", "2, 3, 4, 8 or 16 lanes");
        },
        [&](const FunctionType& x) { check_type(*x.from, region), check_type(*x.to, region); },
        [](const TypeVariable&) {});
  }

  const surface::Definition& d_;
  Work& w_;
  Signature out_;
  std::map<std::string, Type> values_;   // parameters that are no sizes
  std::set<std::string> unknown_sizes_;  // told already
  std::set<std::string> scope_, all_;    // sizes, and all that it binds
  std::set<std::string> type_names_;
};

}  // namespace

Signature signature_of(const surface::Definition& d, Work& w) { return Reader(d, w).read(); }

}  // namespace lockstep::inference
