// Binding arguments: a literal, a text as it stands, a .npy file, or a file for each leaf.
#include "driver/languages/l0/arguments.h"

#include "driver/npy_arguments.h"
#include "semantics/l0/parse.h"

namespace lockstep::driver {
namespace {

using l0::LeafType;
using l0::Type;
using l0::Value;

bool is_text(const Type& type) {
  const Type* element = l0::element_of(type);
  return element && l0::is(*element, ScalarType::U8);
}

class L0Binder {
 public:
  explicit L0Binder(const l0::Function& f) : function_(f) {
    for (const l0::Parameter& p : f.parameters) given_[p.name];
  }

  void word(const std::string& text) {
    const auto [name, value] = argument_word(text, seen_);
    const auto meant = meant_by(given_, name);
    if (!meant.given) return others_.push_back({name, value});
    const bool random = is_random(value) && !is_text(type_of(meant.parameter));
    if (random && meant.leaf)
      fail(invalid, name + ": only a whole parameter can be random", "write " + meant.parameter + "=random");
    if (meant.leaf) return leaf(meant.parameter, *meant.given, *meant.leaf, value);
    if (random) {
      meant.given->random = random_asked(name, value);
      return;
    }
    if (!meant.given->leaves.empty()) fail(invalid, name + " is given as a whole and by its leaves");
    meant.given->whole = value;
  }

  // `whole`: nothing is missing.
  L0Arguments bound(bool whole) const {
    refuse_missing(!whole);
    L0Arguments out;
    for (const l0::Parameter& p : function_.parameters) {
      const Given& g = given_.at(p.name);
      const bool some = g.whole || !g.leaves.empty();
      out.values.push_back(some ? std::optional(value(p.name, p.type, g)) : std::nullopt);
      out.random.push_back(g.random);
    }
    out.sizes = others_;
    return out;
  }

 private:
  struct Given {
    std::optional<std::string> whole{};
    std::map<std::size_t, std::string> leaves{};
    std::optional<props::RandomAsked> random{};
  };

  const Type& type_of(const std::string& name) const {
    for (const l0::Parameter& p : function_.parameters)
      if (p.name == name) return p.type;
    throw Bug("no parameter " + name);
  }

  void leaf(const std::string& name, Given& g, const std::string& digits, const std::string& value) {
    const std::size_t k = leaf_number(name, l0::show(type_of(name)), digits, l0::leaf_count(type_of(name)));
    if (g.whole) fail(invalid, name + " is given as a whole and by its leaves");
    g.leaves[k] = value;
  }

  // All that is missing at once; `begun`: of what is given in parts alone.
  void refuse_missing(bool begun = false) const {
    std::string missing, first;
    const auto note = [&](const std::string& word, const std::string& type) {
      if (first.empty()) first = word + "=…";
      missing += "\n    " + word + " : " + type;
    };
    for (const l0::Parameter& p : function_.parameters) {
      const Given& g = given_.at(p.name);
      if (g.whole || g.random || (begun && g.leaves.empty())) continue;
      const std::vector<LeafType> leaves = l0::leaves_of(p.type);
      if (g.leaves.empty()) note(p.name, l0::show(l0::without_stars(p.type)));
      for (std::size_t k = 0; k < leaves.size() && !g.leaves.empty(); ++k)
        if (!g.leaves.contains(k)) note(p.name + "." + std::to_string(k), l0::show(l0::leaf_type(leaves[k])));
    }
    if (!missing.empty())
      fail(invalid, function_.name + " needs more arguments:" + missing,
           "give each by name, as in " + first + ": a literal, a .npy file, or random");
  }

  static Value literal(const std::string& word, const std::string& text, const Type& type) {
    if (is_text(type) && !text.starts_with('"') && !text.starts_with('[')) return l0::text_value(text);
    return valid(l0::parse_value(std::make_shared<const Source>(Source{"argument " + word, text}), type));
  }

  static Value file(const std::string& word, const std::string& path, const LeafType& leaf) {
    const NpyArray array = read_array(word, path);
    const Type type = l0::without_stars(l0::leaf_type(leaf));
    refuse_type(word, path, array, leaf.scalar, std::string(l0::name_of(leaf.scalar)));
    if (array.shape.size() != leaf.rank)
      fail(invalid, word + ": expected " + l0::show(type) + ", an array of " + show_count(leaf.rank, "dimension") +
                        ", but " + described(path, array));
    l0::Array out = l0::array_of_scalars(leaf.scalar, l0::Shape(array.shape));
    const auto n = static_cast<std::size_t>(out.shape.count());
    if (bytes_of(leaf.scalar) == 8) {
      copy_elements(array, 0, n, leaf.scalar, reinterpret_cast<unsigned char*>(out.data->bits.data()));
    } else {
      std::vector<unsigned char> bytes(n);
      copy_elements(array, 0, n, leaf.scalar, bytes.data());
      std::copy(bytes.begin(), bytes.end(), out.data->bits.begin());
    }
    if (leaf.rank == 0) return {out[0]};
    return {std::move(out)};
  }

  static Value value(const std::string& name, const Type& type, const Given& g) {
    const std::vector<LeafType> types = l0::leaves_of(type);
    if (g.whole && !is_npy(*g.whole)) return literal(name, *g.whole, type);
    l0::Values leaves;
    if (g.whole) {
      if (types.size() != 1) {
        std::string words;
        for (std::size_t k = 0; k < types.size(); ++k)
          words += (k ? " " : "") + name + "." + std::to_string(k) + "=….npy";
        fail(invalid,
             name + " has the type " + l0::show(l0::without_stars(type)) + ": " + show_count(types.size(), "array") +
                 ", and one file is given",
             "give its leaves, left to right: " + words);
      }
      leaves.push_back(file(name, *g.whole, types[0]));
    }
    for (const auto& [k, text] : g.leaves) {
      const std::string word = name + "." + std::to_string(k);
      leaves.push_back(is_npy(text) ? file(word, text, types[k]) : literal(word, text, l0::leaf_type(types[k])));
    }
    check_lengths(name, type, leaves);
    std::size_t next = 0;
    return l0::value_of_leaves(type, leaves, next);
  }

  static void check_lengths(const std::string& name, const Type& type, const l0::Values& leaves) {
    each_equal_length(type, [&](std::size_t first, std::size_t k, std::size_t d) {
      const l0::Shape &a = l0::as_array(leaves[first]).shape, &b = l0::as_array(leaves[k]).shape;
      if (a[d] != b[d])
        fail(invalid,
             name + "." + std::to_string(first) + " has shape " + shape_text(a.dimensions()) + " and " + name + "." +
                 std::to_string(k) + " shape " + shape_text(b.dimensions()),
             "they are the parts of one array of tuples, equally long");
    });
  }

  const l0::Function& function_;
  std::map<std::string, Given> given_;
  std::set<std::string> seen_;
  std::vector<ArgumentWord> others_;
};

// A word for no parameter may be one for a size, where something is drawn.
void refuse_sizes(const l0::Function& f, const L0Arguments& bound) {
  if (bound.sizes.empty()) return;
  std::vector<std::string> names;
  for (const l0::Parameter& p : f.parameters) names.push_back(p.name);
  refuse_unknown(f.name, bound.sizes[0].name, names, "parameters");
}

void each_equal(const Type& type, std::size_t rank, std::size_t& next, const EqualLengths& f) {
  const Type* t = &type;
  for (; const Type* e = l0::element_of(*t); t = e) ++rank;
  const auto* tuple = l0::as<l0::TupleType>(*t);
  if (!tuple) {
    ++next;
    return;
  }
  const std::size_t first = next;
  for (const Type& item : tuple->items) each_equal(item, rank, next, f);
  for (std::size_t k = first + 1; k < next; ++k)
    for (std::size_t d = 0; d < rank; ++d) f(first, k, d);
}

}  // namespace

void each_equal_length(const Type& type, const EqualLengths& f) {
  std::size_t next = 0;
  each_equal(type, 0, next, f);
}

L0Arguments bind_words(const l0::Function& f, const std::vector<std::string>& words, bool whole) {
  L0Binder binder(f);
  for (const std::string& w : words) binder.word(w);
  return binder.bound(whole);
}

std::vector<std::optional<l0::Value>> bind_given(const l0::Function& f, const std::vector<std::string>& words) {
  L0Arguments bound = bind_words(f, words, false);
  refuse_sizes(f, bound);
  for (std::size_t k = 0; k < bound.random.size(); ++k)
    if (bound.random[k] && (bound.random[k]->seed || bound.random[k]->kind != props::RandomKind::Any))
      fail(machine, f.parameters[k].name + ": kinds and seeds of random values are of run and bench",
           "leave it out: it is drawn for each input");
  return std::move(bound.values);
}

l0::Values given_arguments(const l0::Function& f, const L0Arguments& bound) {
  refuse_sizes(f, bound);
  l0::Values out;
  for (std::size_t k = 0; k < bound.values.size(); ++k) {
    if (!bound.values[k])
      fail(invalid, f.parameters[k].name + ": this command takes no random values", "give a value, or a .npy file");
    out.push_back(*bound.values[k]);
  }
  return out;
}

l0::Values bind_arguments(const l0::Function& f, const std::vector<std::string>& words) {
  return given_arguments(f, bind_words(f, words, true));
}

l0::Values leaves_of_all(const l0::Values& values) {
  l0::Values out;
  for (const Value& v : values)
    for (const Value* leaf : l0::leaves_of(v)) out.push_back(*leaf);
  return out;
}

}  // namespace lockstep::driver
