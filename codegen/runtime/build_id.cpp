// The GNU build identifier, a note in the executable's image (ELF, PT_NOTE; the linker's --build-id).
#include "codegen/runtime/build_id.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "codegen/runtime/sha256.h"
#include "semantics/core/files.h"

namespace lockstep {
namespace {

// Notes one after another, each its name and its content, padded to four bytes.
std::string build_id_in(std::string_view notes) {
  const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  ElfW(Nhdr) head;
  while (notes.size() >= sizeof head) {
    std::memcpy(&head, notes.data(), sizeof head);
    notes.remove_prefix(sizeof head);
    if (notes.size() < padded(head.n_namesz) + head.n_descsz) break;
    const std::string_view name = notes.substr(0, head.n_namesz);
    const std::string_view content = notes.substr(padded(head.n_namesz), head.n_descsz);
    if (head.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU", 4))
      return fmt::format("{:02x}", fmt::join(std::vector<unsigned char>(content.begin(), content.end()), ""));
    notes.remove_prefix(std::min(notes.size(), padded(head.n_namesz) + padded(head.n_descsz)));
  }
  return "";
}

// Of the first object, which is the executable.
int visit(dl_phdr_info* info, std::size_t, void* out) {
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const ElfW(Phdr)& h = info->dlpi_phdr[k];
    std::string& id = *static_cast<std::string*>(out);
    if (h.p_type == PT_NOTE && id.empty())
      id = build_id_in({reinterpret_cast<const char*>(info->dlpi_addr + h.p_vaddr), h.p_memsz});
  }
  return 1;
}

}  // namespace

const std::string& build_id() {
  static const std::string once = [] {
    std::string id;
    dl_iterate_phdr(visit, &id);
    return id.empty() ? sha256(contents_of("/proc/self/exe").value_or("")) : id;
  }();
  return once;
}

}  // namespace lockstep
