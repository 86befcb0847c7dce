// Instructions that read and write files, on whole streams.
#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {

Stream EagerEffects::value(const Instr& i, const std::vector<const Stream*>& arguments) {
  if (i.opcode == Opcode::ReadFile || i.opcode == Opcode::ReadWhole) return read(i, arguments);
  return i.opcode == Opcode::WriteFile ? write(i, arguments) : eager_stream(i, arguments, fault_);
}

void EagerEffects::finish() {
  if (!fault_.empty()) throw Bug("eager SVCODE: " + fault_);
  for (auto& [instr, name, content] : writes_) files_->write(name, std::move(content), instr->region);
}

// Characters as Int with 256 at the end of each file, or the characters of the one file.
Stream EagerEffects::read(const Instr& i, const std::vector<const Stream*>& in) {
  const bool many = i.opcode == Opcode::ReadFile;
  const std::vector<std::string> names = names_of(*in.at(0), *in.at(1), *in.at(2));
  if (!many && names.size() != 1) throw Bug("eager SVCODE: read_whole of other than one name");
  Stream r;
  for (const std::string& name : names) {
    for (const char c : files_->read(name, i.region)) {
      const auto byte = static_cast<unsigned char>(c);
      r.push_back(many ? snesl::int_atom(byte) : snesl::char_atom(byte));
    }
    if (many) r.push_back(snesl::int_atom(256));
  }
  return r;
}

Stream EagerEffects::write(const Instr& i, const std::vector<const Stream*>& in) {
  const std::vector<std::string> names = names_of(*in.at(0), *in.at(1), *in.at(2));
  const std::vector<std::int64_t> lengths = segment_lengths(*in.at(4));
  if (names.size() != lengths.size()) throw Bug("eager SVCODE: write_file has not as many names as segments");
  std::string characters;
  for (const Atom& c : *in.at(3)) characters += static_cast<char>(c.integer);
  std::size_t from = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto n = static_cast<std::size_t>(lengths[k]);
    if (from + n > characters.size()) throw Bug("eager SVCODE: write_file has too few characters");
    writes_.push_back({&i, names[k], characters.substr(from, n)});
    from += n;
  }
  if (from != characters.size()) throw Bug("eager SVCODE: write_file has too many characters");
  return Stream(names.size());
}

std::int64_t consumed(const Instr& i, const std::vector<const Stream*>& arguments) {
  std::int64_t r = 0;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!is_base(i.opcode, k)) r += size_of(*arguments[k]);
  if (i.opcode == Opcode::Gather) return r + size_of(*arguments[0]);
  if (is_base(i.opcode, 2))
    for (const Atom& n : *arguments[1]) r += n.integer;  // of the names
  return r;
}

}  // namespace lockstep::svcode
