// Files kept, and made up.
#include "driver/languages/snesl/files.h"

#include "driver/languages/snesl/random.h"

namespace lockstep::driver {

std::string KeptFiles::read(const std::string& name, const Region& region) {
  if (name.find('\0') != std::string::npos)
    throw TrapSignal{
        {"read_file", std::string("cannot read '") + name.c_str() + "': a zero byte ends its name", region}};
  if (const auto once = this->once(name); once && !begun_.insert(*once).second)
    throw TrapSignal{{"read_file", "cannot read '" + name + "': " + snesl::read_twice(name), region}};
  const auto it = read_.find(name);
  if (it != read_.end()) return it->second;
  return read_.emplace(name, source_(name, region)).first->second;
}

std::size_t KeptFiles::bytes_read() const {
  std::size_t n = 0;
  for (const auto& [name, content] : read_) n += content.size();
  return n;
}

KeptFiles kept_machine_files() {
  return KeptFiles([files = std::shared_ptr<snesl::Files>(snesl::machine_files())](
                       const std::string& name, const Region& region) { return files->read(name, region); },
                   snesl::read_once);
}

KeptFiles made_up_files(std::uint64_t seed) {
  return KeptFiles([seed](const std::string& name, const Region&) {
    std::uint64_t h = seed;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    RandomValues random(h);
    return random.file();
  });
}

}  // namespace lockstep::driver
