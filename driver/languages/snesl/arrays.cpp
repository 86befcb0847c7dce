// NumPy's files as arguments.
#include "driver/languages/snesl/arrays.h"

#include "driver/npy_arguments.h"
#include "driver/report.h"

namespace lockstep::driver {
namespace {

using snesl::Type;
using snesl::Value;

void refuse_type(const std::string& word, const std::string& path, const NpyArray& a, snesl::Prim p) {
  driver::refuse_type(word, path, a, scalar_of(p), std::string(snesl::show(p)));
}

}  // namespace

snesl::Prim prim_of_file(const std::string& word, const std::string& path) {
  const NpyArray array = read_array(word, path);
  if (const auto prim = prim_of(array.type)) return *prim;
  for (const snesl::Prim p : {snesl::Prim::Int, snesl::Prim::Real})
    if (fits(array.type, scalar_of(p))) return p;
  fail(invalid, word + ": expected bool, uint8 for Char, int64 or float64, but " + described(path, array),
       how_to_convert(ScalarType::I64));
}

Value value_of_file(const std::string& name, const std::string& path, const Type& type) {
  return value_of(array_of_file(name, path, type), type);
}

NpyArray array_of_file(const std::string& name, const std::string& path, const Type& type) {
  NpyArray array = read_array(name, path);
  const auto rank = rank_of(type);
  if (!rank) {
    std::string words;
    const std::size_t n = leaf_types(type).size();
    for (std::size_t k = 0; k < n; ++k) words += (k ? " " : "") + name + "." + std::to_string(k) + "=....npy";
    fail(invalid,
         name + " has the type " + snesl::show(type) + ": " + show_count(n, "array") + ", and one file is given",
         "give its leaves, left to right: " + words);
  }
  refuse_type(name, path, array, scalar_in(type));
  if (*rank != array.shape.size())
    fail(invalid, name + ": expected " + snesl::show(type) + ", an array of " + show_count(*rank, "dimension") +
                      ", but " + described(path, array));
  return array;
}

std::vector<NpyArray> arrays_of_files(const std::string& name, const std::map<std::size_t, std::string>& paths,
                                      const Type& type) {
  const std::vector<LeafType> types = leaf_types(type);
  const std::size_t dimensions = snesl::as<snesl::Prim>(type) ? 0 : 1;
  std::vector<NpyArray> arrays;
  if (paths.size() != types.size())
    fail(invalid, name + " has the type " + snesl::show(type) + ": " + show_count(types.size(), "array") + ", and " +
                      std::to_string(paths.size()) + " are given");
  for (const auto& [k, path] : paths) {
    const std::string word = name + "." + std::to_string(k);
    arrays.push_back(read_array(word, path));
    refuse_type(word, path, arrays.back(), types[k].prim);
    if (arrays.back().shape.size() > 1 ||
        (dimensions == 1 && !snesl::as<snesl::TupleType>(type) && arrays.back().shape.empty()))
      fail(invalid, word + ": a leaf is an array of one dimension, but " + described(path, arrays.back()),
           "elements that are vectors or sequences themselves have a leaf of all their elements and one of their "
           "lengths");
  }
  return arrays;
}

Value value_of_files(const std::string& name, const std::map<std::size_t, std::string>& paths, const Type& type) {
  auto v = value_of_leaves(arrays_of_files(name, paths, type), type);
  if (!v) fail(invalid, name + ": " + v.error());
  return std::move(*v);
}

}  // namespace lockstep::driver
