// Binding arguments: a literal, a .npy file, a file for each leaf; a level by its name. What types leave open is what
// the values are.
#include "driver/languages/fcl/arguments.h"

#include "codegen/runtime/arrays.h"
#include "driver/npy_arguments.h"

namespace lockstep::driver {
namespace {

constexpr std::int64_t most_elements = 2147483647;  // an int counts them

class FclBinder {
 public:
  explicit FclBinder(const FclEntryPoint& entry) : entry_(entry) {
    for (const auto& p : entry.parameters) given_[p.name];
  }

  void word(const std::string& text) {
    const auto [name, value] = argument_word(text, seen_);
    const auto meant = meant_by(given_, name);
    if (!meant.given || (meant.leaf && *meant.leaf == "length")) {
      lengths_.push_back({name, value});
      return;
    }
    if (is_random(value)) {
      if (meant.leaf)
        fail(invalid, name + ": only a whole parameter can be random", "write " + meant.parameter + "=random");
      if (!parameter(name).type) fail(invalid, name + " is a level, and no level is random");
      meant.given->random = random_asked(name, value);
      return;
    }
    if (!meant.leaf)
      meant.given->whole = value;
    else
      meant.given->leaves[*meant.leaf] = value;
    if (meant.given->whole && !meant.given->leaves.empty())
      fail(invalid, meant.parameter + " is given as a whole and by its leaves");
  }

  FclArguments bound(bool whole) {
    if (whole) refuse_missing();
    for (const auto& p : entry_.parameters)
      if (p.type) note(p.name, *p.type);
    FclArguments out;
    out.lengths = lengths_;
    out.signature.result = fcl::closed(entry_.result, types_);
    for (const fcl::Scheme::Open& o : entry_.scheme->types)
      out.open[o.name] = fcl::closed(fcl::named_type(o.name), types_);
    for (const auto& p : entry_.parameters) {
      const Given& g = given_.at(p.name);
      if (!p.type) {
        out.levels[p.name] = g.whole ? std::optional(level(p.name, *g.whole)) : std::nullopt;
        continue;
      }
      const fcl::Type type = fcl::closed(*p.type, types_);
      out.signature.parameters.push_back({p.name, type});
      const bool some = g.whole || !g.leaves.empty();
      out.given.push_back(some ? std::optional(value(p.name, type, g)) : std::nullopt);
      out.random.push_back(g.random);
    }
    return out;
  }

 private:
  struct Given {
    std::optional<std::string> whole{};
    std::map<std::string, std::string> leaves{};  // by the number, as it is written
    std::optional<props::RandomAsked> random{};
  };

  const FclEntryPoint::Parameter& parameter(const std::string& name) const {
    for (const auto& p : entry_.parameters)
      if (p.name == name) return p;
    throw Bug("no parameter " + name);
  }

  void refuse_missing() const {
    std::string missing, first;
    for (const auto& p : entry_.parameters) {
      const Given& g = given_.at(p.name);
      if (g.whole || g.random || !g.leaves.empty()) continue;
      if (first.empty()) first = p.name + "=…";
      missing += "\n    " + p.name + " : " + (p.type ? fcl::show(*p.type) : "a level");
    }
    if (!missing.empty())
      fail(invalid, entry_.name + " needs more arguments:" + missing,
           "give each by name, as in " + first +
               ": a literal, a .npy file, random, or a level (thread, warp, block, grid)");
  }

  static fcl::Level level(const std::string& name, const std::string& text) {
    for (const fcl::Level& l : {fcl::thread_level, fcl::warp_level, fcl::block_level, fcl::grid_level})
      if (fcl::show(l) == text) return l;
    fail(invalid, name + "=" + text + ": this is no level", "it is thread, warp, block or grid");
  }

  static SourceRef source_of(const std::string& word, const std::string& text) {
    return std::make_shared<const Source>(Source{"argument " + word, text});
  }
  const NpyArray& array(const std::string& word, const std::string& path) {
    const auto found = files_.find(word);
    return found != files_.end() ? found->second : files_.emplace(word, read_array(word, path)).first->second;
  }

  // What a literal or a file says of what the type leaves open.
  void note(const std::string& name, const fcl::Type& type) {
    const Given& g = given_.at(name);
    if (g.whole && !is_npy(*g.whole)) {
      const auto wrong = fcl::note_types(source_of(name, *g.whole), type, types_);
      if (wrong) throw Failure{invalid, "", *wrong};
      return;
    }
    if (!g.whole) return;  // of leaves the type has to be known
    const NpyArray& a = array(name, *g.whole);
    const fcl::Type* t = &type;
    std::size_t rank = a.shape.size();
    for (; rank > 0 && fcl::as<fcl::PullType>(*t); --rank) t = fcl::as<fcl::PullType>(*t)->element.get();
    const auto* open = fcl::as<fcl::NamedType>(*t);
    if (!open) return;
    const bool is_double = is_float(a.type), is_bool = a.type == ScalarType::Bool;
    fcl::Type seen = is_bool ? fcl::bool_type : is_double ? fcl::double_type : fcl::int_type;
    for (; rank > 0; --rank) seen = fcl::pull(std::move(seen));
    types_.emplace(open->name, std::move(seen));
  }

  Leaves value(const std::string& name, const fcl::Type& type, const Given& g) {
    if (g.whole && !is_npy(*g.whole))
      return props::fcl::leaves_of(type, valid(fcl::parse_value(source_of(name, *g.whole), type)));
    const std::vector<props::fcl::LeafType> leaves = props::fcl::leaf_types(type);
    Leaves arrays(leaves.size());
    if (g.whole) {
      if (leaves.size() != 1)
        fail(invalid,
             name + " has the type " + fcl::show(type) + ": " + show_count(leaves.size(), "array") +
                 ", and one file is given",
             "give its leaves, left to right: " + name + ".0=….npy");
      arrays[0] = file(name, *g.whole, leaves[0]);
    }
    for (const auto& [digits, text] : g.leaves) {
      const std::size_t k = leaf_number(name, fcl::show(type), digits, leaves.size());
      const std::string word = name + "." + digits;
      if (!is_npy(text)) fail(machine, word + ": a leaf is a .npy file", "give the whole of " + name + " as a literal");
      arrays[k] = file(word, text, leaves[k]);
    }
    for (std::size_t k = 0; k < arrays.size(); ++k)
      if (!arrays[k].data) fail(invalid, entry_.name + " needs more arguments: " + name + "." + std::to_string(k));
    check_lengths(name, type, arrays);
    return arrays;
  }

  LeafArray file(const std::string& word, const std::string& path, const props::fcl::LeafType& leaf) {
    const NpyArray& a = array(word, path);
    const std::string wanted(fcl::show(fcl::Type{leaf.scalar}));
    if (a.type != leaf.scalar && !fits(a.type, leaf.scalar) &&
        !(a.type == ScalarType::I64 && leaf.scalar == ScalarType::I32))
      refuse_type(word, path, a, leaf.scalar, wanted);
    if (a.shape.size() != leaf.rank)
      fail(invalid, word + ": expected an array of " + show_count(leaf.rank, "dimension") + " of " + wanted + ", but " +
                        described(path, a));
    std::int64_t n = 1;
    for (const std::int64_t d : a.shape) n *= d;
    if (n > most_elements)
      fail(invalid, word + ": " + described(path, a) + ", and an int counts no more than 2147483647 elements");
    if (a.type == leaf.scalar) return {a.type, a.shape, a.hold, a.data};
    const auto bytes = static_cast<std::size_t>(n * bytes_of(leaf.scalar));
    const auto memory = std::make_shared<std::vector<std::uint64_t>>(bytes / 8 + 1);
    const LeafArray given{a.type, a.shape, a.hold, a.data};
    for (std::int64_t i = 0; i < n; ++i) {
      const Scalar s = scalar_at(given, i);
      Scalar as = s;
      if (leaf.scalar == ScalarType::F64)
        as = make_ieee(ScalarType::F64, is_float(s.type) ? s.ieee() : static_cast<double>(s.integer()));
      else
        as = make_integer(leaf.scalar, s.bits);
      if (leaf.scalar == ScalarType::I32 && as.integer() != s.integer())
        fail(invalid,
             word + ": element " + std::to_string(i) + " of " + path + " is " + std::to_string(s.integer()) +
                 ", which is no int",
             "an int has 32 bits");
      put_scalar(memory->data(), leaf.scalar, i, as);
    }
    const void* data = memory->data();
    return {leaf.scalar, a.shape, memory, data};
  }

  // Parts of an array of pairs are equally long.
  static void check_lengths(const std::string& name, const fcl::Type& type, const Leaves& leaves) {
    props::fcl::each_equal_length(type, [&](std::size_t first, std::size_t k, std::size_t d) {
      if (leaves[k].shape[d] != leaves[first].shape[d])
        fail(invalid,
             name + "." + std::to_string(first) + " has shape " + shape_text(leaves[first].shape) + " and " + name +
                 "." + std::to_string(k) + " shape " + shape_text(leaves[k].shape),
             "they are the parts of one array of pairs, equally long");
    });
  }

  const FclEntryPoint& entry_;
  std::map<std::string, Given> given_;
  std::map<std::string, NpyArray> files_;
  std::set<std::string> seen_;
  std::vector<ArgumentWord> lengths_;
  fcl::Bound types_;
};

}  // namespace

bool FclArguments::complete() const {
  return std::all_of(given.begin(), given.end(), [](const auto& g) { return g.has_value(); });
}

FclArguments bind_arguments(const FclEntryPoint& entry, const std::vector<std::string>& words, bool whole) {
  FclBinder binder(entry);
  for (const std::string& w : words) binder.word(w);
  return binder.bound(whole);
}

std::vector<Leaves> FclArguments::all_given() const {
  std::vector<Leaves> out;
  for (const auto& g : given) out.push_back(*g);
  return out;
}

void refuse_lengths(const FclEntryPoint& entry, const FclArguments& bound) {
  if (bound.lengths.empty()) return;
  std::vector<std::string> names;
  for (const auto& p : entry.parameters) names.push_back(p.name);
  refuse_unknown(entry.name, bound.lengths[0].name, names, "parameters");
}

}  // namespace lockstep::driver
