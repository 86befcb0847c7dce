// The instructions that read and write files as functions of whole streams. Names are slices of a stream of characters.
#include "semantics/svcode/eager_streams.h"

namespace lockstep::svcode {

std::vector<std::string> names_of(const Stream& starts, const Stream& lengths, const Stream& base) {
  if (starts.size() != lengths.size()) throw Bug("eager SVCODE: two streams that are read together differ in length");
  std::vector<std::string> r;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::int64_t from = starts[k].integer, n = lengths[k].integer;
    const bool inside = n >= 0 && (n == 0 || (from >= 0 && from <= size_of(base) - n));
    if (!inside) throw Bug("eager SVCODE: a name outside its base");
    std::string& name = r.emplace_back();
    for (std::int64_t j = from; j < from + n; ++j) name += static_cast<char>(base[static_cast<std::size_t>(j)].integer);
  }
  return r;
}

void finish(Environment& around) {
  if (!around.fault.empty()) throw Bug("eager SVCODE: " + around.fault);
  std::stable_sort(around.writes.begin(), around.writes.end(),
                   [](const Environment::Write& a, const Environment::Write& b) { return a.instr->id < b.instr->id; });
  for (auto& [instr, name, content] : around.writes) around.files.write(name, std::move(content), instr->region);
}

namespace eager {

Stream read_file(const Eager& e) {
  Stream r;
  for (const std::string& name : names_of(e[0], e[1], e[2])) {
    for (const char c : e.around.files.read(name, e.i.region))
      r.push_back(snesl::int_atom(static_cast<unsigned char>(c)));
    r.push_back(snesl::int_atom(256));
  }
  return r;
}

Stream read_whole(const Eager& e) {
  const std::vector<std::string> names = names_of(e[0], e[1], e[2]);
  if (names.size() != 1) throw Bug("eager SVCODE: read_whole of other than one name");
  Stream r;
  for (const char c : e.around.files.read(names[0], e.i.region))
    r.push_back(snesl::char_atom(static_cast<unsigned char>(c)));
  return r;
}

Stream write_file(const Eager& e) {
  const std::vector<std::string> names = names_of(e[0], e[1], e[2]);
  const std::vector<std::int64_t> lengths = segment_lengths(e[4]);
  if (names.size() != lengths.size()) throw Bug("eager SVCODE: write_file has not as many names as segments");
  std::string characters;
  for (const Atom& c : e[3]) characters += static_cast<char>(c.integer);
  std::size_t from = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto n = static_cast<std::size_t>(lengths[k]);
    if (from + n > characters.size()) throw Bug("eager SVCODE: write_file has too few characters");
    e.around.writes.push_back({&e.i, names[k], characters.substr(from, n)});
    from += n;
  }
  if (from != characters.size()) throw Bug("eager SVCODE: write_file has too many characters");
  return Stream(names.size());
}

}  // namespace eager
}  // namespace lockstep::svcode
