// The instructions of SVCODE: p of Fig. 4.1 and what the translation of every built-in needs. A row each: its name in
// the enum, its form, its meaning for readers, and what opcode_row.h has words for; who includes this says what becomes
// of a row. f, g: descriptors; b: S Bool; n, i: S Int; e: short.
#ifndef OPCODE
#define OPCODE(...)
#endif

OPCODE(Ctrl, "ctrl", "⟨*⟩, the control stream of the whole program", .gives = ElementType::Unit,
       .clock = ClockRule::Root, .pieces = PieceRule::Single, .length = one, .eager = eager::ctrl,
       .step = chunked::ctrl)
OPCODE(Input, "input k", "leaf k of the entry point's arguments, left to right", .extra = Extra::Number,
       .gives = ElementType::Own, .pace = Pace::Own, .clock = ClockRule::Input, .pieces = PieceRule::Input,
       .called = Called::Parameter, .content = Content::Outside, .eager = eager::input, .step = chunked::input)
OPCODE(Rep, "rep a s", "a for each element of s (map_const)", .extra = Extra::Atom, .operands = takes(any),
       .gives = ElementType::Own, .clock = ClockRule::Elementwise, .pieces = PieceRule::Rep, .counted = 0,
       .length = length_of(0), .eager = eager::rep, .step = chunked::rep)
OPCODE(Constant, "constant a n", "n times a, of its own (§4.3.1)", .extra = Extra::Repeated, .gives = ElementType::Own,
       .pace = Pace::Own, .clock = ClockRule::Constant, .length = given_number, .eager = eager::constant,
       .step = chunked::constant)
OPCODE(Map, "map_op s1 ... sk", "elementwise; traps as the operator does", .extra = Extra::Operator,
       .operands = groups_of(any), .gives = ElementType::Own, .effect = Effect::ByOperator, .clock = ClockRule::Map,
       .pieces = PieceRule::Map, .counted = each(0, 1), .length = length_of(0), .rule = ElementRule::Computed,
       .eager = eager::map, .step = chunked::map)
OPCODE(Usum, "usum f", "a unit for each F: the child's control stream", .operands = takes(segmented),
       .gives = ElementType::Unit, .clock = ClockRule::OfChildren, .pieces = PieceRule::Usum, .length = children_of(0),
       .eager = eager::usum, .step = chunked::usum)
OPCODE(Pdist, "pdist s f", "each element of s for each F of its segment", .operands = takes(own, segmented),
       .gives = ElementType::Own, .clock = ClockRule::Pdist, .pieces = PieceRule::Pdist, .counted = 0,
       .length = children_of(1), .elements = 0, .eager = eager::pdist, .step = chunked::pdist,
       .ahead = chunked::ahead_of_pdist)
OPCODE(Pack, "pack s b", "the elements where b", .operands = takes(own, flags), .gives = ElementType::Own,
       .clock = ClockRule::Pack, .pieces = PieceRule::ByOperands, .counted = 0, .length = trues_of(1), .elements = 0,
       .eager = eager::pack, .step = chunked::pack, .ahead = chunked::ahead_of_first)
OPCODE(Upack, "upack f b", "the segments (unary numbers) of f where b", .operands = takes(segmented, flags),
       .gives = ElementType::Bool, .clock = ClockRule::Upack, .pieces = PieceRule::ByOperands, .trues = trues_of(1),
       .segments = kept(0), .rule = ElementRule::Unary, .eager = eager::upack, .step = chunked::upack)
OPCODE(B2u, "b2u b", "F -> ⟨T⟩, T -> ⟨F,T⟩", .operands = takes(flags), .gives = ElementType::Bool,
       .clock = ClockRule::B2u, .pieces = PieceRule::ByOperands, .length = length_of(0) + trues_of(0),
       .trues = length_of(0), .children = trues_of(0), .segments = numbered, .rule = ElementRule::Unary,
       .eager = eager::b2u, .step = chunked::b2u)
OPCODE(Unpack, "unpack b t e", "for T the next of t, for F the next of e", .operands = takes(flags, own, own),
       .gives = ElementType::Own, .clock = ClockRule::Unpack, .pieces = PieceRule::ByOperands, .counted = each(1, 1),
       .length = length_of(0), .elements = each(1, 1), .eager = eager::unpack, .step = chunked::unpack)
OPCODE(ToFlags, "to_flags n", "n_i times F and a T; n_i >= 0", .operands = takes(ints), .gives = ElementType::Bool,
       .pace = Pace::Own, .clock = ClockRule::Source, .pieces = PieceRule::ByOperands,
       .length = length_of(0) + sum_of(0), .trues = length_of(0), .children = sum_of(0), .segments = numbered,
       .rule = ElementRule::Unary, .undoes = Opcode::Lens, .eager = eager::to_flags, .step = chunked::to_flags)
OPCODE(Lens, "lens f", "the length of each segment", .operands = takes(segmented), .gives = ElementType::Int,
       .clock = ClockRule::AfterEnd, .pieces = PieceRule::ByOperands, .length = trues_of(0),
       .rule = ElementRule::Lengths, .undoes = Opcode::ToFlags, .eager = eager::lens, .step = chunked::lens)
OPCODE(Short, "short f", "general to short form; tail_flags", .operands = takes(segmented), .gives = ElementType::Bool,
       .clock = ClockRule::Lookahead, .pieces = PieceRule::Short, .length = children_of(0),
       .rule = ElementRule::LastFlags, .eager = eager::short_form, .step = chunked::short_form)
OPCODE(Ends, "ends e", "short (or any flag for each element) to general form: F, or ⟨F,T⟩ where T",
       .operands = takes(flags), .gives = ElementType::Bool, .clock = ClockRule::Ends, .pieces = PieceRule::Ends,
       .length = length_of(0) + trues_of(0), .trues = trues_of(0), .children = length_of(0), .segments = parted,
       .eager = eager::ends, .step = chunked::ends)
OPCODE(Cons, "cons a s", "⟨a, s_0, ..., s_(l-2)⟩", .extra = Extra::Atom, .operands = takes(own),
       .gives = ElementType::Own, .clock = ClockRule::Elementwise, .pieces = PieceRule::Cons, .counted = 0,
       .length = length_of(0), .elements = 0, .eager = eager::cons, .step = chunked::cons)
OPCODE(Segscan, "segscan_R s e", "of each all before it in its segment, combined; e is short", .extra = Extra::Monoid,
       .operands = takes(own, flags), .gives = ElementType::Own, .clock = ClockRule::Elementwise,
       .pieces = PieceRule::Segscan, .length = length_of(0), .rule = ElementRule::Prefixes, .eager = eager::segscan,
       .step = chunked::segscan)
OPCODE(Segreduce, "segreduce_R s f", "each segment of f, combined: the identity for an empty one",
       .extra = Extra::Monoid, .operands = takes(own, segmented), .gives = ElementType::Own,
       .clock = ClockRule::AfterEnd, .pieces = PieceRule::ByOperands, .length = trues_of(1), .rule = ElementRule::Folds,
       .eager = eager::segreduce, .step = chunked::segreduce)
OPCODE(Iotas, "iotas f", "0, 1, ... in each segment", .operands = takes(segmented), .gives = ElementType::Int,
       .clock = ClockRule::OfChildren, .pieces = PieceRule::ByOperands, .called = Called::Expression,
       .length = children_of(0), .rule = ElementRule::Positions, .eager = eager::iotas, .step = chunked::iotas)
OPCODE(Usegsum, "usegsum f g", "g's segments are f's children: appended for each segment of f",
       .operands = takes(segmented, segmented), .gives = ElementType::Bool, .clock = ClockRule::Usegsum,
       .pieces = PieceRule::Usegsum, .length = trues_of(0) + children_of(1), .trues = trues_of(0),
       .children = children_of(1), .segments = appended, .rule = ElementRule::Unary, .eager = eager::usegsum,
       .step = chunked::usegsum)
OPCODE(Uempty, "uempty f", "for each segment whether it is empty, known at its first flag",
       .operands = takes(segmented), .gives = ElementType::Bool, .clock = ClockRule::Uempty,
       .pieces = PieceRule::ByOperands, .length = trues_of(0), .rule = ElementRule::Emptiness, .eager = eager::uempty,
       .step = chunked::uempty)
OPCODE(Pmerge, "pmerge s1 ... sk", "round robin, an element each", .operands = two_groups_of(own),
       .gives = ElementType::Own, .pace = Pace::InTurn, .clock = ClockRule::Pmerge, .pieces = PieceRule::Pmerge,
       .counted = each(0, 1), .length = length_of(each(0, 1)), .elements = each(0, 1), .eager = eager::pmerge,
       .step = chunked::pmerge)
OPCODE(Umerge, "umerge f1 ... fk", "round robin, a segment (unary number) each, each with its T",
       .operands = two_groups_of(segmented), .gives = ElementType::Bool, .pace = Pace::InTurn,
       .clock = ClockRule::Umerge, .pieces = PieceRule::ByOperands, .length = length_of(each(0, 1)),
       .trues = trues_of(each(0, 1)), .children = children_of(each(0, 1)), .segments = kept(each(0, 1)),
       .rule = ElementRule::Unary, .eager = eager::umerge, .step = chunked::umerge)
OPCODE(Uappend, "uappend f1 ... fk", "for each segment the F's of all, then one T", .operands = groups_of(segmented),
       .gives = ElementType::Bool, .clock = ClockRule::MergeSegments, .pieces = PieceRule::ByOperands,
       .length = children_of(each(0, 1)) + trues_of(0), .trues = trues_of(0), .children = children_of(each(0, 1)),
       .segments = side_by_side, .rule = ElementRule::Unary, .eager = eager::uappend, .step = chunked::uappend)
OPCODE(Segmerge, "segmerge f1 s1 ... fk sk", "round robin, a segment each", .operands = two_groups_of(segmented, own),
       .gives = ElementType::Own, .clock = ClockRule::MergeSegments, .pieces = PieceRule::ByOperands,
       .counted = each(1, 2), .length = length_of(each(1, 2)), .elements = each(1, 2), .eager = eager::segmerge,
       .step = chunked::segmerge)
OPCODE(Usegmerge, "usegmerge f1 g1 ... fk gk", "round robin, a segment (f) of unary numbers (g) each",
       .operands = two_groups_of(segmented, segmented), .gives = ElementType::Bool, .clock = ClockRule::Usegmerge,
       .pieces = PieceRule::ByOperands, .length = length_of(each(1, 2)), .trues = trues_of(each(1, 2)),
       .children = children_of(each(1, 2)), .segments = kept(each(1, 2)), .rule = ElementRule::Unary,
       .eager = eager::usegmerge, .step = chunked::usegmerge)
OPCODE(Segtab, "segtab s f", "s, grouped by the segments of f: a whole one is in memory at a time",
       .operands = takes(own, segmented), .gives = ElementType::Own, .in_memory = true, .clock = ClockRule::Segtab,
       .pieces = PieceRule::ByOperands, .length = length_of(0), .elements = 0, .content = Content::Same,
       .eager = eager::segtab, .step = chunked::segtab, .ahead = chunked::ahead_of_first)
OPCODE(Gather, "so_gather starts i s", "s at starts + i, absolute; s is grouped, and the group of starts ascends",
       .operands = takes(ints, ints, base), .gives = ElementType::Own, .clock = ClockRule::Gather,
       .pieces = PieceRule::Gather, .length = length_of(1), .from_base = length_of(0), .elements = 2,
       .rule = ElementRule::Gathered, .eager = eager::gather, .step = chunked::gather,
       .ahead = chunked::ahead_of_gather)
OPCODE(Check, "check b s1 ... sk p t",
       "where F the trap of p: t, what is wrong, with the values of s1 ... sk for {0} {1} ...; a unit for each T",
       .extra = Extra::Failure, .operands = takes_and_any_more(flags, any), .gives = ElementType::Unit,
       .effect = Effect::Fails, .clock = ClockRule::Elementwise, .pieces = PieceRule::ByOperands, .counted = each(1, 1),
       .length = length_of(0), .eager = eager::check, .step = chunked::check)
OPCODE(ReadFile, "read_file starts lens s",
       "for each name (a slice of s) its characters as Int, and 256 at the file's end",
       .operands = takes(ints, ints, text), .gives = ElementType::Int, .effect = Effect::Files, .pace = Pace::Own,
       .clock = ClockRule::Source, .called = Called::Expression, .from_base = sum_of(1), .content = Content::Outside,
       .eager = eager::read_file, .step = chunked::read_file)
OPCODE(WriteFile, "write_file starts lens s c f", "for each name the segment of f of the characters c; a unit each",
       .operands = takes(ints, ints, text, characters, segmented), .gives = ElementType::Unit, .effect = Effect::Files,
       .clock = ClockRule::AfterEnd, .length = length_of(0), .from_base = sum_of(1), .eager = eager::write_file,
       .step = chunked::write_file)

// Special cases of one segment, or where the source is not lifted (§4.3): the whole stream is the segment.

OPCODE(Range, "range n", "n is ⟨n_0⟩: 0, ..., n_0 - 1", .operands = takes(ints), .gives = ElementType::Int,
       .pace = Pace::Own, .clock = ClockRule::Source, .called = Called::Expression, .length = only_of(0),
       .rule = ElementRule::Numbers, .eager = eager::range, .step = chunked::range)
OPCODE(Terminated, "terminated s", "the descriptor of s as one segment: F for each element, T at its end",
       .operands = takes(any), .gives = ElementType::Bool, .clock = ClockRule::Whole, .pieces = PieceRule::Terminated,
       .counted = 0, .length = length_of(0) + one, .trues = one, .children = length_of(0), .rule = ElementRule::Unary,
       .content = Content::OfLength, .eager = eager::terminated, .step = chunked::terminated)
OPCODE(Reduce, "reduce_R s", "all, combined", .extra = Extra::Monoid, .operands = takes(own), .gives = ElementType::Own,
       .clock = ClockRule::Whole, .length = one, .rule = ElementRule::Fold, .eager = eager::reduce,
       .step = chunked::reduce)
OPCODE(Scan, "scan_R s", "of each all before it, combined", .extra = Extra::Monoid, .operands = takes(own),
       .gives = ElementType::Own, .clock = ClockRule::Elementwise, .pieces = PieceRule::Scan, .length = length_of(0),
       .rule = ElementRule::Prefixes, .eager = eager::scan, .step = chunked::scan, .ahead = chunked::ahead_of_scan)
OPCODE(ReadWhole, "read_whole starts lens s", "one name: its characters", .operands = takes(ints, ints, text),
       .gives = ElementType::Char, .effect = Effect::Files, .pace = Pace::Own, .clock = ClockRule::Source,
       .called = Called::Expression, .from_base = sum_of(1), .content = Content::Outside, .eager = eager::read_whole,
       .step = chunked::read_whole)

// Several in one, of networks only (semantics/transducer): what they are in the instructions above.

OPCODE(UsegsumB2u, "usegsum_b2u f b", "usegsum f (b2u b)", .fused = true, .operands = takes(segmented, flags),
       .gives = ElementType::Bool, .clock = ClockRule::OfNetworks, .length = trues_of(0) + trues_of(1),
       .trues = trues_of(0), .children = trues_of(1), .rule = ElementRule::Unary, .eager = eager::usegsum_b2u,
       .step = chunked::usegsum_b2u)
OPCODE(EndsAmong, "ends_among f b", "short (usegsum f (b2u b)), where b holds at each end of f", .fused = true,
       .operands = takes(segmented, flags), .gives = ElementType::Bool, .clock = ClockRule::OfNetworks,
       .length = trues_of(1), .eager = eager::ends_among, .step = chunked::ends_among)
OPCODE(Segcount, "segcount b f", "segreduce_plus (map_i64 b) f", .fused = true, .operands = takes(flags, segmented),
       .gives = ElementType::Int, .clock = ClockRule::OfNetworks, .length = trues_of(1), .eager = eager::segcount,
       .step = chunked::segcount)
OPCODE(CountTrue, "count_true b", "reduce_plus (map_i64 b)", .fused = true, .operands = takes(flags),
       .gives = ElementType::Int, .clock = ClockRule::OfNetworks, .length = one, .eager = eager::count_true,
       .step = chunked::count_true)
OPCODE(CountCompare, "count_compare_op k b e n",
       "map_op (segscan_plus (map_i64 b) e) (pdist n (ends e)); n first where k is 1", .fused = true,
       .extra = Extra::Comparison, .operands = takes(flags, flags, ints), .gives = ElementType::Bool,
       .clock = ClockRule::OfNetworks, .length = length_of(0), .eager = eager::count_compare,
       .step = chunked::count_compare)
OPCODE(LastFlag, "last_flag s", "short (terminated s)", .fused = true, .operands = takes(any),
       .gives = ElementType::Bool, .clock = ClockRule::OfNetworks, .length = length_of(0), .eager = eager::last_flag,
       .step = chunked::last_flag)
OPCODE(TerminatedCount, "terminated_count b", "usegsum (terminated s) (b2u b), s as long as b", .fused = true,
       .operands = takes(flags), .gives = ElementType::Bool, .clock = ClockRule::OfNetworks,
       .length = trues_of(0) + one, .trues = one, .children = trues_of(0), .rule = ElementRule::Unary,
       .eager = eager::terminated_count, .step = chunked::terminated_count)
OPCODE(Ended, "ended a f s", "segmerge f s (to_flags 1) a: an a after each segment", .fused = true,
       .extra = Extra::Atom, .operands = takes(segmented, own), .gives = ElementType::Own,
       .clock = ClockRule::OfNetworks, .length = length_of(0), .elements = 1, .eager = eager::ended,
       .step = chunked::ended)
OPCODE(AllOf, "all_of g", "usegsum f g where f is one segment", .fused = true, .operands = takes(segmented),
       .gives = ElementType::Bool, .clock = ClockRule::OfNetworks, .length = children_of(0) + one, .trues = one,
       .children = children_of(0), .rule = ElementRule::Unary, .eager = eager::all_of, .step = chunked::all_of)

#undef OPCODE
