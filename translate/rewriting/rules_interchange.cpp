// Loops that change places: a map with a map, and a map with a reduction. No operator is reordered: each element is
// computed from the same values in the same order, so that none needs a law, and floats keep their bits. What a loop
// reads is taken apart into the arrays that are zipped: those of the one loop stand as rows of the other, and come out
// as columns (proofs/calculus/strategies/interchange_laws.cpp).
#include "semantics/primitives/build.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/zipped.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

// An array of the inner loop that is the element, at `from`, of an array of the outer one.
struct Row {
  Components at;    // in an element of the inner loop's array
  Components from;  // in an element of the outer loop's array
};
using Rows = std::vector<Row>;

const Row* row_at(const Rows& rows, const Components& at) {
  for (const Row& r : rows)
    if (r.at == at) return &r;
  return nullptr;
}
const Row* row_from(const Rows& rows, const Components& from) {
  for (const Row& r : rows)
    if (r.from == from) return &r;
  return nullptr;
}

// The arrays of `inside` that are elements of those of `around`, x being an element of these; every other one must be
// the same for all x. `but` is left out.
tl::expected<Rows, Refused> rows_of(const PhraseRef& inside, const PhraseRef& around, const std::string& x,
                                    const std::string& but = "") {
  Rows out;
  const std::vector<Zipped> outer = zipped_in(around);
  for (const Zipped& array : zipped_in(inside)) {
    const auto c = component_of_name(*array.array);
    if (c && c->name == but) continue;
    if (!mentions_name(*array.array, x)) {
      if (!is_total(*array.array))
        return refused("an array of the inner loop may trap, and would be evaluated where it was not");
      continue;
    }
    const bool whole = c && std::any_of(outer.begin(), outer.end(), [&](const Zipped& o) { return o.path == c->path; });
    if (!whole)
      return refused("an array of the inner loop is made of an element of the outer one's, and is not one itself");
    if (row_from(out, c->path)) return refused("an element of the outer loop is two arrays of the inner one");
    out.push_back({array.path, c->path});
  }
  return out;
}

tl::expected<void, Refused> read_by_elements(const Phrase& body, const std::string& x, const Rows& rows) {
  for (const Row& r : rows)
    if (reads_component(body, x, r.from))
      return refused("the function reads a whole row, of which only elements would be there");
  return {};
}

// body(xs) with the arrays that stand under a function bound by let, where they are more than cheap views.
PhraseRef with_shared(Site& s, const PhraseRef& xs, const std::function<bool(const Zipped&)>& moves,
                      const std::function<PhraseRef(PhraseRef)>& body) {
  std::vector<std::pair<std::string, PhraseRef>> lets;
  const PhraseRef named = zipped_again(s, xs, [&](const Zipped& z) {
    if (moves(z) || is_cheap_view(*z.array)) return z.array;
    lets.emplace_back(s.names.fresh("ys"), z.array);
    return ident(lets.back().first, z.array->type);
  });
  PhraseRef out = body(named);
  for (std::size_t k = lets.size(); k-- > 0;) out = let(lets[k].first, lets[k].second, out);
  return out;
}

PhraseRef array_at(const PhraseRef& xs, const Components& path) {
  for (const Zipped& z : zipped_in(xs))
    if (z.path == path) return z.array;
  throw Bug("no array is zipped there");
}

// ------------------------------------------------------------------------------------------------- map with map
Outcome map_interchange(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* outer = as_call(*p, "map");
  const LambdaPhrase* f = outer ? as_lambda(*outer->arguments[0]) : nullptr;
  const PrimPhrase* inner = f ? as_call(*f->body, "map") : nullptr;
  const LambdaPhrase* g = inner ? as_lambda(*inner->arguments[0]) : nullptr;
  if (!g) return no("it is no map without a level of a map without one");
  const PhraseRef& ys = inner->arguments[1];
  const auto rows = rows_of(ys, outer->arguments[1], f->name);
  if (!rows) return tl::unexpected(rows.error());
  if (const auto ok = read_by_elements(*g->body, f->name, *rows); !ok) return tl::unexpected(ok.error());
  return Rewritten{with_shared(
      s, outer->arguments[1], [&](const Zipped& z) { return row_from(*rows, z.path) != nullptr; },
      [&](const PhraseRef& xs) {
        const PhraseRef columns = zipped_again(s, ys, [&](const Zipped& z) {
          const Row* r = row_at(*rows, z.path);
          return r ? transpose_of(s, array_at(xs, r->from)) : z.array;
        });
        const PhraseRef by_column = function_of(s, "column", element_type(*columns), [&](const PhraseRef& column) {
          const PhraseRef along = zipped_again(s, xs, [&](const Zipped& z) {
            const Row* r = row_from(*rows, z.path);
            return r ? component_at(s, column, r->at) : z.array;
          });
          const PhraseRef each = function_of(s, "x", element_type(*along), [&](const PhraseRef& x) {
            std::vector<Moved> of_x, of_y;
            for (const Zipped& z : zipped_in(xs)) of_x.push_back({z.path, component_at(s, x, z.path)});
            for (const Zipped& z : zipped_in(ys)) {
              const Row* r = row_at(*rows, z.path);
              of_y.push_back({z.path, r ? component_at(s, x, r->from) : component_at(s, column, z.path)});
            }
            return with_components(s, with_components(s, g->body, f->name, of_x), g->name, of_y);
          });
          return map_of(s, "map", each, along);
        });
        return transpose_of(s, map_of(s, "map", by_column, columns));
      })};
}

// ------------------------------------------------------------------------------------------------- map with reduce
struct Fold {  // reduce (\x acc -> body) z xs
  const PrimPhrase* reduce;
  const LambdaPhrase *x, *acc;
};
std::optional<Fold> fold_of(const Phrase& p) {
  const PrimPhrase* r = as_reduce(p);
  const LambdaPhrase* x = r ? as_lambda(*r->arguments[0]) : nullptr;
  const LambdaPhrase* acc = x ? as_lambda(*x->body) : nullptr;
  if (!acc) return {};
  return Fold{r, x, acc};
}

// The starts of the sums: where each is the element of an array, that array.
tl::expected<PhraseRef, Refused> starts_of(Site& s, const PrimPhrase& map, const std::string& x, const PhraseRef& z) {
  if (!mentions_name(*z, x)) {
    if (!is_total(*z)) return refused("the start may trap, and would be evaluated where it was not");
    return replicate_of(s, map.sizes[0], z);
  }
  if (const auto c = component_of_name(*z))
    for (const Zipped& array : zipped_in(map.arguments[1]))
      if (array.path == c->path) return array.array;
  return refused("the start is made of the element that is mapped, and is neither it nor a component of it");
}

Outcome map_reduce(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  const LambdaPhrase* f = m ? as_lambda(*m->arguments[0]) : nullptr;
  const auto fold = f ? fold_of(*f->body) : std::nullopt;
  if (!fold) return no("it is no map without a level of a reduce");
  const PhraseRef& items = fold->reduce->arguments[2];
  const PhraseRef& body = fold->acc->body;
  const auto rows = rows_of(items, m->arguments[1], f->name);
  if (!rows) return tl::unexpected(rows.error());
  if (const auto ok = read_by_elements(*body, f->name, *rows); !ok) return tl::unexpected(ok.error());
  const auto is_row = [&](const Zipped& z) { return row_from(*rows, z.path) != nullptr; };
  for (const Zipped& z : zipped_in(m->arguments[1]))
    if (!is_row(z) && !is_total(*z.array))
      return refused("an array that is mapped may trap, which must not be forgotten");
  std::optional<Refused> wrong;
  const PhraseRef out = with_shared(s, m->arguments[1], is_row, [&](const PhraseRef& xs) {
    PrimPhrase named = *m;
    named.arguments[1] = xs;
    const auto starts = starts_of(s, named, f->name, fold->reduce->arguments[1]);
    if (!starts) {
      wrong = starts.error();
      return p;
    }
    const PhraseRef columns = zipped_again(s, items, [&](const Zipped& z) {
      const Row* r = row_at(*rows, z.path);
      return r ? transpose_of(s, array_at(xs, r->from)) : z.array;
    });
    const PhraseRef step = function_of(s, "column", element_type(*columns), [&](const PhraseRef& column) {
      return function_of(s, "accs", data_of(**starts), [&](const PhraseRef& accs) {
        // What stands beside each sum: elements of the column, and what the function reads of the element mapped.
        std::vector<Zipped> beside;  // by its path in an element of `items`, or of xs
        std::vector<bool> of_column;
        for (const Row& r : *rows) beside.push_back({r.at, component_at(s, column, r.at)}), of_column.push_back(true);
        for (const Zipped& z : zipped_in(xs))
          if (!is_row(z) && reads_component(*body, f->name, z.path)) beside.push_back(z), of_column.push_back(false);
        PhraseRef together = accs;
        for (std::size_t k = beside.size(); k-- > 0;) together = zip_of(s, beside[k].array, together);
        const PhraseRef each = function_of(s, "p", element_type(*together), [&](const PhraseRef& q) {
          std::vector<Moved> of_x, of_item;
          Components at;
          for (std::size_t k = 0; k < beside.size(); ++k, at.push_back(2)) {
            Components here = at;
            here.push_back(1);
            (of_column[k] ? of_item : of_x).push_back({beside[k].path, component_at(s, q, here)});
          }
          for (const Zipped& z : zipped_in(items))
            if (!row_at(*rows, z.path)) of_item.push_back({z.path, component_at(s, column, z.path)});
          PhraseRef result = with_components(s, body, fold->acc->name, {{{}, component_at(s, q, at)}});
          if (!of_x.empty()) result = with_components(s, result, f->name, of_x);
          return with_components(s, result, fold->x->name, of_item);
        });
        return map_of(s, "map", each, together);
      });
    });
    return reduce_of(s, fold->reduce->primitive->name, step, *starts, columns);
  });
  if (wrong) return tl::unexpected(*wrong);
  return Rewritten{out};
}

Outcome reduce_maps(const PhraseRef& p, const Words&, Site& s) {
  const auto fold = fold_of(*p);
  const PrimPhrase* m = fold ? as_call(*fold->acc->body, "map") : nullptr;
  const LambdaPhrase* f = m ? as_lambda(*m->arguments[0]) : nullptr;
  if (!f) return no("it is no reduce whose function is a map without a level");
  const std::string &x = fold->x->name, &acc = fold->acc->name;
  const PhraseRef& beside = m->arguments[1];
  std::vector<Components> sums;
  for (const Zipped& z : zipped_in(beside)) {
    const auto c = component_of_name(*z.array);
    if (c && c->name == acc && c->path.empty())
      sums.push_back(z.path);
    else if (mentions_name(*z.array, acc))
      return refused("an array that is mapped is made of the sums, and is not all of them");
  }
  if (sums.size() != 1) return refused("the map is not over the sums, each once");
  if (mentions_name(*f->body, acc)) return refused("the function reads other sums than its own");
  const auto rows = rows_of(beside, fold->reduce->arguments[2], x, acc);
  if (!rows) return tl::unexpected(rows.error());
  if (const auto ok = read_by_elements(*f->body, x, *rows); !ok) return tl::unexpected(ok.error());
  return Rewritten{with_shared(
      s, fold->reduce->arguments[2], [&](const Zipped& z) { return row_from(*rows, z.path) != nullptr; },
      [&](const PhraseRef& xs) {
        const PhraseRef over = zipped_again(s, beside, [&](const Zipped& z) {
          if (z.path == sums[0]) return fold->reduce->arguments[1];
          const Row* r = row_at(*rows, z.path);
          return r ? transpose_of(s, array_at(xs, r->from)) : z.array;
        });
        const PhraseRef each = function_of(s, "p", element_type(*over), [&](const PhraseRef& q) {
          const PhraseRef along = zipped_again(s, xs, [&](const Zipped& z) {
            const Row* r = row_from(*rows, z.path);
            return r ? component_at(s, q, r->at) : z.array;
          });
          const PhraseRef start = component_at(s, q, sums[0]);
          const PhraseRef step = function_of(s, "x", element_type(*along), [&](const PhraseRef& item) {
            return function_of(s, "acc", data_of(*start), [&](const PhraseRef& sum) {
              std::vector<Moved> of_p, of_x;
              for (const Zipped& z : zipped_in(beside)) {
                const Row* r = row_at(*rows, z.path);
                of_p.push_back({z.path, z.path == sums[0] ? sum
                                        : r               ? component_at(s, item, r->from)
                                                          : component_at(s, q, z.path)});
              }
              for (const Zipped& z : zipped_in(xs)) of_x.push_back({z.path, component_at(s, item, z.path)});
              return with_components(s, with_components(s, f->body, x, of_x), f->name, of_p);
            });
          });
          return reduce_of(s, fold->reduce->primitive->name, step, start, along);
        });
        return map_of(s, "map", each, over);
      })};
}

}  // namespace

RuleList interchange_rules() {
  return {
      {"mapInterchange",
       {},
       "map (\\x -> map (\\y -> e) ys) xs",
       "transpose (map (\\y -> map (\\x -> e) xs) ys)",
       "ys, or an array that is zipped in it, is the same for all x, or is a row of xs, of which e reads elements "
       "only: "
       "then the transpose of these rows; arrays that are kept cannot trap",
       "",
       map_interchange},
      {"mapReduce",
       {},
       "map (\\row -> reduce f z row) rows",
       "reduce (\\column accs -> map (\\p -> f (fst p) (snd p)) (zip column accs)) (replicate n z) (transpose rows)",
       "also where arrays are zipped with row, which are the same for all rows, and f reads what is zipped with rows; "
       "z "
       "the same for all, or zipped with rows; what is evaluated otherwise than it was cannot trap",
       "",
       map_reduce},
      {"reduceMaps",
       {},
       "reduce (\\column accs -> map (\\p -> f (fst p) (snd p)) (zip column accs)) zs columns",
       "map (\\p -> reduce f (snd p) (fst p)) (zip (transpose columns) zs)",
       "also where arrays are zipped with columns, of which f reads elements; the map is over the sums, each once",
       "",
       reduce_maps},
  };
}

}  // namespace lockstep::rewriting
