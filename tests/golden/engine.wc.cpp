struct Program {
  static const i64 least = 4;  // elements of a window
  Stream<u8> s1;
  Stream<i64> s2;
  Stream<i64> s3;
  Stream<u8> s4;
  Stream<Bit> s14;
  Stream<Bit> s23;
  Stream<Bit> s15;
  Stream<Bit> s16;
  Stream<Bit> s24;
  Stream<i64> s26;
  bool done1 = false;
  bool done2 = false;
  bool done3 = false;
  bool done4 = false;
  Reader<Stream<i64>> r4_0;
  Reader<Stream<i64>> r4_1;
  Reader<Stream<u8>> r4_2;
  FileReader file4;
  bool done8 = false;
  Reader<Stream<u8>> r8_0;
  bool done15 = false;
  Reader<Stream<u8>> r15_0;
  bool done16 = false;
  Reader<Stream<Bit>> r16_0;
  Reader<Stream<Bit>> r16_1;
  bool done24 = false;
  Reader<Stream<Bit>> r24_0;
  Reader<Stream<Bit>> r24_1;
  bool a24 = {};
  bool done26 = false;
  Reader<Stream<Bit>> r26_0;
  i64 a26 = {};
  Outputs outputs;
  const lockstep_stream* inputs;
  Reader<Stream<i64>> q0;
  Collected<i64> c0;

  Program(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s4.open(greater(chunk, least));
    r4_0.s = &s2;
    r4_1.s = &s3;
    r4_2.s = &s1;
    s14.open(greater(chunk, least));
    s23.open(greater(chunk, least));
    r8_0.s = &s4;
    s15.open(greater(chunk, least));
    r15_0.s = &s4;
    s16.open(greater(chunk, least));
    r16_0.s = &s14;
    r16_1.s = &s15;
    s24.open(greater(chunk, least));
    r24_0.s = &s23;
    r24_1.s = &s16;
    s26.open(greater(chunk, least));
    r26_0.s = &s24;
    q0.s = &s26;
  }

  // s1 := input;
  void fire1() {
    take_input(s1, inputs[0]);
    done1 = s1.done;
  }

  // s2 := input;
  void fire2() {
    take_input(s2, inputs[1]);
    done2 = s2.done;
  }

  // s3 := input;
  void fire3() {
    take_input(s3, inputs[2]);
    done3 = s3.done;
  }

  // s4 := read_whole s2 s3 s1;
  void fire4() {
    read_whole(s4, 4, r4_0, r4_1, r4_2, file4);
    done4 = s4.done;
    if (done4) { r4_0.close(); r4_1.close(); r4_2.close(); }
  }

  // s8 := map_eq s4 s7; s10 := map_ge s4 s9; s12 := map_le s4 s11; s13 := map_and s10 s12; s14 := map_or s8 s13; s20 := map_gt s4 s19; s22 := map_le s4 s21; s23 := map_and s20 s22;
  void fire8() {
  const i64 n = lesser(lesser(lesser(never, r8_0.left()), s14.room()), s23.room());
  if (n > 0) {
    const i64 pos = r8_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u8* const __restrict t4 = r8_0.s->at(at);
      alignas(64) u8 m8[64];
      alignas(64) u8 m10[64];
      alignas(64) u8 m12[64];
      alignas(64) u8 m20[64];
      alignas(64) u8 m22[64];
      for (int j = 0; j < 64; ++j) {
        const bool v8 = t4[j] == u8(32);
        m8[j] = v8;
        const bool v10 = t4[j] >= u8(9);
        m10[j] = v10;
        const bool v12 = t4[j] <= u8(13);
        m12[j] = v12;
        const bool v20 = t4[j] > u8(32);
        m20[j] = v20;
        const bool v22 = t4[j] <= u8(126);
        m22[j] = v22;
      }
      const u64 w8 = pack_bytes(m8);
      const u64 w10 = pack_bytes(m10);
      const u64 w12 = pack_bytes(m12);
      const u64 w20 = pack_bytes(m20);
      const u64 w22 = pack_bytes(m22);
      const u64 w13 = w10 & w12;
      const u64 w14 = w8 | w13;
      const u64 w23 = w20 & w22;
      *s14.at(at) = w14 & low_bits(pos + n - at);
      *s23.at(at) = w23 & low_bits(pos + n - at);
    }
    r8_0.pos += n;
    s14.end += n;
    s23.end += n;
  }
  done8 = r8_0.over();
  s14.done = done8;
  s23.done = done8;
    if (done8) { r8_0.close(); }
  }

  // s15 := last_flag s4;
  void fire15() {
    last_flag(s15, r15_0);
    done15 = s15.done;
    if (done15) { r15_0.close(); }
  }

  // s16 := map_or s14 s15;
  void fire16() {
  const i64 n = lesser(lesser(lesser(never, r16_0.left()), r16_1.left()), s16.room());
  if (n > 0) {
    const i64 pos = r16_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u64 w14 = *r16_0.s->at(at);
      const u64 w15 = *r16_1.s->at(at);
      const u64 w16 = w14 | w15;
      *s16.at(at) = w16 & low_bits(pos + n - at);
    }
    r16_0.pos += n;
    r16_1.pos += n;
    s16.end += n;
  }
  done16 = r16_0.over() || r16_1.over();
  s16.done = done16;
    if (done16) { r16_0.close(); r16_1.close(); }
  }

  // s24 := segreduce s23 s16;
  void fire24() {
    segreduce<Or, true>(s24, r24_0, r24_1, a24);
    done24 = s24.done;
    if (done24) { r24_0.close(); r24_1.close(); }
  }

  // s26 := count_true s24;
  void fire26() {
    count_true(s26, r26_0, a26);
    done26 = s26.done;
    if (done26) { r26_0.close(); }
  }

  bool pass() {
    if (!done1) { s1.release(lesser(s1.end, r4_2.pos)); fire1(); }
    if (!done2) { s2.release(lesser(s2.end, r4_0.pos)); fire2(); }
    if (!done3) { s3.release(lesser(s3.end, r4_1.pos)); fire3(); }
    if (!done4) { s4.release(lesser(lesser(s4.end, r8_0.pos), r15_0.pos)); fire4(); }
    if (!done8) { s14.release(lesser(s14.end, r16_0.pos)); s23.release(lesser(s23.end, r24_0.pos)); fire8(); }
    if (!done15) { s15.release(lesser(s15.end, r16_1.pos)); fire15(); }
    if (!done16) { s16.release(lesser(s16.end, r24_1.pos)); fire16(); }
    if (!done24) { s24.release(lesser(s24.end, r26_0.pos)); fire24(); }
    if (!done26) { s26.release(lesser(s26.end, q0.pos)); fire26(); }
    collect(c0, q0);
    return true && done1 && done2 && done3 && done4 && done8 && done15 && done16 && done24 && done26;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done1) + u64(s1.end);
    h += u64(done2) + u64(s2.end);
    h += u64(done3) + u64(s3.end);
    h += u64(done4) + u64(s4.end) + u64(lesser(r4_0.pos, past_all)) + u64(lesser(r4_1.pos, past_all)) + u64(lesser(r4_2.pos, past_all));
    h += u64(done8) + u64(s14.end) + u64(s23.end) + u64(lesser(r8_0.pos, past_all));
    h += u64(done15) + u64(s15.end) + u64(lesser(r15_0.pos, past_all));
    h += u64(done16) + u64(s16.end) + u64(lesser(r16_0.pos, past_all)) + u64(lesser(r16_1.pos, past_all));
    h += u64(done24) + u64(s24.end) + u64(lesser(r24_0.pos, past_all)) + u64(lesser(r24_1.pos, past_all));
    h += u64(done26) + u64(s26.end) + u64(lesser(r26_0.pos, past_all));
    h += u64(q0.pos);
    return h;
  }
  bool grow() { return false; }
};
}  // namespace

namespace {
using namespace lockstep_engine;

struct Head {
  static const i64 least = 4;  // elements of a window
  Stream<u8> s1;
  Stream<i64> s2;
  Stream<i64> s3;
  bool done1 = false;
  bool done2 = false;
  bool done3 = false;
  Outputs outputs;
  const lockstep_stream* inputs;
  Reader<Stream<i64>> q0;
  Collected<i64> c0;
  Reader<Stream<i64>> q1;
  Collected<i64> c1;
  Reader<Stream<u8>> q2;
  Collected<u8> c2;

  Head(const lockstep_stream* given, i64 chunk) : inputs(given) {
    q0.s = &s2;
    q1.s = &s3;
    q2.s = &s1;
  }

  // s1 := input;
  void fire1() {
    take_input(s1, inputs[0]);
    done1 = s1.done;
  }

  // s2 := input;
  void fire2() {
    take_input(s2, inputs[1]);
    done2 = s2.done;
  }

  // s3 := input;
  void fire3() {
    take_input(s3, inputs[2]);
    done3 = s3.done;
  }

  bool pass() {
    if (!done1) { s1.release(lesser(s1.end, q2.pos)); fire1(); }
    if (!done2) { s2.release(lesser(s2.end, q0.pos)); fire2(); }
    if (!done3) { s3.release(lesser(s3.end, q1.pos)); fire3(); }
    collect(c0, q0);
    collect(c1, q1);
    collect(c2, q2);
    return true && done1 && done2 && done3;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done1) + u64(s1.end);
    h += u64(done2) + u64(s2.end);
    h += u64(done3) + u64(s3.end);
    h += u64(q0.pos);
    h += u64(q1.pos);
    h += u64(q2.pos);
    return h;
  }
  bool grow() { return false; }
};
}  // namespace

namespace {
using namespace lockstep_engine;

struct Body {
  static const i64 least = 4;  // elements of a window
  Stream<u8> s4;
  Stream<Bit> s14;
  Stream<Bit> s23;
  Stream<Bit> s15;
  Stream<Bit> s16;
  Stream<Bit> s24;
  bool done4 = false;
  bool done8 = false;
  Reader<Stream<u8>> r8_0;
  bool done15 = false;
  Reader<Stream<u8>> r15_0;
  bool done16 = false;
  Reader<Stream<Bit>> r16_0;
  Reader<Stream<Bit>> r16_1;
  bool done24 = false;
  Reader<Stream<Bit>> r24_0;
  Reader<Stream<Bit>> r24_1;
  bool a24 = {};
  Outputs outputs;
  const lockstep_stream* inputs;
  const Piece* piece = 0;

  Body(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s4.open(greater(chunk, least));
    s14.open(greater(chunk, least));
    s23.open(greater(chunk, least));
    r8_0.s = &s4;
    s15.open(greater(chunk, least));
    r15_0.s = &s4;
    s16.open(greater(chunk, least));
    r16_0.s = &s14;
    r16_1.s = &s15;
    s24.open(greater(chunk, piece_numbers));
    r24_0.s = &s23;
    r24_1.s = &s16;
  }

  // s4 := input;
  void fire4() {
    s4.borrow(piece->data, piece->length);
    done4 = s4.done;
  }

  // s8 := map_eq s4 s7; s10 := map_ge s4 s9; s12 := map_le s4 s11; s13 := map_and s10 s12; s14 := map_or s8 s13; s20 := map_gt s4 s19; s22 := map_le s4 s21; s23 := map_and s20 s22;
  void fire8() {
  const i64 n = lesser(lesser(lesser(never, r8_0.left()), s14.room()), s23.room());
  if (n > 0) {
    const i64 pos = r8_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u8* const __restrict t4 = r8_0.s->at(at);
      alignas(64) u8 m8[64];
      alignas(64) u8 m10[64];
      alignas(64) u8 m12[64];
      alignas(64) u8 m20[64];
      alignas(64) u8 m22[64];
      for (int j = 0; j < 64; ++j) {
        const bool v8 = t4[j] == u8(32);
        m8[j] = v8;
        const bool v10 = t4[j] >= u8(9);
        m10[j] = v10;
        const bool v12 = t4[j] <= u8(13);
        m12[j] = v12;
        const bool v20 = t4[j] > u8(32);
        m20[j] = v20;
        const bool v22 = t4[j] <= u8(126);
        m22[j] = v22;
      }
      const u64 w8 = pack_bytes(m8);
      const u64 w10 = pack_bytes(m10);
      const u64 w12 = pack_bytes(m12);
      const u64 w20 = pack_bytes(m20);
      const u64 w22 = pack_bytes(m22);
      const u64 w13 = w10 & w12;
      const u64 w14 = w8 | w13;
      const u64 w23 = w20 & w22;
      *s14.at(at) = w14 & low_bits(pos + n - at);
      *s23.at(at) = w23 & low_bits(pos + n - at);
    }
    r8_0.pos += n;
    s14.end += n;
    s23.end += n;
  }
  done8 = r8_0.over();
  s14.done = done8;
  s23.done = done8;
    if (done8) { r8_0.close(); }
  }

  // s15 := last_flag s4;
  void fire15() {
    last_flag(s15, r15_0);
    done15 = s15.done;
    if (done15) { r15_0.close(); }
  }

  // s16 := map_or s14 s15;
  void fire16() {
  const i64 n = lesser(lesser(lesser(never, r16_0.left()), r16_1.left()), s16.room());
  if (n > 0) {
    const i64 pos = r16_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u64 w14 = *r16_0.s->at(at);
      const u64 w15 = *r16_1.s->at(at);
      const u64 w16 = w14 | w15;
      *s16.at(at) = w16 & low_bits(pos + n - at);
    }
    r16_0.pos += n;
    r16_1.pos += n;
    s16.end += n;
  }
  done16 = r16_0.over() || r16_1.over();
  s16.done = done16;
    if (done16) { r16_0.close(); r16_1.close(); }
  }

  // s24 := segreduce s23 s16;
  void fire24() {
    segreduce<Or, true>(s24, r24_0, r24_1, a24);
    done24 = s24.done;
    if (done24) { r24_0.close(); r24_1.close(); }
  }

  bool pass() {
    if (!done4) { s4.release(lesser(lesser(s4.end, r8_0.pos), r15_0.pos)); fire4(); }
    if (!done8) { s14.release(lesser(s14.end, r16_0.pos)); s23.release(lesser(s23.end, r24_0.pos)); fire8(); }
    if (!done15) { s15.release(lesser(s15.end, r16_1.pos)); fire15(); }
    if (!done16) { s16.release(lesser(s16.end, r24_1.pos)); fire16(); }
    if (!done24) {  fire24(); }
    return true && done4 && done8 && done15 && done16 && done24;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done4) + u64(s4.end);
    h += u64(done8) + u64(s14.end) + u64(s23.end) + u64(lesser(r8_0.pos, past_all));
    h += u64(done15) + u64(s15.end) + u64(lesser(r15_0.pos, past_all));
    h += u64(done16) + u64(s16.end) + u64(lesser(r16_0.pos, past_all)) + u64(lesser(r16_1.pos, past_all));
    h += u64(done24) + u64(s24.end) + u64(lesser(r24_0.pos, past_all)) + u64(lesser(r24_1.pos, past_all));
    return h;
  }
  bool grow() {
    Waiting::Edge edges[11];
    bool seen[6];
    Waiting w = {edges, seen, 6};
    if (!done8) { w.for_element(1, 0, r8_0); w.for_room(1, 3, r16_0); w.for_room(1, 4, r24_0); }
    if (!done15) { w.for_element(2, 0, r15_0); w.for_room(2, 3, r16_1); }
    if (!done16) { w.for_element(3, 1, r16_0); w.for_element(3, 2, r16_1); w.for_room(3, 4, r24_1); }
    if (!done24) { w.for_element(4, 1, r24_0); w.for_element(4, 3, r24_1); }
    Growing g = {w};
    if (!s24.done) { g.keep(24, s24); }
    if (g.which == 24) s24.grow();
    return g.which >= 0;
  }
  void restart(const Piece& p) {
    piece = &p;
    done4 = false;
    s4.restart();
    r8_0.pos = 0;
    done8 = false;
    s14.restart();
    s23.restart();
    r15_0.pos = 0;
    done15 = false;
    s15.restart();
    r16_0.pos = 0;
    r16_1.pos = 0;
    done16 = false;
    s16.restart();
    r24_0.pos = 0;
    r24_1.pos = 0;
    done24 = false;
    s24.restart();
    a24 = decltype(a24)();
  }
};
}  // namespace

namespace {
using namespace lockstep_engine;

struct Tail {
  static const i64 least = 4;  // elements of a window
  Stream<Bit> s24;
  Stream<i64> s26;
  bool done24 = false;
  Reader<Stream<Bit>> k24;
  bool done26 = false;
  Reader<Stream<Bit>> r26_0;
  i64 a26 = {};
  Outputs outputs;
  const lockstep_stream* inputs;
  bool finished = false;
  Reader<Stream<i64>> q0;
  Collected<i64> c0;

  Tail(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s24.open(greater(chunk, least));
    s26.open(greater(chunk, least));
    r26_0.s = &s24;
    q0.s = &s26;
  }

  // s24 := input;
  void fire24() {
    feed(s24, k24, finished);
    done24 = s24.done;
  }

  // s26 := count_true s24;
  void fire26() {
    count_true(s26, r26_0, a26);
    done26 = s26.done;
    if (done26) { r26_0.close(); }
  }

  bool pass() {
    if (!done24) { s24.release(lesser(s24.end, r26_0.pos)); fire24(); }
    if (!done26) { s26.release(lesser(s26.end, q0.pos)); fire26(); }
    collect(c0, q0);
    return true && done24 && done26;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done24) + u64(s24.end);
    h += u64(done26) + u64(s26.end) + u64(lesser(r26_0.pos, past_all));
    h += u64(q0.pos);
    return h;
  }
  bool grow() { return false; }
  template <class B>
  void take(B& body) {
    k24.s = &body.s24, k24.pos = 0;
    (void)body;
    take_all(*this);
  }
  bool fed() const { return true && k24.left() == 0; }
  void finish() {
    finished = true;
    k24.s = 0;
    run_to_end(*this);
  }
};
}  // namespace

static int32_t lockstep_engine_run(const lockstep_stream* inputs, lockstep_stream* results,
    const lockstep_options* options, lockstep_trap* trap) {
  try {
    const i64 chunk = options && options->chunk > 0 ? options->chunk : chosen_chunk();
    begin_run(options);
    const int threads = threads_of(options);
    if (threads > 1) {
      Head* const head = new Head(inputs, chunk);
      Owner<Head> first(head);
      run_to_end(*head);
      Tail* const tail = new Tail(inputs, chunk);
      Owner<Tail> last(tail);
    tail->c0.begin(options, 0);
      static const u8 cut[256] = {0,0,0,0,0,0,0,0,0,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,};
      FilePieces pieces;
      pieces.instruction = 4;
      pieces.cut = cut;
      pieces.size = piece_size(options, piece_bytes);
      name_of(pieces.file, head->c0, head->c1, head->c2);
      pieces.file.start(4);
      Crew<FilePieces, Body, Tail> crew(pieces, *tail, inputs, chunk, trap);
      if (pieces.begin()) {
      if (const int failure = crew.run(threads)) return failure;
      tail->finish();
      tail->outputs.appear();
    (void)results;
    give(results[0], tail->c0);
      return 0;
      }
      Program* const p = new Program(inputs, chunk);
      Owner<Program> owner(p);
    p->c0.begin(options, 0);
      p->file4.go_on(pieces.file, pieces.first.data, pieces.first.length);
      run_to_end(*p);
      p->outputs.appear();
    (void)results;
    give(results[0], p->c0);
      return 0;
    }
    Program* const p = new Program(inputs, chunk);
    Owner<Program> owner(p);
    p->c0.begin(options, 0);
    run_to_end(*p);
    p->outputs.appear();
    (void)results;
    give(results[0], p->c0);
    return 0;
  } LOCKSTEP_CATCH(trap)
}
extern "C" int32_t snesl_wc(const lockstep_stream* inputs, lockstep_stream* results,
    const lockstep_options* options, lockstep_trap* trap) {
  return lockstep_engine_run(inputs, results, options, trap);
}
