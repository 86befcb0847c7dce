struct Program {
  static const i64 least = 2;  // elements of a window
  Stream<i64> s1;
  Stream<i64> s2;
  Stream<i64> s3;
  Stream<i64> s4;
  Stream<Bit> s6;
  Stream<i64> s9;
  Stream<Unit> s7;
  Stream<i64> s10;
  Stream<Bit> s11;
  Stream<i64> s12;
  Stream<i64> s13;
  Stream<Bit> s14;
  Stream<i64> s17;
  Stream<i64> s18;
  Stream<Bit> s19;
  Stream<i64> s21;
  bool done1 = false;
  bool done2 = false;
  bool done3 = false;
  bool done4 = false;
  bool done6 = false;
  Reader<Stream<i64>> r6_0;
  bool done7 = false;
  Reader<Stream<Bit>> r7_0;
  Reader<Stream<i64>> r7_1;
  bool done10 = false;
  Reader<Stream<i64>> r10_0;
  bool done11 = false;
  Reader<Stream<i64>> r11_0;
  bool done12 = false;
  Reader<Stream<Bit>> r12_0;
  Reader<Stream<i64>> r12_1;
  Reader<Stream<i64>> r12_2;
  bool done14 = false;
  Reader<Stream<i64>> r14_0;
  Copying a14 = {};
  bool done17 = false;
  Reader<Stream<Bit>> r17_0;
  Reader<Stream<i64>> r17_1;
  Reader<Stream<i64>> r17_2;
  i64 a17 = {};
  bool done18 = false;
  Reader<Stream<i64>> r18_0;
  Reader<Stream<Bit>> r18_1;
  bool done19 = false;
  Reader<Stream<i64>> r19_0;
  Reader<Stream<i64>> r19_1;
  bool done21 = false;
  Reader<Stream<Bit>> r21_0;
  Reader<Stream<Bit>> r21_1;
  i64 a21 = {};
  Outputs outputs;
  const lockstep_stream* inputs;
  Reader<Stream<i64>> q0;
  Collected<i64> c0;
  Reader<Stream<Bit>> q1;
  Collected<u8> c1;

  Program(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s6.open(greater(chunk, least));
    s9.open(greater(chunk, least));
    r6_0.s = &s4;
    s7.open(greater(chunk, least));
    r7_0.s = &s6;
    r7_1.s = &s4;
    s10.open(greater(chunk, least));
    r10_0.s = &s9;
    s11.open(greater(chunk, least));
    r11_0.s = &s10;
    s12.open(greater(chunk, least));
    s13.open(greater(chunk, least));
    r12_0.s = &s11;
    r12_1.s = &s2;
    r12_2.s = &s3;
    s14.open(greater(chunk, least));
    r14_0.s = &s13;
    s17.open(greater(lesser(chunk, narrow), least));
    r17_0.s = &s14;
    r17_1.s = &s12;
    r17_2.s = &s1;
    s18.open(greater(lesser(chunk, narrow), least));
    r18_0.s = &s10;
    r18_1.s = &s14;
    s19.open(greater(chunk, least));
    r19_0.s = &s17;
    r19_1.s = &s18;
    s21.open(greater(chunk, least));
    r21_0.s = &s19;
    r21_1.s = &s14;
    q0.s = &s21;
    q1.s = &s11;
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

  // s4 := input;
  void fire4() {
    take_input(s4, inputs[3]);
    done4 = s4.done;
  }

  // s6 := map_ge s4 s5; s9 := map_add s4 s8;
  void fire6() {
  const i64 n = lesser(lesser(lesser(never, r6_0.left()), s6.room()), s9.room());
  if (n > 0) {
    const i64 pos = r6_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const i64* const __restrict t4 = r6_0.s->at(at);
      i64* const __restrict t9 = s9.at(at);
      alignas(64) u8 m6[64];
      for (int j = 0; j < 64; ++j) {
        const bool v6 = t4[j] >= i64(0);
        m6[j] = v6;
        const i64 v9 = t4[j] + i64(0);
        t9[j] = v9;
      }
      const u64 w6 = pack_bytes(m6);
      *s6.at(at) = w6 & low_bits(pos + n - at);
    }
    r6_0.pos += n;
    s6.end += n;
    s9.end += n;
  }
  done6 = r6_0.over();
  s6.done = done6;
  s9.done = done6;
    if (done6) { r6_0.close(); }
  }

  // s7 := check s6 s4;
  void fire7() {
    check(s7, 7, r7_0, r7_1);
    done7 = s7.done;
    if (done7) { r7_0.close(); r7_1.close(); }
  }

  // s10 := range s9;
  void fire10() {
    range(s10, r10_0);
    done10 = s10.done;
    if (done10) { r10_0.close(); }
  }

  // s11 := terminated s10;
  void fire11() {
    terminated(s11, r11_0);
    done11 = s11.done;
    if (done11) { r11_0.close(); }
  }

  // s12 := pdist s2 s11; s13 := pdist s3 s11;
  void fire12() {
    distribute<false>(r12_0, distributed(s12, r12_1), distributed(s13, r12_2));
    done12 = s12.done;
    if (done12) { r12_0.close(); r12_1.close(); r12_2.close(); }
  }

  // s14 := to_flags s13;
  void fire14() {
    to_flags(s14, r14_0, a14);
    done14 = s14.done;
    if (done14) { r14_0.close(); }
  }

  // s17 := so_gather s15 s16 s1;
  void fire17() {
    for (;;) {
      if (r17_1.left() <= 0) break;
      i64 n, room = never / 2;
      room = lesser(room, s17.room());
      bool last;
      const i64 before = r17_0.pos;
      if (!take_run<false>(r17_0, room, n, last)) break;
      const Line v15 = {r17_1.here(), 0};
      i64 x = a17;
      const i64 to = x + n;
      bool waits = false;
      while (x < to && !waits) {
        i64 end = to;
        const Line v16 = {x, 1};
        i64 m = end - x;
        const Line p17 = sum(v15, v16);
        m = slice_there(*r17_2.s, p17, m);
        take_slice(s17, r17_2, p17, m, v15.at, (Groups*)0);
        x += m;
        waits = x < end;
      }
      if (waits) {
        r17_0.pos = before + (x - a17);
        a17 = x;
        break;
      }
      a17 = last ? 0 : x;
      r17_1.pos += last;
    }
    done17 = r17_0.over();
    s17.done = done17;
    if (done17) { r17_0.close(); r17_1.close(); r17_2.close(); }
  }

  // s18 := pdist s10 s14;
  void fire18() {
    pdist<false>(s18, r18_0, r18_1);
    done18 = s18.done;
    if (done18) { r18_0.close(); r18_1.close(); }
  }

  // s19 := map_eq s17 s18;
  void fire19() {
  const i64 n = lesser(lesser(lesser(never, r19_0.left()), r19_1.left()), s19.room());
  if (n > 0) {
    const i64 pos = r19_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const i64* const __restrict t17 = r19_0.s->at(at);
      const i64* const __restrict t18 = r19_1.s->at(at);
      alignas(64) u8 m19[64];
      for (int j = 0; j < 64; ++j) {
        const bool v19 = t17[j] == t18[j];
        m19[j] = v19;
      }
      const u64 w19 = pack_bytes(m19);
      *s19.at(at) = w19 & low_bits(pos + n - at);
    }
    r19_0.pos += n;
    r19_1.pos += n;
    s19.end += n;
  }
  done19 = r19_0.over() || r19_1.over();
  s19.done = done19;
    if (done19) { r19_0.close(); r19_1.close(); }
  }

  // s21 := segcount s19 s14;
  void fire21() {
    segcount<false>(s21, r21_0, r21_1, a21);
    done21 = s21.done;
    if (done21) { r21_0.close(); r21_1.close(); }
  }

  bool pass() {
    if (!done1) { s1.release(lesser(s1.end, r17_2.pos)); fire1(); }
    if (!done2) { s2.release(lesser(s2.end, r12_1.pos)); fire2(); }
    if (!done3) { s3.release(lesser(s3.end, r12_2.pos)); fire3(); }
    if (!done4) { s4.release(lesser(lesser(s4.end, r6_0.pos), r7_1.pos)); fire4(); }
    if (!done6) { s6.release(lesser(s6.end, r7_0.pos)); s9.release(lesser(s9.end, r10_0.pos)); fire6(); }
    if (!done7) {  fire7(); }
    if (!done10) { s10.release(lesser(lesser(s10.end, r11_0.pos), r18_0.pos)); fire10(); }
    if (!done11) { s11.release(lesser(lesser(s11.end, r12_0.pos), q1.pos)); fire11(); }
    if (!done12) { s12.release(lesser(s12.end, r17_1.pos)); s13.release(lesser(s13.end, r14_0.pos)); fire12(); }
    if (!done14) { s14.release(lesser(lesser(lesser(s14.end, r17_0.pos), r18_1.pos), r21_1.pos)); fire14(); }
    if (!done17) { s17.release(lesser(s17.end, r19_0.pos)); fire17(); }
    if (!done18) { s18.release(lesser(s18.end, r19_1.pos)); fire18(); }
    if (!done19) { s19.release(lesser(s19.end, r21_0.pos)); fire19(); }
    for (u64 before = 0;;) {
      u64 now = 1;
      now += u64(done17) + u64(s17.end) + u64(lesser(r17_0.pos, past_all)) + u64(lesser(r17_1.pos, past_all)) + u64(lesser(r17_2.pos, past_all));
      now += u64(done18) + u64(s18.end) + u64(lesser(r18_0.pos, past_all)) + u64(lesser(r18_1.pos, past_all));
      now += u64(done19) + u64(s19.end) + u64(lesser(r19_0.pos, past_all)) + u64(lesser(r19_1.pos, past_all));
      if (now == before) break;
      before = now;
      if (!done17) { s17.release(lesser(s17.end, r19_0.pos)); fire17(); }
      if (!done18) { s18.release(lesser(s18.end, r19_1.pos)); fire18(); }
      if (!done19) { s19.release(lesser(s19.end, r21_0.pos)); fire19(); }
    }
    if (!done21) { s21.release(lesser(s21.end, q0.pos)); fire21(); }
    collect(c0, q0);
    collect(c1, q1);
    return true && done1 && done2 && done3 && done4 && done6 && done7 && done10 && done11 && done12 && done14 && done17 && done18 && done19 && done21;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done1) + u64(s1.end);
    h += u64(done2) + u64(s2.end);
    h += u64(done3) + u64(s3.end);
    h += u64(done4) + u64(s4.end);
    h += u64(done6) + u64(s6.end) + u64(s9.end) + u64(lesser(r6_0.pos, past_all));
    h += u64(done7) + u64(s7.end) + u64(lesser(r7_0.pos, past_all)) + u64(lesser(r7_1.pos, past_all));
    h += u64(done10) + u64(s10.end) + u64(lesser(r10_0.pos, past_all));
    h += u64(done11) + u64(s11.end) + u64(lesser(r11_0.pos, past_all));
    h += u64(done12) + u64(s12.end) + u64(s13.end) + u64(lesser(r12_0.pos, past_all)) + u64(lesser(r12_1.pos, past_all)) + u64(lesser(r12_2.pos, past_all));
    h += u64(done14) + u64(s14.end) + u64(lesser(r14_0.pos, past_all));
    h += u64(done17) + u64(s17.end) + u64(lesser(r17_0.pos, past_all)) + u64(lesser(r17_1.pos, past_all)) + u64(lesser(r17_2.pos, past_all));
    h += u64(done18) + u64(s18.end) + u64(lesser(r18_0.pos, past_all)) + u64(lesser(r18_1.pos, past_all));
    h += u64(done19) + u64(s19.end) + u64(lesser(r19_0.pos, past_all)) + u64(lesser(r19_1.pos, past_all));
    h += u64(done21) + u64(s21.end) + u64(lesser(r21_0.pos, past_all)) + u64(lesser(r21_1.pos, past_all));
    h += u64(q0.pos);
    h += u64(q1.pos);
    return h;
  }
  bool grow() { return false; }
};
}  // namespace

static int32_t lockstep_engine_run(const lockstep_stream* inputs, lockstep_stream* results,
    const lockstep_options* options, lockstep_trap* trap) {
  try {
    const i64 chunk = options && options->chunk > 0 ? options->chunk : chosen_chunk();
    begin_run(options);
    Program* const p = new Program(inputs, chunk);
    Owner<Program> owner(p);
    p->c0.begin(options, 0);
    p->c1.begin(options, 1);
    run_to_end(*p);
    p->outputs.appear();
    (void)results;
    give(results[0], p->c0);
    give(results[1], p->c1);
    return 0;
  } LOCKSTEP_CATCH(trap)
}
extern "C" int32_t snesl_buckets(const lockstep_stream* inputs, lockstep_stream* results,
    const lockstep_options* options, lockstep_trap* trap) {
  return lockstep_engine_run(inputs, results, options, trap);
}
