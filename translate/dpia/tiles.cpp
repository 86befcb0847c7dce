// Sums of columns, row by row, and products in tiles (after Goto, van de Geijn, 2008): of a map of maps of a reduction,
// which reads columns, six rows and a short vector of columns at a time, whose sums stay in registers. The rules are a
// derivation's (translate/rewriting): none changes the order of a sum, so that floats keep their bits and no operator
// needs a law.
#include "translate/dpia/tiles.h"

#include "semantics/functional/names.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/stage.h"
#include "translate/rewriting/derivation.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/terms.h"

namespace lockstep {
namespace {

// A map of reductions, of columns.
struct Columns {
  const PrimPhrase *columns, *sum;
  Region region;  // of the sum
};
std::optional<Columns> columns_at(const Phrase& p) {
  const PrimPhrase* columns = rewriting::as_call(p, "map");
  const LambdaPhrase* column = columns ? rewriting::as_lambda(*columns->arguments[0]) : nullptr;
  const PrimPhrase* sum = column ? rewriting::as_call(*column->body, "reduce") : nullptr;
  if (!sum || !rewriting::as_call(*columns->arguments[1], "transpose")) return {};
  return Columns{columns, sum, column->body->region};
}

// In numbers; nothing of what is added up and is no number.
std::optional<TileSizes> sizes_for(const Type& sum, TileSizes tiles) {
  const auto* t = as<ScalarType>(sum);
  if (!t || *t == ScalarType::Bool) return {};
  const std::int64_t bytes = bytes_of(*t);
  constexpr std::int64_t most_lanes = 16;  // of a short vector
  if (tiles.lanes == 0) tiles.lanes = std::min(most_lanes, 64 / bytes);
  if (tiles.columns == 0) tiles.columns = 1024 / bytes;
  return tiles;
}

const rewriting::RuleList& rules() {
  static const rewriting::RuleList all = rewriting::all_rules();
  return all;
}

class Tiles {
 public:
  Tiles(const PhraseProgram& p, const Calculus& calculus, std::vector<LoopDecision>* decisions)
      : program_(p),
        tiles_(p.tiles),
        calculus_(calculus),
        context_(context_of(p)),
        names_(names_of(p)),
        decisions_(decisions) {}

  PhraseRef run(const PhraseRef& p) {
    if (const auto product = product_in(p)) return *product;
    if (const auto sums = sums_in(p)) return *sums;
    if (const auto sums = sums_of_rows(p)) return *sums;
    return map_children(p, [&](const PhraseRef& c) { return run(c); });
  }
  bool any() const { return any_; }

 private:
  bool is_few(const Size& n, std::int64_t most) const {
    return context_.proves({n, SizeRelation::LessEqual, Size(most)});
  }
  std::optional<PhraseRef> product_in(const PhraseRef& p) {
    const PrimPhrase* rows = rewriting::as_call(*p, "map");
    const LambdaPhrase* row = rows ? rewriting::as_lambda(*rows->arguments[0]) : nullptr;
    const auto x = row ? columns_at(*row->body) : std::nullopt;
    const auto tiles = x ? sizes_for(x->sum->types[1], tiles_) : std::nullopt;
    if (!tiles || is_few(rows->sizes[0], tiles->rows - 1) || is_few(x->columns->sizes[0], tiles->lanes - 1)) return {};
    return derived(p, 1, *x, *tiles, "product", LoopDecision::InTiles);
  }
  std::optional<PhraseRef> sums_in(const PhraseRef& p) {
    const auto x = columns_at(*p);
    const auto tiles = x ? sizes_for(x->sum->types[1], tiles_) : std::nullopt;
    if (!tiles || is_few(x->columns->sizes[0], tiles->lanes - 1)) return {};
    return derived(p, 1, *x, *tiles, "sums", LoopDecision::ByRows);
  }
  // The same, as whoever writes it has turned it round already: a sum of rows, of which each element is a sum.
  std::optional<PhraseRef> sums_of_rows(const PhraseRef& p) {
    const PrimPhrase* sum = rewriting::as_call(*p, "reduce");
    const auto* sums = sum ? as<ArrayType>(sum->types[1]) : nullptr;
    const auto tiles = sums ? sizes_for(*sums->element, tiles_) : std::nullopt;
    if (!tiles || is_few(sums->length, tiles->lanes - 1)) return {};
    return derived(p, 2, {sum, sum, p->region}, *tiles, "sumsOfRows", LoopDecision::ByRows);
  }
  // Of the array that the loop takes, where it is more than views of what there is, by name.
  std::optional<PhraseRef> derived(const PhraseRef& p, std::size_t taken, const Columns& x, const TileSizes& tiles,
                                   const std::string& strategy, LoopDecision::What what) {
    const auto source = std::make_shared<const Source>(Source{"tiles", tile_definitions(tiles) + strategy + "\n"});
    PrimPhrase loop = std::get<PrimPhrase>(p->node);
    const PhraseRef array = loop.arguments[taken];
    const std::string name = names_.fresh("xs");
    const bool named = !rewriting::is_cheap_view(*array);
    if (named) loop.arguments[taken] = ident(name, array->type);
    PhraseProgram alone = program_;
    alone.body = Phrase{p->type, std::move(loop), p->region};
    std::set<std::string> around;  // names that are bound there stay what they are
    collect_free(*alone.body, around);
    for (const std::string& free : around) alone.parameters.emplace_back(free, scalar(ScalarType::I64));
    const auto steps =
        rewriting::derive(alone, *rewriting::parse_strategy(source, rules()).value(), {calculus_, rules(), {}, {}});
    if (!steps) return {};
    if (decisions_) decisions_->push_back({x.sum->primitive->name, x.region, what, {}, {}});
    any_ = true;
    const PhraseRef& out = steps->back().program.body;
    return named ? let(name, run(array), out) : out;
  }

  bool any_ = false;
  const PhraseProgram& program_;
  const TileSizes tiles_;
  const Calculus& calculus_;
  const SizeContext context_;
  Names names_;
  std::vector<LoopDecision>* decisions_;
};

}  // namespace

// Sums: those of all columns of a block at a time, row by row, since a row's elements lie side by side. Products: rows
// and columns that no tile has, and there are few of them: rows one by one, in vectors of columns; columns of all rows
// of a tile at a time.
std::string tile_definitions(const TileSizes& tiles, std::int64_t vectors, std::int64_t block) {
  const std::string w = std::to_string(tiles.lanes * vectors), v = std::to_string(tiles.lanes),
                    rows = std::to_string(tiles.rows);
  return "def columns { mapReduce ; reduceSeq ; at 0.0.0 mapLevel seq }\n"
         "def sums { splitJoinRest " +
         std::to_string(tiles.columns) +
         " ; at 0.0 at 0.0 columns ; at 1 columns }\n"
         "def sumsOfRows { reduceMaps ; try zipReplicate ; sums }\n"
         "def tile { at 0.0 mapReduce ; mapReduce ; reduceSeq ; at 0.0.0 (mapLevel unroll ; at 0.0 vectorise " +
         v +
         ") }\n"
         "def panels { mapInterchange ; at 0 (splitJoinRest " +
         w +
         " ; at 0.0 (mapLevel seq ; at 0.0 (mapInterchange ; at 0 tile)) ;\n"
         "  at 1 (mapInterchange ; at 0 (mapLevel seq ; at 0.0 columns))) }\n"
         "def row { splitJoinRest " +
         w + " ; at 0.0 (mapLevel seq ; at 0.0 (mapReduce ; reduceSeq ; at 0.0.0 vectorise " + v +
         ")) ; at 1 (mapLevel seq ; at 0.0 reduceSeq) }\n"
         "def product { splitJoinRest " +
         rows +
         " ; at 0.0 at 0.0 panels ; at 1 at 0.0 row }\n"
         "def copied { at 1 (asColumns ; at 0 copy) ; bind (1.0) ; at 1 (mapInterchange ; at 0 (splitJoinRest " +
         rows +
         " ;\n"
         "  at 0.0 (mapLevel seq ; at 0.0 tile) ; at 1 (mapLevel seq ; at 0.0 (mapReduce ; reduceSeq ; at 0.0.0 "
         "vectorise " +
         v +
         ")))) }\n"
         "def inBlock { mapInterchange ; at 0 (splitJoinRest " +
         w +
         " ; at 0.0 (mapLevel seq ; at 0.0 copied) ;\n"
         "  at 1 (mapInterchange ; at 0 (mapLevel seq ; at 0.0 columns))) }\n"
         "def packed { splitJoinRest " +
         std::to_string(block) + " ; at 0.0 at 0.0 inBlock ; at 1 inBlock }\n";
}

PhraseProgram in_tiles(const PhraseProgram& p, const Calculus& calculus, std::vector<LoopDecision>* decisions) {
  Tiles made(p, calculus, decisions);
  PhraseProgram out = p;
  out.body = made.run(p.body);
  return made.any() ? with_own_names(std::move(out)) : p;
}

Stage tiles(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "tiles", "Goto, van de Geijn, 2008, ours", l.functional, l.functional,
      [c = l.calculus](const PhraseProgram& p, Owed*) { return in_tiles(p, *c); });
}

}  // namespace lockstep
