// Binding arguments. In: words. Out: sizes, and the leaves of every parameter. Files are mapped, not read.
#include "driver/languages/dpia/arguments.h"

#include "driver/languages/dpia/literal.h"
#include "driver/npy_arguments.h"
#include "props/dpia/generate.h"
#include "props/dpia/inputs.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep::driver {

namespace {

// A leaf as given; a dimension that an empty list hides is nothing.
struct GivenLeaf {
  std::string text;  // the value's word
  LeafArray array;   // its shape is set once every dimension is known
  std::vector<std::optional<std::int64_t>> dims;
};
struct GivenParameter {
  std::vector<std::optional<GivenLeaf>> leaves;
  std::optional<props::RandomAsked> random;
};

std::string leaf_type(const Leaf& leaf) {
  std::string out;
  for (const Size& d : leaf.dims) out += "[" + lockstep::show(d) + "]";
  out += lockstep::show(leaf.scalar);
  return leaf.width > 1 ? out + "<" + std::to_string(leaf.width) + ">" : out;
}

class Binder {
 public:
  Binder(const PhraseProgram& program, const ArgumentOptions& options) : program_(program), options_(options) {
    for (const auto& [name, type] : program.parameters) given_[name].leaves.resize(leaves_of(type).size());
  }

  void word(const std::string& text) {
    const auto [name, value] = argument_word(text, seen_);
    if (std::find(program_.sizes.begin(), program_.sizes.end(), name) != program_.sizes.end()) return size(name, value);
    const auto meant = meant_by(given_, name);
    if (!meant.given) unknown(name);
    meant.leaf ? leaf(name, meant.parameter, *meant.leaf, value) : parameter(name, *meant.given, value);
  }

  SizeValues sizes() const { return sizes_; }

  // What is given; indexes have to be, together with their bounds.
  props::SizesAsked asked() {
    refuse_missing();
    complete_shapes();
    auto solved = solve_sizes(program_, sizes_, shapes(), OpenSizes::Left);
    if (!solved) fail(invalid, solved.error() + given_shapes());
    sizes_ = std::move(solved->values);
    props::SizesAsked out{sizes_, {}, {}};
    for (const auto& [name, type] : program_.parameters) {
      const GivenParameter& p = given_.at(name);
      out.inputs.push_back(p.random ? props::Given{{}, *p.random} : props::Given{given_leaves(name, type), {}});
    }
    return out;
  }

  Arguments arguments() {
    refuse_missing();
    complete_shapes();
    solve();
    Arguments out{sizes_, {}};
    for (const auto& [name, type] : program_.parameters) out.values.push_back(value(name, type));
    return out;
  }

 private:
  const Type& type_of(const std::string& name) const {
    for (const auto& [n, t] : program_.parameters)
      if (n == name) return t;
    throw Bug("no parameter " + name);
  }

  void size(const std::string& name, const std::string& value) {
    const auto n = parse_natural(value);
    if (!n) fail(invalid, name + ": " + n.error());
    sizes_[name] = *n;
  }

  [[noreturn]] void unknown(const std::string& name) const {
    std::vector<std::string> names = program_.sizes;
    for (const auto& [n, t] : program_.parameters) names.push_back(n);
    refuse_unknown(program_.name, name, names, "parameters and sizes");
  }

  void parameter(const std::string& name, GivenParameter& p, const std::string& value) {
    for (const auto& leaf : p.leaves)
      if (leaf) fail(invalid, name + " is given as a whole and by its leaves");
    if (is_random(value)) {
      p.random = random_asked(name, value);
      if (const auto wants = props::refused(p.random->kind, type_of(name)))
        refuse_kind(name, lockstep::show(type_of(name)), p.random->kind, *wants);
      return;
    }
    if (!is_npy(value)) return literal(name, type_of(name), value, p.leaves, 0);
    if (p.leaves.size() == 1) return file(name, name, 0, value);
    std::string words;
    for (std::size_t k = 0; k < p.leaves.size(); ++k)
      words += (k ? " " : "") + name + "." + std::to_string(k) + "=....npy";
    fail(invalid,
         name + " has the type " + lockstep::show(type_of(name)) + ": " + std::to_string(p.leaves.size()) +
             " arrays, and one file is given",
         "give its leaves, left to right: " + words);
  }

  void leaf(const std::string& whole, const std::string& name, const std::string& digits, const std::string& value) {
    GivenParameter& p = given_.at(name);
    const std::size_t k = leaf_number(name, lockstep::show(type_of(name)), digits, p.leaves.size());
    if (p.leaves[k]) fail(invalid, name + " is given as a whole and by its leaves");
    if (p.random || is_random(value))
      fail(invalid, whole + ": only a whole parameter can be random", "write " + name + "=random");
    if (is_npy(value)) return file(whole, name, k, value);
    const Leaf leaf = leaves_of(type_of(name))[k];
    Type t = scalar(leaf.scalar);
    if (leaf.width > 1) t = vector_type(t, leaf.width);
    for (std::size_t d = leaf.dims.size(); d-- > 0;) t = array(leaf.dims[d], t);
    literal(whole, t, value, p.leaves, k);
  }

  static void literal(const std::string& name, const Type& type, const std::string& value,
                      std::vector<std::optional<GivenLeaf>>& into, std::size_t first) {
    const auto parsed = parse_literal(value);
    if (!parsed)
      fail(invalid, name + "=" + shortened(value, 60) + ": " + parsed.error(),
           "expected a .npy file, random, or a literal of type " + lockstep::show(type));
    auto fitted = fit_literal(*parsed, type);
    if (!fitted)
      fail(invalid, name + "=" + shortened(value, 60) + ": " + fitted.error(),
           name + " has the type " + lockstep::show(type));
    const std::vector<Leaf> leaves = leaves_of(type);
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const auto& scalars = fitted->scalars[k];
      const auto bytes = static_cast<std::size_t>(bytes_of(leaves[k].scalar));
      auto memory = std::make_shared<std::vector<std::uint64_t>>((scalars.size() * bytes) / 8 + 1);
      for (std::size_t i = 0; i < scalars.size(); ++i)
        put_scalar(memory->data(), leaves[k].scalar, static_cast<std::int64_t>(i), scalars[i]);
      const void* data = memory->data();
      into[first + k] =
          GivenLeaf{shortened(value, 40), {leaves[k].scalar, {}, std::move(memory), data}, std::move(fitted->dims[k])};
    }
  }

  void file(const std::string& word, const std::string& name, std::size_t k, const std::string& path) {
    const Leaf leaf = leaves_of(type_of(name))[k];
    const NpyArray npy = read_array(word, path);
    const std::string has = described(path, npy);
    if (npy.type != leaf.scalar)
      fail(invalid, word + ": expected " + leaf_type(leaf) + ", but " + has, how_to_convert(leaf.scalar));
    std::vector<std::int64_t> dims = npy.shape;
    if (leaf.width > 1) {
      if (dims.empty() || dims.back() != leaf.width)
        fail(invalid, word + ": expected " + leaf_type(leaf) + ", whose last dimension is the " +
                          std::to_string(leaf.width) + " lanes, but " + has);
      dims.pop_back();
    }
    if (dims.size() != leaf.dims.size())
      fail(invalid, word + ": expected " + leaf_type(leaf) + ", an array of " +
                        show_count(leaf.dims.size(), "dimension") + ", but " + has);
    given_.at(name).leaves[k] = GivenLeaf{path, {npy.type, npy.shape, npy.hold, npy.data}, {dims.begin(), dims.end()}};
  }

  // All that is missing at once.
  void refuse_missing() {
    std::string missing;
    const auto note = [&](const std::string& what) { missing += "\n    " + what; };
    for (std::size_t k = program_.sizes.size() - program_.explicit_sizes; k < program_.sizes.size(); ++k)
      if (!sizes_.contains(program_.sizes[k]) && !options_.fill) note(program_.sizes[k] + " : nat");
    for (const auto& [name, type] : program_.parameters) {
      GivenParameter& p = given_.at(name);
      const auto count = std::count_if(p.leaves.begin(), p.leaves.end(), [](const auto& l) { return l.has_value(); });
      if (p.random || count == static_cast<std::ptrdiff_t>(p.leaves.size())) continue;
      if (count == 0 && options_.fill) {
        p.random = props::RandomAsked{};
        continue;
      }
      if (count == 0)
        note(name + " : " + lockstep::show(type));
      else
        for (std::size_t k = 0; k < p.leaves.size(); ++k)
          if (!p.leaves[k]) note(name + "." + std::to_string(k) + " : " + leaf_type(leaves_of(type)[k]));
    }
    if (!missing.empty())
      fail(invalid, program_.name + " needs more arguments:" + missing,
           "give each by name: a .npy file, a literal, or random where its sizes are known");
  }

  // Dimensions inside an empty list: what the other arguments say of them, or 0.
  void complete_shapes() {
    SizeValues known = sizes_;
    const auto each = [&](const auto& f) {
      for (const auto& [name, type] : program_.parameters) {
        const std::vector<Leaf> leaves = leaves_of(type);
        for (std::size_t k = 0; k < leaves.size(); ++k)
          if (auto& g = given_.at(name).leaves[k])
            for (std::size_t d = 0; d < leaves[k].dims.size(); ++d) f(leaves[k].dims[d], g->dims[d]);
      }
    };
    each([&](const Size& s, const std::optional<std::int64_t>& d) {
      if (const auto name = s.as_name(); name && d) known.emplace(*name, *d);
    });
    each([&](const Size& s, std::optional<std::int64_t>& d) {
      if (!d) d = std::max<std::int64_t>(0, evaluate(s, known).value_or(0));
    });
    for (const auto& [name, type] : program_.parameters) {
      const std::vector<Leaf> leaves = leaves_of(type);
      for (std::size_t k = 0; k < leaves.size(); ++k)
        if (auto& g = given_.at(name).leaves[k]) {
          g->array.shape.clear();
          for (const auto& d : g->dims) g->array.shape.push_back(*d);
          if (leaves[k].width > 1) g->array.shape.push_back(leaves[k].width);
        }
    }
  }

  using Shapes = std::map<std::string, std::vector<std::vector<std::int64_t>>>;
  Shapes shapes() const {
    Shapes out;
    for (const auto& [name, p] : given_) {
      if (p.random) continue;
      for (const auto& leaf : p.leaves) {
        std::vector<std::int64_t> dims;
        for (const auto& d : leaf->dims) dims.push_back(*d);
        out[name].push_back(std::move(dims));
      }
    }
    return out;
  }

  void solve() {
    if (options_.fill && options_.choose) choose(shapes());
    auto solved = solve_sizes(program_, sizes_, shapes());
    if (!solved) fail(invalid, solved.error() + given_shapes());
    sizes_ = std::move(solved->values);
  }

  // What is not determined is chosen; what the arrays say is found by trying.
  void choose(const Shapes& shapes) {
    SizeValues known = sizes_;
    for (const auto& [name, type] : program_.parameters) {
      const auto it = shapes.find(name);
      if (it == shapes.end()) continue;
      const std::vector<Leaf> leaves = leaves_of(type);
      for (std::size_t k = 0; k < leaves.size(); ++k)
        for (std::size_t d = 0; d < leaves[k].dims.size(); ++d)
          if (const auto n = leaves[k].dims[d].as_name()) known.emplace(*n, it->second[k][d]);
    }
    if (solve_sizes(program_, known, shapes)) {
      sizes_ = known;
      return;
    }
    for (const auto& [name, n] : options_.choose(known)) sizes_.emplace(name, n);
  }

  std::string given_shapes() const {
    std::string out;
    for (const auto& [name, type] : program_.parameters) {
      const std::vector<Leaf> leaves = leaves_of(type);
      const GivenParameter& p = given_.at(name);
      for (std::size_t k = 0; k < leaves.size(); ++k)
        if (p.leaves[k] && !leaves[k].dims.empty())
          out += "\n    " + name + (leaves.size() > 1 ? "." + std::to_string(k) : "") + " : " + leaf_type(leaves[k]) +
                 ", given " + p.leaves[k]->text + " of shape " + shape_text(p.leaves[k]->array.shape);
    }
    return out;
  }

  Leaves value(const std::string& name, const Type& type) {
    GivenParameter& p = given_.at(name);
    if (p.random) {
      auto leaves = props::random_leaves(type, sizes_, p.random->seed.value_or(hash_of(name)),
                                         options_.indexes_inside ? props::Integers::Inside : props::Integers::Small, 0,
                                         p.random->kind);
      if (!leaves)
        fail(leaves.error().starts_with("there is no value") ? invalid : machine, name + ": " + leaves.error());
      return std::move(*leaves);
    }
    return given_leaves(name, type);
  }

  Leaves given_leaves(const std::string& name, const Type& type) {
    GivenParameter& p = given_.at(name);
    const auto bounds = props::index_bounds(type);
    Leaves out;
    for (std::size_t k = 0; k < p.leaves.size(); ++k) {
      if (bounds[k]) check_indexes(name, p.leaves[k]->array, *bounds[k]);
      out.push_back(std::move(p.leaves[k]->array));
    }
    return out;
  }

  // An idx(n) is used without a check, so it is checked where it enters.
  void check_indexes(const std::string& name, const LeafArray& leaf, const Size& bound) const {
    const auto top = evaluate(bound, sizes_);
    if (!top)
      fail(invalid,
           name + " holds indexes of idx(" + lockstep::show(bound) + "), and nothing that is given says what " +
               lockstep::show(bound) + " is",
           "give that size too, or the array that it is the length of");
    for (std::int64_t i = 0, n = count_of(leaf); i < n; ++i)
      if (const std::int64_t x = scalar_at(leaf, i).integer(); x < 0 || x >= *top)
        fail(invalid, name + " holds " + std::to_string(x) + ", which is no idx(" + lockstep::show(bound) +
                          "): that is below " + std::to_string(*top));
  }

  const PhraseProgram& program_;
  const ArgumentOptions& options_;
  std::map<std::string, GivenParameter> given_;
  std::set<std::string> seen_;
  SizeValues sizes_;
};

}  // namespace

Arguments bind_arguments(const PhraseProgram& program, const std::vector<std::string>& words,
                         const ArgumentOptions& options) {
  Binder binder(program, options);
  for (const std::string& w : words) binder.word(w);
  return binder.arguments();
}

props::SizesAsked bind_asked(const PhraseProgram& program, const std::vector<std::string>& words) {
  const ArgumentOptions what_is_left_out_is_random{true};
  Binder binder(program, what_is_left_out_is_random);
  for (const std::string& w : words) binder.word(w);
  return binder.asked();
}

SizeValues bind_sizes(const PhraseProgram& program, const std::vector<std::string>& words) {
  Binder binder(program, {});
  for (const std::string& w : words) {
    const std::string given = w.substr(0, w.find('='));
    const bool size = std::find(program.sizes.begin(), program.sizes.end(), given) != program.sizes.end();
    binder.word(w);  // says what is unknown
    if (!size)
      fail(invalid, given + " is no size: this command takes sizes only",
           "its inputs, where it has any, are random; 'lockstep run' takes values");
  }
  return binder.sizes();
}

}  // namespace lockstep::driver
