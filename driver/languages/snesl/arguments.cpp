// Binding arguments. The values say what is open in the entry point's types; then they are read at its types.
#include "driver/languages/snesl/arguments.h"

#include "codegen/runtime/memory.h"
#include "driver/argument_words.h"
#include "driver/languages/snesl/arrays.h"
#include "driver/languages/snesl/engine_leaves.h"
#include "driver/npy_arguments.h"
#include "driver/report.h"
#include "semantics/snesl/parse.h"

namespace lockstep::driver {
namespace {

using snesl::Type;
using snesl::Value;

struct Given {
  std::optional<std::string> whole;
  std::map<std::size_t, std::string> leaves;
  std::optional<std::uint64_t> seed;  // random
  props::RandomAsked asked{};
};

SourceRef source_of(const std::string& name, const std::string& value) {
  return std::make_shared<const Source>(Source{"argument " + name, value});
}

class StreamingBinder {
 public:
  StreamingBinder(const StreamingFile& file, const snesl::EntryPoint& entry) : file_(file), entry_(entry) {
    for (const std::string& p : entry.parameters) given_[p];
  }

  void word(const std::string& text) {
    const auto [name, value] = argument_word(text, seen_);
    const auto meant = meant_by(given_, name);
    if (!meant.given) refuse_unknown(entry_.name, name, entry_.parameters, "parameters");
    meant.leaf ? leaf(name, meant.parameter, *meant.given, *meant.leaf, value) : whole(name, *meant.given, value);
  }

  BoundArguments arguments(std::optional<std::uint64_t> fill, bool for_engine) {
    refuse_missing(fill);
    for (const std::string& p : entry_.parameters) learn(p);
    BoundArguments out{instance_of(file_, entry_, open_), {}, {}, {}};
    if (for_engine) refuse_large(out.program);
    for (const auto& [name, type] : out.program.parameters) {
      const Given& g = given_.at(name);
      out.random.push_back(g.seed ? std::optional(g.asked) : std::nullopt);
      if (const auto wants = refused(g.asked.kind, type)) refuse_kind(name, snesl::show(type), g.asked.kind, *wants);
      if (auto direct = for_engine ? leaves(name, g, type) : std::nullopt) {
        out.leaves[out.values.size()] = std::move(*direct);
        out.values.push_back(snesl::tuple_value({}));
      } else {
        out.values.push_back(g.seed ? RandomValues(*g.seed).value(type, g.asked.kind) : value(name, g, type));
      }
    }
    return out;
  }

 private:
  const std::string& type_text(const std::string& name) const {
    const auto at = std::find(entry_.parameters.begin(), entry_.parameters.end(), name) - entry_.parameters.begin();
    return entry_.types[static_cast<std::size_t>(at)];
  }

  void whole(const std::string& name, Given& g, const std::string& value) {
    if (!g.leaves.empty()) fail(invalid, name + " is given as a whole and by its leaves");
    if (!is_random(value) || type_text(name) == "[Char]") {
      g.whole = value;
      return;
    }
    g.asked = random_asked(name, value);
    g.seed = g.asked.seed.value_or(hash_of(name));
  }

  void leaf(const std::string& word, const std::string& name, Given& g, const std::string& digits,
            const std::string& value) {
    // Where something is open, the leaves that are given say how many there are.
    const std::size_t count =
        letters_of(type_text(name)).empty() ? leaf_types(closed_type(type_text(name))).size() : 1000;
    const std::size_t k = leaf_number(name, type_text(name), digits, count);
    if (g.whole || g.seed) fail(invalid, name + " is given as a whole and by its leaves");
    if (!is_npy(value)) fail(invalid, word + ": a leaf is given by a .npy file, found " + shortened(value, 60));
    g.leaves[k] = value;
  }

  // All that is missing at once.
  void refuse_missing(std::optional<std::uint64_t> fill) {
    std::string missing, first;
    for (std::size_t i = 0; i < entry_.parameters.size(); ++i) {
      const std::string& name = entry_.parameters[i];
      Given& g = given_.at(name);
      if (g.whole || g.seed) continue;
      if (g.leaves.empty()) {
        if (fill)
          g.seed = *fill + i;
        else
          first = first.empty() ? name + "=..." : first, missing += "\n    " + name + " : " + entry_.types[i];
        continue;
      }
      const std::size_t count = std::max(leaf_types(closed_type(entry_.types[i])).size(), g.leaves.rbegin()->first + 1);
      for (std::size_t k = 0; k < count; ++k)
        if (!g.leaves.contains(k))
          first = first.empty() ? name + "." + std::to_string(k) + "=....npy" : first,
          missing += "\n    " + name + "." + std::to_string(k) + " of " + name + " : " + entry_.types[i];
    }
    if (!missing.empty())
      fail(invalid, "arguments of " + entry_.name + " are missing:" + missing, "each by its name, as in " + first);
  }

  // What a value says of the letters in its parameter's type. For a vector of what is open a value without brackets or
  // quotes is a text, as it stands.
  void learn(const std::string& name) {
    const std::string& text = type_text(name);
    const std::vector<std::string> letters = letters_of(text);
    const Given& g = given_.at(name);
    if (letters.empty()) return;
    if (g.seed) {  // a matrix that is positive definite is one of Reals
      if (g.asked.kind == props::RandomKind::Spd)
        for (const std::string& l : letters) open_.try_emplace(l, snesl::prim(snesl::Prim::Real));
      return;
    }
    if (!g.leaves.empty()) {
      learn_leaves(name, g, letters);
    } else if (is_npy(*g.whole)) {
      learn_array(name, *g.whole, letters);
    } else {
      const SourceRef source = source_of(name, *g.whole);
      const auto type = snesl::type_of_value(source);
      const bool literal =
          !g.whole->empty() && std::string_view("[{(\"").find(g.whole->front()) != std::string_view::npos;
      if (text == "[" + letters.front() + "]" && !literal) {
        as_text_.insert(name);
        return bind(name, snesl::vector_of(snesl::prim(snesl::Prim::Char)), shortened(*g.whole, 60));
      }
      if (type)
        bind(name, *type, shortened(*g.whole, 60));
      else if (!snesl::parse_value(source, closed_type(text, open_))) {  // {} where x : a
        const auto ints = snesl::type_of_value(source, snesl::Empty::Ints);
        if (!ints) throw Failure{invalid, "", type.error()};
        bind(name, *ints, shortened(*g.whole, 60));
      }
    }
  }

  void bind(const std::string& name, const Type& type, const std::string& what) {
    if (!bind_open(type_text(name), type, open_))
      fail(invalid, name + " has the type " + type_text(name) + ", but " + what + " is of type " + snesl::show(type),
           "a vector is written [1,2], a sequence {1,2}, a tuple (1,2), a text \"ab\"");
  }

  void learn_array(const std::string& name, const std::string& path, const std::vector<std::string>& letters) {
    const NpyArray array = read_array(name, path);
    // As many vectors around the scalar as the shape has dimensions beyond those that the type shows.
    Type inner = snesl::prim(prim_of_file(name, path));
    for (std::size_t extra = 0; extra <= array.shape.size(); ++extra, inner = snesl::vector_of(inner)) {
      OpenTypes all;
      for (const std::string& l : letters) all.emplace(l, inner);
      const Type type = closed_type(type_text(name), all);
      if (rank_of(type) == array.shape.size()) return bind(name, type, path);
    }
  }

  // Each letter is the scalars of the leaf where it stands; where more leaves are given than the type shows, a letter
  // is a tuple of those.
  void learn_leaves(const std::string& name, const Given& g, const std::vector<std::string>& letters) {
    const std::string& text = type_text(name);
    const std::size_t shown = leaf_types(closed_type(text)).size(), extra = g.leaves.size() - shown;
    if (extra > 0 && letters.size() > 1)
      fail(invalid, name + " has the type " + text + ": " + show_count(shown, "array") + ", and " +
                        std::to_string(g.leaves.size()) + " are given");
    for (const std::string& letter : letters) {
      const std::size_t first = place_of(letter, text);
      std::vector<Type> items;
      for (std::size_t k = first; k <= first + extra; ++k)
        items.push_back(snesl::prim(prim_of_file(name + "." + std::to_string(k), g.leaves.at(k))));
      open_.try_emplace(letter, items.size() == 1 ? items.front() : snesl::tuple(items));
    }
  }
  // Which leaf a letter's scalars are: the one that changes with it.
  static std::size_t place_of(const std::string& letter, const std::string& text) {
    const auto as_real = leaf_types(closed_type(text, {{letter, snesl::prim(snesl::Prim::Real)}}));
    const auto as_int = leaf_types(closed_type(text, {{letter, snesl::prim(snesl::Prim::Int)}}));
    for (std::size_t k = 0; k < as_int.size(); ++k)
      if (as_real[k].prim != as_int[k].prim) return k;
    throw Bug("a letter without a leaf in " + text);
  }
  // For the engine, of what is given by arrays.
  std::optional<std::vector<engine::EngineLeaf>> leaves(const std::string& name, const Given& g,
                                                        const Type& type) const {
    if (!g.leaves.empty()) return leaves_of_arrays(arrays_of_files(name, g.leaves, type), type);
    const bool text = type_text(name) == "[Char]" || as_text_.contains(name);
    if (!g.whole || !is_npy(*g.whole) || text || rank_of(type).value_or(0) == 0) return std::nullopt;
    return leaves_of_array(array_of_file(name, *g.whole, type), type);
  }
  // Arrays as the engine has them: elements of the parameter's type.
  void refuse_large(const snesl::core::Program& program) const {
    std::uint64_t bytes = 0;
    const auto add = [&](const std::string& name, const std::string& path, snesl::Prim p) {
      if (!is_npy(path)) return;
      std::uint64_t all = engine::engine_width(p);
      for (const std::int64_t n : read_array(name, path).shape) all = times_bytes(all, static_cast<std::uint64_t>(n));
      bytes = sum_of_bytes(bytes, all);
    };
    for (const auto& [name, type] : program.parameters) {
      const Given& g = given_.at(name);
      const std::vector<LeafType> types = leaf_types(type);
      if (g.whole && !as_text_.contains(name) && type_text(name) != "[Char]" && rank_of(type))
        add(name, *g.whole, scalar_in(type));
      for (const auto& [k, path] : g.leaves)
        if (k < types.size()) add(name, path, types[k].prim);
    }
    if (const auto fits = check_memory(bytes, "the arguments"); !fits) fail(machine, fits.error());
  }
  Value value(const std::string& name, const Given& g, const Type& type) const {
    if (!g.leaves.empty()) return value_of_files(name, g.leaves, type);
    if (type_text(name) == "[Char]" || as_text_.contains(name)) return snesl::text_value(*g.whole);
    if (is_npy(*g.whole)) return value_of_file(name, *g.whole, type);
    return valid(snesl::parse_value(source_of(name, *g.whole), type));
  }

  const StreamingFile& file_;
  const snesl::EntryPoint& entry_;
  std::map<std::string, Given> given_;
  std::set<std::string> seen_, as_text_;
  OpenTypes open_;
};

}  // namespace

std::string characters_of(const snesl::Value& text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) out += static_cast<char>(text[k].atom.integer);
  return out;
}

bool is_text(const Type& type) {
  const auto* v = snesl::as<snesl::VectorType>(type);
  return v && *v->element == snesl::prim(snesl::Prim::Char);
}

BoundArguments bind_arguments(const StreamingFile& file, const snesl::EntryPoint& entry,
                              const std::vector<std::string>& words, std::optional<std::uint64_t> fill) {
  StreamingBinder binder(file, entry);
  for (const std::string& w : words) binder.word(w);
  return binder.arguments(fill, false);
}

BoundArguments bind_for_engine(const StreamingFile& file, const snesl::EntryPoint& entry,
                               const std::vector<std::string>& words, std::optional<std::uint64_t> fill) {
  StreamingBinder binder(file, entry);
  for (const std::string& w : words) binder.word(w);
  return binder.arguments(fill, true);
}

snesl::Values drawn_again(const BoundArguments& bound, std::uint64_t seed, int longest) {
  snesl::Values out = bound.values;
  RandomValues random(seed, longest);
  for (std::size_t k = 0; k < out.size(); ++k)
    if (bound.drawn_anew(k)) out[k] = random.value(bound.program.parameters[k].type, bound.random[k]->kind);
  return out;
}

}  // namespace lockstep::driver
