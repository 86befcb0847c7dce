// Drawing arguments (drawn.h). Which text is the name of a file, a run on small values and made-up files shows.
#include "driver/languages/snesl/drawn.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "codegen/runtime/memory.h"
#include "driver/argument_words.h"
#include "driver/languages/snesl/engine.h"
#include "props/snesl/inputs.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::driver {
namespace {

using snesl::Prim;
using snesl::Type;
using snesl::Value;

constexpr std::int64_t most_elements = std::int64_t{1} << 20, most_characters = std::int64_t{1} << 24,
                       middle_length = 16, word_length = 3,
                       few = 64;  // where a form of arguments runs at so many, no other is tried

// How deep vectors and sequences lie in each other.
std::size_t levels_of(const Type& t) {
  if (const Type* element = element_of(t)) return 1 + levels_of(*element);
  std::size_t most = 0;
  if (const auto* tuple = snesl::as<snesl::TupleType>(t))
    for (const Type& item : tuple->items) most = std::max(most, levels_of(item));
  return most;
}
bool holds_characters(const Type& t) {
  if (const Type* element = element_of(t)) return holds_characters(*element);
  if (const auto* tuple = snesl::as<snesl::TupleType>(t))
    return std::any_of(tuple->items.begin(), tuple->items.end(), holds_characters);
  return t == snesl::prim(Prim::Char);
}

// n elements together. Those of two parameters are as long as each other.
RandomValues::LengthOf lengths(std::int64_t n, bool equal) {
  const auto root = [n](std::size_t levels) {
    return std::max<std::int64_t>(1, std::llround(std::floor(std::pow(n, 1.0 / static_cast<double>(levels)) + 1e-9)));
  };
  const std::int64_t middle = std::min(middle_length, root(2));
  return [=, random = props::Random(1)](const Type& type, std::size_t depth) mutable -> std::int64_t {
    const std::size_t levels = levels_of(type);
    if (equal) return root(depth + levels);
    if (depth > 0) return props::below(random, 2 * middle + 1);
    std::int64_t length = n;
    for (std::size_t k = 1; k < levels; ++k) length /= middle;
    return std::max<std::int64_t>(1, length);
  };
}

// How many elements there are at each level, as far as no tuple holds the next.
std::vector<std::size_t> counts_of(const Value& value, const Type& type) {
  std::vector<std::size_t> out;
  std::vector<const Value*> level = {&value};
  for (const Type* t = &type; element_of(*t); t = element_of(*t)) {
    std::vector<const Value*> next;
    for (const Value* v : level)
      for (std::size_t k = 0; k < v->size(); ++k) next.push_back(&(*v)[k]);
    out.push_back(next.size());
    level = std::move(next);
  }
  return out;
}

}  // namespace

DrawnArguments::DrawnArguments(const BoundArguments& bound, const svcode::Program& program) : bound_(bound) {
  const bool writes = std::any_of(program.instructions.begin(), program.instructions.end(),
                                  [](const svcode::Instr& i) { return i.opcode == svcode::Opcode::WriteFile; });
  find_roles(props::stream::reads_files(*bound_.program.body), writes);
}

// On some small inputs, since some may trap before.
std::set<std::string> DrawnArguments::names_read() const {
  std::set<std::string> out;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    snesl::Values values;
    for (std::size_t k = 0; k < bound_.values.size(); ++k) {
      if (drawn(k) && is_text(type(k)))
        values.push_back(snesl::text_value(name(k)));
      else if (drawn(k) || bound_.leaves.contains(k))
        values.push_back(
            RandomValues(seed + k).value(type(k), drawn(k) ? bound_.random[k]->kind : props::RandomKind::Any));
      else
        values.push_back(bound_.values[k]);
    }
    KeptFiles files = made_up_files(seed);
    evaluated(bound_.program, values, files);
    for (const auto& [file, content] : files.all_read()) out.insert(file);
  }
  return out;
}

DrawnArguments::Role DrawnArguments::role_of(std::size_t k, const std::set<std::string>& read, bool writes,
                                             bool grows) const {
  if (!drawn(k)) return Role::Given;
  if (is_text(type(k))) {
    if (read.contains(name(k))) return Role::Read;
    if (writes) return Role::Written;
    return grows ? Role::Word : Role::Elements;
  }
  if (writes && holds_characters(type(k)))
    fail(invalid, bound_.program.name + " writes files, and their names may come from " + name(k),
         "give it, as in " + name(k) + "=...");
  // What a file is searched for, of a type that is open.
  if (!read.empty() && snesl::as<snesl::VectorType>(type(k)) && levels_of(type(k)) == 1) return Role::Word;
  if (levels_of(type(k)) > 0) return Role::Elements;
  return type(k) == snesl::prim(Prim::Int) && !grows ? Role::Size : Role::Scalar;
}

void DrawnArguments::find_roles(bool reads, bool writes) {
  const std::set<std::string> read = reads ? names_read() : std::set<std::string>();
  for (const std::string& file : read)
    if (snesl::read_once(file))
      fail(invalid, "bench runs the program again and again, and " + file + " can be read only once", "name a file");
  bool grows = !read.empty();
  for (std::size_t k = 0; k < bound_.values.size(); ++k) grows = grows || (!is_text(type(k)) && levels_of(type(k)) > 0);
  for (std::size_t k = 0; k < bound_.values.size(); ++k) roles_.push_back(role_of(k, read, writes, grows));
  if (has(Role::Read) || has(Role::Written)) folder_.emplace("bench");
}

// The largest n.
std::int64_t DrawnArguments::most() const {
  if (has(Role::Elements)) return most_elements;
  if (has(Role::Read)) return most_characters;
  return has(Role::Size) ? std::int64_t{1} << 40 : 1;
}

std::vector<DrawnArguments::Form> DrawnArguments::forms() const {
  bool nested = false, numbers = false;
  for (std::size_t k = 0; k < roles_.size(); ++k) {
    if (roles_[k] != Role::Elements) continue;
    const bool any = bound_.random[k]->kind == props::RandomKind::Any;
    nested = nested || levels_of(type(k)) > 1;
    numbers = numbers || (any && !refused(props::RandomKind::Positive, type(k)));
  }
  std::vector<Form> out;
  for (const bool equal_lengths : {false, true})
    for (const bool positive : {false, true})
      if (equal_lengths <= nested && positive <= numbers) out.push_back({equal_lengths, positive});
  return out;
}

Value DrawnArguments::value(std::size_t k, std::int64_t n, const Form& form) const {
  const auto [asked, given_seed] = *bound_.random[k];
  const std::uint64_t seed = given_seed.value_or(hash_of(name(k)));
  const bool positive = asked == props::RandomKind::Any && (form.positive || roles_[k] == Role::Scalar) &&
                        !refused(props::RandomKind::Positive, type(k));
  const props::RandomKind kind = positive ? props::RandomKind::Positive : asked;
  switch (roles_[k]) {
    case Role::Given:
      return bound_.values[k];
    case Role::Elements:
      return RandomValues(seed, lengths(n, form.equal_lengths || kind == props::RandomKind::Spd)).value(type(k), kind);
    case Role::Scalar:
      return RandomValues(seed).value(type(k), kind);
    case Role::Size:
      return snesl::atom_value(snesl::int_atom(n));
    case Role::Read: {
      const std::string path = folder_->path(name(k) + "." + std::to_string(n));
      if (!std::filesystem::exists(path)) std::ofstream(path, std::ios::binary) << RandomValues(seed).text(n);
      return snesl::text_value(path);
    }
    case Role::Written:
      return snesl::text_value(folder_->path(name(k)));
    case Role::Word:
      return RandomValues(seed, [](const Type&, std::size_t) { return word_length; }).value(type(k), kind);
  }
  throw Bug("an argument that is drawn as nothing");
}

snesl::Values DrawnArguments::values(std::int64_t n, const Form& form) const {
  snesl::Values out;
  for (std::size_t k = 0; k < roles_.size(); ++k) out.push_back(drawn(k) ? value(k, n, form) : bound_.values[k]);
  return out;
}

snesl::Values DrawnArguments::choose(const std::optional<std::int64_t>& n, const Attempt& attempt) {
  using enum TriedSize::Became;
  Form best;
  std::int64_t size = n.value_or(std::min(small_size, most()));
  bool found = false;
  for (const Form& form : forms()) {
    const auto at = [&](std::int64_t k) { return k > most() ? TriedSize{TooLarge} : attempt(values(k, form)); };
    const auto largest = n ? (attempt(values(*n, form)).became == Ran ? n : std::nullopt) : largest_size(at);
    if (!largest || (found && *largest <= size)) continue;
    best = form, size = *largest, found = true;
    if (n || size >= std::min(few, most())) break;
  }
  snesl::Values out = values(size, best);
  describe(out);
  return out;
}

void DrawnArguments::describe(const snesl::Values& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!drawn(k)) continue;
    Json what{{"type", snesl::show(type(k))}};
    std::string text = name(k);
    const std::vector<std::size_t> counts = counts_of(values[k], type(k));
    if (roles_[k] == Role::Read) {
      std::error_code none;
      what["bytes"] = std::filesystem::file_size(characters_of(values[k]), none);
      text += " : a file of " + show_bytes(what["bytes"].get<std::uint64_t>());
    } else if (roles_[k] == Role::Written) {
      what["written"] = true;
      text += " : a file";
    } else if (roles_[k] == Role::Word || counts.empty()) {
      what["value"] = snesl::show(values[k], type(k));
      text += " = " + shortened(what["value"].get<std::string>(), 60);
    } else {
      what["lengths"] = counts;
      text += " : " + snesl::show(type(k)) + " of " + std::to_string(counts[0]);
      for (std::size_t level = 1; level < counts.size(); ++level)
        text += (level == 1 ? ", with " : ", ") + std::to_string(counts[level]);
      if (counts.size() > 1) text += " in them";
    }
    json_[name(k)] = std::move(what);
    text_ += (text_.empty() ? "" : ", ") + text;
  }
}

}  // namespace lockstep::driver
