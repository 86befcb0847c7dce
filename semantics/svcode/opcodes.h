// The instructions of SVCODE: p of Fig. 4.1 and what the translation of every built-in needs. A row each, in the words
// of opcode_row.h, with its meaning for readers above it; who includes this says what becomes of a row. f, g:
// descriptors; b: S Bool; n, i: S Int.
#ifndef OPCODE
#define OPCODE(...)
#endif

// ctrl                       ⟨*⟩, the control stream of the whole program
OPCODE(Ctrl, .name = "ctrl", .gives = ElementType::Unit, .clock = ClockRule::Root, .pieces = PieceRule::Single,
       .length = one, .eager = eager::ctrl, .step = chunked::ctrl)
// input k                    leaf k of the entry point's arguments, left to right (`number`)
OPCODE(Input, .name = "input", .extra = Extra::Number, .gives = ElementType::Own, .pace = Pace::Own,
       .clock = ClockRule::Input, .pieces = PieceRule::Input, .content = Content::Outside, .eager = eager::input,
       .step = chunked::input)
// rep a s                    a for each element of s (map_const)
OPCODE(Rep, .name = "rep", .extra = Extra::Atom, .operands = takes(any), .gives = ElementType::Own,
       .clock = ClockRule::Elementwise, .pieces = PieceRule::Rep, .counted = 0, .length = length_of(0),
       .eager = eager::rep, .step = chunked::rep)
// constant a n               n times a, of its own (§4.3.1); `number` is n
OPCODE(Constant, .name = "constant", .extra = Extra::AtomNumber, .gives = ElementType::Own, .pace = Pace::Own,
       .clock = ClockRule::Constant, .length = given_number, .eager = eager::constant, .step = chunked::constant)
// map_op s1 ... sk           elementwise; traps as the operator does
OPCODE(Map, .name = "map", .extra = Extra::Operator, .operands = groups_of(any), .gives = ElementType::Own,
       .effect = Effect::ByOperator, .clock = ClockRule::Map, .pieces = PieceRule::Map, .counted = each(0, 1),
       .length = length_of(0), .rule = ElementRule::Computed, .eager = eager::map, .step = chunked::map)
// usum f                     a unit for each F: the child's control stream
OPCODE(Usum, .name = "usum", .operands = takes(segmented), .gives = ElementType::Unit, .clock = ClockRule::OfChildren,
       .pieces = PieceRule::Usum, .length = children_of(0), .eager = eager::usum, .step = chunked::usum)
// pdist s f                  each element of s for each F of its segment
OPCODE(Pdist, .name = "pdist", .operands = takes(own, segmented), .gives = ElementType::Own, .clock = ClockRule::Pdist,
       .pieces = PieceRule::Pdist, .counted = 0, .length = children_of(1), .elements = 0, .eager = eager::pdist,
       .step = chunked::pdist, .ahead = chunked::ahead_of_pdist)
// pack s b                   the elements where b
OPCODE(Pack, .name = "pack", .operands = takes(own, flags), .gives = ElementType::Own, .clock = ClockRule::Pack,
       .pieces = PieceRule::ByOperands, .counted = 0, .length = trues_of(1), .elements = 0, .eager = eager::pack,
       .step = chunked::pack, .ahead = chunked::ahead_of_first)
// upack f b                  the segments (unary numbers) of f where b
OPCODE(Upack, .name = "upack", .operands = takes(segmented, flags), .gives = ElementType::Bool,
       .clock = ClockRule::Upack, .pieces = PieceRule::ByOperands, .trues = trues_of(1), .segments = kept(0),
       .rule = ElementRule::Unary, .eager = eager::upack, .step = chunked::upack)
// b2u b                      F -> ⟨T⟩, T -> ⟨F,T⟩
OPCODE(B2u, .name = "b2u", .operands = takes(flags), .gives = ElementType::Bool, .clock = ClockRule::B2u,
       .pieces = PieceRule::ByOperands, .length = length_of(0) + trues_of(0), .trues = length_of(0),
       .children = trues_of(0), .segments = numbered, .rule = ElementRule::Unary, .eager = eager::b2u,
       .step = chunked::b2u)
// unpack b t e               for T the next of t, for F the next of e
OPCODE(Unpack, .name = "unpack", .operands = takes(flags, own, own), .gives = ElementType::Own,
       .clock = ClockRule::Unpack, .pieces = PieceRule::ByOperands, .counted = each(1, 1), .length = length_of(0),
       .elements = each(1, 1), .eager = eager::unpack, .step = chunked::unpack)
// to_flags n                 n_i times F and a T; n_i >= 0
OPCODE(ToFlags, .name = "to_flags", .operands = takes(ints), .gives = ElementType::Bool, .pace = Pace::Own,
       .clock = ClockRule::Source, .pieces = PieceRule::ByOperands, .length = length_of(0) + sum_of(0),
       .trues = length_of(0), .children = sum_of(0), .segments = numbered, .rule = ElementRule::Unary,
       .undoes = Opcode::Lens, .eager = eager::to_flags, .step = chunked::to_flags)
// lens f                     the length of each segment
OPCODE(Lens, .name = "lens", .operands = takes(segmented), .gives = ElementType::Int, .clock = ClockRule::AfterEnd,
       .pieces = PieceRule::ByOperands, .length = trues_of(0), .rule = ElementRule::Lengths, .undoes = Opcode::ToFlags,
       .eager = eager::lens, .step = chunked::lens)
// short f                    general to short form; tail_flags
OPCODE(Short, .name = "short", .operands = takes(segmented), .gives = ElementType::Bool, .clock = ClockRule::Lookahead,
       .pieces = PieceRule::Short, .length = children_of(0), .rule = ElementRule::LastFlags, .eager = eager::short_form,
       .step = chunked::short_form)
// ends e                     short (or any flag for each element) to general form: F, or ⟨F,T⟩ where T
OPCODE(Ends, .name = "ends", .operands = takes(flags), .gives = ElementType::Bool, .clock = ClockRule::Ends,
       .pieces = PieceRule::Ends, .length = length_of(0) + trues_of(0), .trues = trues_of(0), .children = length_of(0),
       .segments = parted, .eager = eager::ends, .step = chunked::ends)
// cons a s                   ⟨a, s_0, ..., s_(l-2)⟩
OPCODE(Cons, .name = "cons", .extra = Extra::Atom, .operands = takes(own), .gives = ElementType::Own,
       .clock = ClockRule::Elementwise, .pieces = PieceRule::Cons, .counted = 0, .length = length_of(0), .elements = 0,
       .eager = eager::cons, .step = chunked::cons)
// segscan_R s e              exclusive, e short
OPCODE(Segscan, .name = "segscan", .extra = Extra::Monoid, .operands = takes(own, flags), .gives = ElementType::Own,
       .clock = ClockRule::Elementwise, .pieces = PieceRule::Segscan, .length = length_of(0),
       .rule = ElementRule::Prefixes, .eager = eager::segscan, .step = chunked::segscan)
// segreduce_R s f            one for each segment of f, the identity for an empty one
OPCODE(Segreduce, .name = "segreduce", .extra = Extra::Monoid, .operands = takes(own, segmented),
       .gives = ElementType::Own, .clock = ClockRule::AfterEnd, .pieces = PieceRule::ByOperands, .length = trues_of(1),
       .rule = ElementRule::Folds, .eager = eager::segreduce, .step = chunked::segreduce)
// iotas f                    0, 1, ... in each segment
OPCODE(Iotas, .name = "iotas", .operands = takes(segmented), .gives = ElementType::Int, .clock = ClockRule::OfChildren,
       .pieces = PieceRule::ByOperands, .length = children_of(0), .rule = ElementRule::Positions, .eager = eager::iotas,
       .step = chunked::iotas)
// usegsum f g                g's segments are f's children: appended for each segment of f
OPCODE(Usegsum, .name = "usegsum", .operands = takes(segmented, segmented), .gives = ElementType::Bool,
       .clock = ClockRule::Usegsum, .pieces = PieceRule::Usegsum, .length = trues_of(0) + children_of(1),
       .trues = trues_of(0), .children = children_of(1), .segments = appended, .rule = ElementRule::Unary,
       .eager = eager::usegsum, .step = chunked::usegsum)
// uempty f                   for each segment whether it is empty, known at its first flag
OPCODE(Uempty, .name = "uempty", .operands = takes(segmented), .gives = ElementType::Bool, .clock = ClockRule::Uempty,
       .pieces = PieceRule::ByOperands, .length = trues_of(0), .rule = ElementRule::Emptiness, .eager = eager::uempty,
       .step = chunked::uempty)
// pmerge s1 ... sk           round robin, an element each
OPCODE(Pmerge, .name = "pmerge", .operands = groups_of(own), .gives = ElementType::Own, .pace = Pace::InTurn,
       .clock = ClockRule::Pmerge, .pieces = PieceRule::Pmerge, .counted = each(0, 1), .length = length_of(each(0, 1)),
       .elements = each(0, 1), .eager = eager::pmerge, .step = chunked::pmerge)
// umerge f1 ... fk           round robin, a segment (unary number) each, each with its T
OPCODE(Umerge, .name = "umerge", .operands = groups_of(segmented), .gives = ElementType::Bool, .pace = Pace::InTurn,
       .clock = ClockRule::Umerge, .pieces = PieceRule::ByOperands, .length = length_of(each(0, 1)),
       .trues = trues_of(each(0, 1)), .children = children_of(each(0, 1)), .segments = kept(each(0, 1)),
       .rule = ElementRule::Unary, .eager = eager::umerge, .step = chunked::umerge)
// uappend f1 ... fk          for each segment the F's of all, then one T
OPCODE(Uappend, .name = "uappend", .operands = groups_of(segmented), .gives = ElementType::Bool,
       .clock = ClockRule::MergeSegments, .pieces = PieceRule::ByOperands,
       .length = children_of(each(0, 1)) + trues_of(0), .trues = trues_of(0), .children = children_of(each(0, 1)),
       .segments = side_by_side, .rule = ElementRule::Unary, .eager = eager::uappend, .step = chunked::uappend)
// segmerge f1 s1 ... fk sk   round robin, a segment each
OPCODE(Segmerge, .name = "segmerge", .operands = groups_of(segmented, own), .gives = ElementType::Own,
       .clock = ClockRule::MergeSegments, .pieces = PieceRule::ByOperands, .counted = each(1, 2),
       .length = length_of(each(1, 2)), .elements = each(1, 2), .eager = eager::segmerge, .step = chunked::segmerge)
// usegmerge f1 g1 ... fk gk  round robin, a segment (f) of unary numbers (g) each
OPCODE(Usegmerge, .name = "usegmerge", .operands = groups_of(segmented, segmented), .gives = ElementType::Bool,
       .clock = ClockRule::Usegmerge, .pieces = PieceRule::ByOperands, .length = length_of(each(1, 2)),
       .trues = trues_of(each(1, 2)), .children = children_of(each(1, 2)), .segments = kept(each(1, 2)),
       .rule = ElementRule::Unary, .eager = eager::usegmerge, .step = chunked::usegmerge)
// segtab s f                 s, grouped by the segments of f: a whole one is in memory at a time
OPCODE(Segtab, .name = "segtab", .operands = takes(own, segmented), .gives = ElementType::Own, .in_memory = true,
       .clock = ClockRule::Segtab, .pieces = PieceRule::ByOperands, .length = length_of(0), .elements = 0,
       .content = Content::Same, .eager = eager::segtab, .step = chunked::segtab, .ahead = chunked::ahead_of_first)
// so_gather starts i s       s at starts + i, absolute; s is grouped, and the group of starts ascends
OPCODE(Gather, .name = "so_gather", .operands = takes(ints, ints, base), .gives = ElementType::Own,
       .clock = ClockRule::Gather, .pieces = PieceRule::Gather, .length = length_of(1), .from_base = length_of(0),
       .elements = 2, .rule = ElementRule::Gathered, .eager = eager::gather, .step = chunked::gather,
       .ahead = chunked::ahead_of_gather)
// check b s1 ... sk          trap of `primitive` where F: in `text`, what is wrong, {0} {1} stand for the values of
//                            s1 ... sk there; a unit for each T
OPCODE(Check, .name = "check", .extra = Extra::Trap, .operands = takes_and_any_more(flags, any),
       .gives = ElementType::Unit, .effect = Effect::Fails, .clock = ClockRule::Elementwise,
       .pieces = PieceRule::ByOperands, .counted = each(1, 1), .length = length_of(0), .eager = eager::check,
       .step = chunked::check)
// read_file starts lens s    for each name (a slice of s) its characters as Int, and 256 at the file's end
OPCODE(ReadFile, .name = "read_file", .operands = takes(ints, ints, text), .gives = ElementType::Int,
       .effect = Effect::Files, .pace = Pace::Own, .clock = ClockRule::Source, .from_base = sum_of(1),
       .content = Content::Outside, .eager = eager::read_file, .step = chunked::read_file)
// write_file starts lens s c f   for each name the segment of f of the characters c; a unit each
OPCODE(WriteFile, .name = "write_file", .operands = takes(ints, ints, text, characters, segmented),
       .gives = ElementType::Unit, .effect = Effect::Files, .clock = ClockRule::AfterEnd, .length = length_of(0),
       .from_base = sum_of(1), .eager = eager::write_file, .step = chunked::write_file)

// Special cases of one segment, or where the source is not lifted (§4.3): the whole stream is the segment.

// range n                    n is ⟨n_0⟩: 0, ..., n_0 - 1
OPCODE(Range, .name = "range", .operands = takes(ints), .gives = ElementType::Int, .pace = Pace::Own,
       .clock = ClockRule::Source, .length = only_of(0), .rule = ElementRule::Numbers, .eager = eager::range,
       .step = chunked::range)
// terminated s               the descriptor of s as one segment: F for each element, T at its end
OPCODE(Terminated, .name = "terminated", .operands = takes(any), .gives = ElementType::Bool, .clock = ClockRule::Whole,
       .pieces = PieceRule::Terminated, .counted = 0, .length = length_of(0) + one, .trues = one,
       .children = length_of(0), .rule = ElementRule::Unary, .content = Content::OfLength, .eager = eager::terminated,
       .step = chunked::terminated)
// reduce_R s                 one element
OPCODE(Reduce, .name = "reduce", .extra = Extra::Monoid, .operands = takes(own), .gives = ElementType::Own,
       .clock = ClockRule::Whole, .length = one, .rule = ElementRule::Fold, .eager = eager::reduce,
       .step = chunked::reduce)
// scan_R s                   exclusive
OPCODE(Scan, .name = "scan", .extra = Extra::Monoid, .operands = takes(own), .gives = ElementType::Own,
       .clock = ClockRule::Elementwise, .pieces = PieceRule::Scan, .length = length_of(0),
       .rule = ElementRule::Prefixes, .eager = eager::scan, .step = chunked::scan, .ahead = chunked::ahead_of_scan)
// read_whole starts lens s   one name: its characters
OPCODE(ReadWhole, .name = "read_whole", .operands = takes(ints, ints, text), .gives = ElementType::Char,
       .effect = Effect::Files, .pace = Pace::Own, .clock = ClockRule::Source, .from_base = sum_of(1),
       .content = Content::Outside, .eager = eager::read_whole, .step = chunked::read_whole)

// Several in one, of networks only (semantics/transducer): what they are in the instructions above.

// usegsum_b2u f b            usegsum f (b2u b)
OPCODE(UsegsumB2u, .name = "usegsum_b2u", .fused = true, .operands = takes(segmented, flags),
       .gives = ElementType::Bool, .clock = ClockRule::OfNetworks, .length = trues_of(0) + trues_of(1),
       .trues = trues_of(0), .children = trues_of(1), .rule = ElementRule::Unary, .eager = eager::usegsum_b2u,
       .step = chunked::usegsum_b2u)
// ends_among f b             short (usegsum f (b2u b)), where b holds at each end of f
OPCODE(EndsAmong, .name = "ends_among", .fused = true, .operands = takes(segmented, flags), .gives = ElementType::Bool,
       .clock = ClockRule::OfNetworks, .length = trues_of(1), .eager = eager::ends_among, .step = chunked::ends_among)
// segcount b f               segreduce_plus (map_i64 b) f
OPCODE(Segcount, .name = "segcount", .fused = true, .operands = takes(flags, segmented), .gives = ElementType::Int,
       .clock = ClockRule::OfNetworks, .length = trues_of(1), .eager = eager::segcount, .step = chunked::segcount)
// count_true b               reduce_plus (map_i64 b)
OPCODE(CountTrue, .name = "count_true", .fused = true, .operands = takes(flags), .gives = ElementType::Int,
       .clock = ClockRule::OfNetworks, .length = one, .eager = eager::count_true, .step = chunked::count_true)
// count_compare_op b e n     map_op (segscan_plus (map_i64 b) e) (pdist n (ends e)); n first where `number` is 1
OPCODE(CountCompare, .name = "count_compare", .fused = true, .extra = Extra::OperatorNumber,
       .operands = takes(flags, flags, ints), .gives = ElementType::Bool, .clock = ClockRule::OfNetworks,
       .length = length_of(0), .eager = eager::count_compare, .step = chunked::count_compare)
// last_flag s                short (terminated s)
OPCODE(LastFlag, .name = "last_flag", .fused = true, .operands = takes(any), .gives = ElementType::Bool,
       .clock = ClockRule::OfNetworks, .length = length_of(0), .eager = eager::last_flag, .step = chunked::last_flag)
// terminated_count b         usegsum (terminated s) (b2u b), s as long as b
OPCODE(TerminatedCount, .name = "terminated_count", .fused = true, .operands = takes(flags), .gives = ElementType::Bool,
       .clock = ClockRule::OfNetworks, .length = trues_of(0) + one, .trues = one, .children = trues_of(0),
       .rule = ElementRule::Unary, .eager = eager::terminated_count, .step = chunked::terminated_count)
// ended a f s                segmerge f s (to_flags 1) a: an a after each segment
OPCODE(Ended, .name = "ended", .fused = true, .extra = Extra::Atom, .operands = takes(segmented, own),
       .gives = ElementType::Own, .clock = ClockRule::OfNetworks, .length = length_of(0), .elements = 1,
       .eager = eager::ended, .step = chunked::ended)
// all_of g                   usegsum f g where f is one segment
OPCODE(AllOf, .name = "all_of", .fused = true, .operands = takes(segmented), .gives = ElementType::Bool,
       .clock = ClockRule::OfNetworks, .length = children_of(0) + one, .trues = one, .children = children_of(0),
       .rule = ElementRule::Unary, .eager = eager::all_of, .step = chunked::all_of)

#undef OPCODE
