struct Program {
  static const i64 least = 8;  // elements of a window
  Stream<u8> s1;
  Stream<i64> s2;
  Stream<i64> s3;
  Stream<u8> s4;
  Stream<i64> s5;
  Stream<i64> s6;
  Stream<u8> s7;
  Stream<Bit> s8;
  Stream<Bit> s11;
  Stream<Bit> s12;
  Stream<Bit> s13;
  Stream<i64> s19;
  Stream<i64> s20;
  Stream<i64> s23;
  Stream<Bit> s27;
  Stream<i64> s30;
  Stream<Unit> s28;
  Stream<u8> s31;
  Stream<i64> s34;
  Stream<u8> s53;
  Stream<Unit> s55;
  bool done1 = false;
  bool done2 = false;
  bool done3 = false;
  bool done4 = false;
  bool done5 = false;
  bool done6 = false;
  bool done7 = false;
  Reader<Stream<i64>> r7_0;
  Reader<Stream<i64>> r7_1;
  Reader<Stream<u8>> r7_2;
  FileReader file7;
  bool done8 = false;
  Reader<Stream<u8>> r8_0;
  bool done11 = false;
  Reader<Stream<u8>> r11_0;
  bool done12 = false;
  Reader<Stream<u8>> r12_0;
  bool done13 = false;
  Reader<Stream<Bit>> r13_0;
  Reader<Stream<Bit>> r13_1;
  bool done19 = false;
  Reader<Stream<Bit>> r19_0;
  i64 a19 = {};
  bool done20 = false;
  Reader<Stream<i64>> r20_0;
  Prefix<Plus, i64> a20;
  bool done23 = false;
  Reader<Stream<i64>> r23_0;
  bool done28 = false;
  Reader<Stream<Bit>> r28_0;
  Reader<Stream<i64>> r28_1;
  Reader<Stream<i64>> r28_2;
  bool done31 = false;
  Reader<Stream<i64>> r31_0;
  Reader<Stream<i64>> r31_1;
  Reader<Stream<u8>> r31_2;
  bool done33 = false;
  Reader<Stream<i64>> r33_0;
  Reader<Stream<i64>> r33_1;
  Reader<Stream<u8>> r33_2;
  bool done53 = false;
  Reader<Stream<Bit>> r53_0;
  Reader<Stream<i64>> r53_1;
  Reader<Stream<i64>> r53_2;
  Reader<Stream<i64>> r53_3;
  Reader<Stream<u8>> r53_4;
  i64 a53 = {};
  bool done55 = false;
  Reader<Stream<i64>> r55_0;
  Reader<Stream<i64>> r55_1;
  Reader<Stream<u8>> r55_2;
  Reader<Stream<u8>> r55_3;
  Reader<Stream<Bit>> r55_4;
  FileWriter file55;
  Outputs outputs;
  const lockstep_stream* inputs;

  Program(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s7.open(greater(chunk, least));
    r7_0.s = &s2;
    r7_1.s = &s3;
    r7_2.s = &s1;
    s8.open(greater(chunk, least));
    r8_0.s = &s7;
    s11.open(greater(chunk, least));
    r11_0.s = &s7;
    s12.open(greater(chunk, least));
    r12_0.s = &s7;
    s13.open(greater(chunk, least));
    r13_0.s = &s11;
    r13_1.s = &s12;
    s19.open(greater(chunk, least));
    r19_0.s = &s13;
    s20.open(greater(chunk, least));
    r20_0.s = &s19;
    s23.open(greater(chunk, least));
    s27.open(greater(chunk, least));
    s30.open(greater(chunk, least));
    r23_0.s = &s19;
    s28.open(greater(chunk, least));
    r28_0.s = &s27;
    r28_1.s = &s23;
    r28_2.s = &s19;
    s31.open(greater(chunk, least));
    r31_0.s = &s20;
    r31_1.s = &s30;
    r31_2.s = &s7;
    s34.open(greater(chunk, least));
    r33_0.s = &s19;
    r33_1.s = &s23;
    r33_2.s = &s31;
    s53.open(greater(chunk, least));
    r53_0.s = &s13;
    r53_1.s = &s20;
    r53_2.s = &s19;
    r53_3.s = &s34;
    r53_4.s = &s7;
    s55.open(greater(chunk, least));
    r55_0.s = &s5;
    r55_1.s = &s6;
    r55_2.s = &s4;
    r55_3.s = &s53;
    r55_4.s = &s8;
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

  // s5 := input;
  void fire5() {
    take_input(s5, inputs[4]);
    done5 = s5.done;
  }

  // s6 := input;
  void fire6() {
    take_input(s6, inputs[5]);
    done6 = s6.done;
  }

  // s7 := read_whole s2 s3 s1;
  void fire7() {
    read_whole(s7, 7, r7_0, r7_1, r7_2, file7);
    done7 = s7.done;
    if (done7) { r7_0.close(); r7_1.close(); r7_2.close(); }
  }

  // s8 := terminated s7;
  void fire8() {
    terminated(s8, r8_0);
    done8 = s8.done;
    if (done8) { r8_0.close(); }
  }

  // s11 := map_eq s7 s10;
  void fire11() {
  const i64 n = lesser(lesser(never, r11_0.left()), s11.room());
  if (n > 0) {
    const i64 pos = r11_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u8* const __restrict t7 = r11_0.s->at(at);
      alignas(64) u8 m11[64];
      for (int j = 0; j < 64; ++j) {
        const bool v11 = t7[j] == u8(10);
        m11[j] = v11;
      }
      const u64 w11 = pack_bytes(m11);
      *s11.at(at) = w11 & low_bits(pos + n - at);
    }
    r11_0.pos += n;
    s11.end += n;
  }
  done11 = r11_0.over();
  s11.done = done11;
    if (done11) { r11_0.close(); }
  }

  // s12 := last_flag s7;
  void fire12() {
    last_flag(s12, r12_0);
    done12 = s12.done;
    if (done12) { r12_0.close(); }
  }

  // s13 := map_or s11 s12;
  void fire13() {
  const i64 n = lesser(lesser(lesser(never, r13_0.left()), r13_1.left()), s13.room());
  if (n > 0) {
    const i64 pos = r13_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u64 w11 = *r13_0.s->at(at);
      const u64 w12 = *r13_1.s->at(at);
      const u64 w13 = w11 | w12;
      *s13.at(at) = w13 & low_bits(pos + n - at);
    }
    r13_0.pos += n;
    r13_1.pos += n;
    s13.end += n;
  }
  done13 = r13_0.over() || r13_1.over();
  s13.done = done13;
    if (done13) { r13_0.close(); r13_1.close(); }
  }

  // s19 := lens s13;
  void fire19() {
    lens<true>(s19, r19_0, a19);
    done19 = s19.done;
    if (done19) { r19_0.close(); }
  }

  // s20 := scan s19;
  void fire20() {
    scan(s20, r20_0, a20);
    done20 = s20.done;
    if (done20) { r20_0.close(); }
  }

  // s23 := map_sub s19 s22; s25 := map_ge s23 s24; s26 := map_lt s23 s19; s27 := map_and s25 s26; s30 := map_add s23 s29;
  void fire23() {
  const i64 n = lesser(lesser(lesser(lesser(never, r23_0.left()), s23.room()), s27.room()), s30.room());
  if (n > 0) {
    const i64 pos = r23_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const i64* const __restrict t19 = r23_0.s->at(at);
      i64* const __restrict t23 = s23.at(at);
      i64* const __restrict t30 = s30.at(at);
      alignas(64) u8 m25[64];
      alignas(64) u8 m26[64];
      for (int j = 0; j < 64; ++j) {
        const i64 v23 = t19[j] - i64(1);
        t23[j] = v23;
        const bool v25 = v23 >= i64(0);
        m25[j] = v25;
        const bool v26 = v23 < t19[j];
        m26[j] = v26;
        const i64 v30 = v23 + i64(0);
        t30[j] = v30;
      }
      const u64 w25 = pack_bytes(m25);
      const u64 w26 = pack_bytes(m26);
      const u64 w27 = w25 & w26;
      *s27.at(at) = w27 & low_bits(pos + n - at);
    }
    r23_0.pos += n;
    s23.end += n;
    s27.end += n;
    s30.end += n;
  }
  done23 = r23_0.over();
  s23.done = done23;
  s27.done = done23;
  s30.done = done23;
    if (done23) { r23_0.close(); }
  }

  // s28 := check s27 s23 s19;
  void fire28() {
    check(s28, 28, r28_0, r28_1, r28_2);
    done28 = s28.done;
    if (done28) { r28_0.close(); r28_1.close(); r28_2.close(); }
  }

  // s31 := so_gather s20 s30 s21;
  void fire31() {
    gather(s31, r31_0, r31_1, r31_2, (Groups*)0);
    done31 = s31.done;
    let_go(r31_2, ahead(r31_0, a20.carry));
    if (done31) { r31_0.close(); r31_1.close(); r31_2.close(); }
  }

  // s33 := map_eq s31 s32; s34 := map_select s33 s23 s19;
  void fire33() {
  const i64 n = lesser(lesser(lesser(lesser(never, r33_0.left()), r33_1.left()), r33_2.left()), s34.room());
  if (n > 0) {
    const i64 pos = r33_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const i64* const __restrict t19 = r33_0.s->at(at);
      const i64* const __restrict t23 = r33_1.s->at(at);
      const u8* const __restrict t31 = r33_2.s->at(at);
      i64* const __restrict t34 = s34.at(at);
      alignas(64) u8 m33[64];
      for (int j = 0; j < 64; ++j) {
        const bool v33 = t31[j] == u8(10);
        m33[j] = v33;
      }
      const u64 w33 = pack_bytes(m33);
      for (int j = 0; j < 64; ++j) {
        const i64 v34 = bool(w33 >> j & 1) ? t23[j] : t19[j];
        t34[j] = v34;
      }
    }
    r33_0.pos += n;
    r33_1.pos += n;
    r33_2.pos += n;
    s34.end += n;
  }
  done33 = r33_0.over() || r33_1.over() || r33_2.over();
  s34.done = done33;
    if (done33) { r33_0.close(); r33_1.close(); r33_2.close(); }
  }

  // s53 := so_gather s38 s52 s21;
  void fire53() {
    for (;;) {
      if (r53_1.left() <= 0 || r53_2.left() <= 0 || r53_3.left() <= 0) break;
      i64 n, room = never / 2;
      room = lesser(room, s53.room());
      bool last;
      const i64 before = r53_0.pos;
      if (!take_run<true>(r53_0, room, n, last)) break;
      const Line v38 = {r53_1.here(), 0};
      const Line v39 = {r53_2.here(), 0};
      const Line v40 = {r53_3.here(), 0};
      i64 x = a53;
      const i64 to = x + n;
      bool waits = false;
      while (x < to && !waits) {
        i64 end = to;
        const Line v36 = {x, 1};
        const bool v41 = less(v36, v40, x, end);
        const Line v42 = {i64(1), 0};
        const Line v43 = difference(v40, v42);
        const Line v44 = difference(v43, v36);
        const Line v45 = v41 ? v44 : v36;
        const Line v46 = {i64(0), 0};
        const bool v47 = !less(v45, v46, x, end);
        const bool v48 = less(v45, v39, x, end);
        const bool v49 = v47 && v48;
        if (!v49) trap(50, value_at(v45), value_at(v39));
        const Line v51 = {i64(0), 0};
        const Line v52 = sum(v45, v51);
        i64 m = end - x;
        const Line p53 = sum(v38, v52);
        m = slice_there(*r53_4.s, p53, m);
        take_slice(s53, r53_4, p53, m, v38.at, (Groups*)0);
        x += m;
        waits = x < end;
      }
      if (waits) {
        r53_0.pos = before + (x - a53);
        a53 = x;
        break;
      }
      a53 = last ? 0 : x;
      r53_1.pos += last;
      r53_2.pos += last;
      r53_3.pos += last;
    }
    done53 = r53_0.over();
    s53.done = done53;
    let_go(r53_4, ahead(r53_1, a20.carry));
    if (done53) { r53_0.close(); r53_1.close(); r53_2.close(); r53_3.close(); r53_4.close(); }
  }

  // s55 := write_file s5 s6 s4 s53 s8;
  void fire55() {
    write_file<false>(s55, r55_0, r55_1, r55_2, r55_3, r55_4, file55, outputs, (Groups*)0);
    done55 = s55.done;
    if (done55) { r55_0.close(); r55_1.close(); r55_2.close(); r55_3.close(); r55_4.close(); }
  }

  bool pass() {
    if (!done1) { s1.release(lesser(s1.end, r7_2.pos)); fire1(); }
    if (!done2) { s2.release(lesser(s2.end, r7_0.pos)); fire2(); }
    if (!done3) { s3.release(lesser(s3.end, r7_1.pos)); fire3(); }
    if (!done4) { s4.release(lesser(s4.end, r55_2.pos)); fire4(); }
    if (!done5) { s5.release(lesser(s5.end, r55_0.pos)); fire5(); }
    if (!done6) { s6.release(lesser(s6.end, r55_1.pos)); fire6(); }
    if (!done7) { s7.release(lesser(lesser(lesser(lesser(lesser(s7.end, r8_0.pos), r11_0.pos), r12_0.pos), r31_2.pos), r53_4.pos)); fire7(); }
    if (!done8) { s8.release(lesser(s8.end, r55_4.pos)); fire8(); }
    if (!done11) { s11.release(lesser(s11.end, r13_0.pos)); fire11(); }
    if (!done12) { s12.release(lesser(s12.end, r13_1.pos)); fire12(); }
    if (!done13) { s13.release(lesser(lesser(s13.end, r19_0.pos), r53_0.pos)); fire13(); }
    if (!done19) { s19.release(lesser(lesser(lesser(lesser(lesser(s19.end, r20_0.pos), r23_0.pos), r28_2.pos), r33_0.pos), r53_2.pos)); fire19(); }
    if (!done20) { s20.release(lesser(lesser(s20.end, r31_0.pos), r53_1.pos)); fire20(); }
    if (!done23) { s23.release(lesser(lesser(s23.end, r28_1.pos), r33_1.pos)); s27.release(lesser(s27.end, r28_0.pos)); s30.release(lesser(s30.end, r31_1.pos)); fire23(); }
    if (!done28) {  fire28(); }
    if (!done31) { s31.release(lesser(s31.end, r33_2.pos)); fire31(); }
    if (!done33) { s34.release(lesser(s34.end, r53_3.pos)); fire33(); }
    if (!done53) { s53.release(lesser(s53.end, r55_3.pos)); fire53(); }
    if (!done55) {  fire55(); }
    return true && done1 && done2 && done3 && done4 && done5 && done6 && done7 && done8 && done11 && done12 && done13 && done19 && done20 && done23 && done28 && done31 && done33 && done53 && done55;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done1) + u64(s1.end);
    h += u64(done2) + u64(s2.end);
    h += u64(done3) + u64(s3.end);
    h += u64(done4) + u64(s4.end);
    h += u64(done5) + u64(s5.end);
    h += u64(done6) + u64(s6.end);
    h += u64(done7) + u64(s7.end) + u64(lesser(r7_0.pos, past_all)) + u64(lesser(r7_1.pos, past_all)) + u64(lesser(r7_2.pos, past_all));
    h += u64(done8) + u64(s8.end) + u64(lesser(r8_0.pos, past_all));
    h += u64(done11) + u64(s11.end) + u64(lesser(r11_0.pos, past_all));
    h += u64(done12) + u64(s12.end) + u64(lesser(r12_0.pos, past_all));
    h += u64(done13) + u64(s13.end) + u64(lesser(r13_0.pos, past_all)) + u64(lesser(r13_1.pos, past_all));
    h += u64(done19) + u64(s19.end) + u64(lesser(r19_0.pos, past_all));
    h += u64(done20) + u64(s20.end) + u64(lesser(r20_0.pos, past_all));
    h += u64(done23) + u64(s23.end) + u64(s27.end) + u64(s30.end) + u64(lesser(r23_0.pos, past_all));
    h += u64(done28) + u64(s28.end) + u64(lesser(r28_0.pos, past_all)) + u64(lesser(r28_1.pos, past_all)) + u64(lesser(r28_2.pos, past_all));
    h += u64(done31) + u64(s31.end) + u64(lesser(r31_0.pos, past_all)) + u64(lesser(r31_1.pos, past_all)) + u64(lesser(r31_2.pos, past_all));
    h += u64(done33) + u64(s34.end) + u64(lesser(r33_0.pos, past_all)) + u64(lesser(r33_1.pos, past_all)) + u64(lesser(r33_2.pos, past_all));
    h += u64(done53) + u64(s53.end) + u64(lesser(r53_0.pos, past_all)) + u64(lesser(r53_1.pos, past_all)) + u64(lesser(r53_2.pos, past_all)) + u64(lesser(r53_3.pos, past_all)) + u64(lesser(r53_4.pos, past_all));
    h += u64(done55) + u64(s55.end) + u64(lesser(r55_0.pos, past_all)) + u64(lesser(r55_1.pos, past_all)) + u64(lesser(r55_2.pos, past_all)) + u64(lesser(r55_3.pos, past_all)) + u64(lesser(r55_4.pos, past_all));
    return h;
  }
  bool grow() {
    Waiting::Edge edges[55];
    bool seen[20];
    Waiting w = {edges, seen, 20};
    if (!done7) { w.for_element(6, 1, r7_0); w.for_element(6, 2, r7_1); w.for_place(6, 0, r7_2, r7_0.left() > 0 && r7_1.left() > 0); w.for_room(6, 7, r8_0); w.for_room(6, 8, r11_0); w.for_room(6, 9, r12_0); w.for_room(6, 15, r31_2); w.for_room(6, 17, r53_4); }
    if (!done8) { w.for_element(7, 6, r8_0); w.for_room(7, 18, r55_4); }
    if (!done11) { w.for_element(8, 6, r11_0); w.for_room(8, 10, r13_0); }
    if (!done12) { w.for_element(9, 6, r12_0); w.for_room(9, 10, r13_1); }
    if (!done13) { w.for_element(10, 8, r13_0); w.for_element(10, 9, r13_1); w.for_room(10, 11, r19_0); w.for_room(10, 17, r53_0); }
    if (!done19) { w.for_element(11, 10, r19_0); w.for_room(11, 12, r20_0); w.for_room(11, 13, r23_0); w.for_room(11, 14, r28_2); w.for_room(11, 16, r33_0); w.for_room(11, 17, r53_2); }
    if (!done20) { w.for_element(12, 11, r20_0); w.for_room(12, 15, r31_0); w.for_room(12, 17, r53_1); }
    if (!done23) { w.for_element(13, 11, r23_0); w.for_room(13, 14, r28_1); w.for_room(13, 16, r33_1); w.for_room(13, 14, r28_0); w.for_room(13, 15, r31_1); }
    if (!done28) { w.for_element(14, 13, r28_0); w.for_element(14, 13, r28_1); w.for_element(14, 11, r28_2); }
    if (!done31) { w.for_element(15, 12, r31_0); w.for_element(15, 13, r31_1); w.for_place(15, 6, r31_2, r31_0.left() > 0 && r31_1.left() > 0); w.for_room(15, 16, r33_2); }
    if (!done33) { w.for_element(16, 11, r33_0); w.for_element(16, 13, r33_1); w.for_element(16, 15, r33_2); w.for_room(16, 17, r53_3); }
    if (!done53) { w.for_element(17, 10, r53_0); w.for_element(17, 12, r53_1); w.for_element(17, 11, r53_2); w.for_element(17, 16, r53_3); w.for_place(17, 6, r53_4, r53_0.left() > 0 && r53_1.left() > 0 && r53_2.left() > 0 && r53_3.left() > 0); w.for_room(17, 18, r55_3); }
    if (!done55) { w.for_element(18, 4, r55_0); w.for_element(18, 5, r55_1); w.for_place(18, 3, r55_2, r55_0.left() > 0 && r55_1.left() > 0); w.for_element(18, 17, r55_3); w.for_element(18, 7, r55_4); }
    Growing g = {w};
    if (!s7.done) { g.consider(7, 6, 7, r8_0); g.consider(7, 6, 8, r11_0); g.consider(7, 6, 9, r12_0); g.consider(7, 6, 15, r31_2); g.consider(7, 6, 17, r53_4); }
    if (!s8.done) { g.consider(8, 7, 18, r55_4); }
    if (!s13.done) { g.consider(13, 10, 11, r19_0); g.consider(13, 10, 17, r53_0); }
    if (!s53.done) { g.consider(53, 17, 18, r55_3); }
    if (g.which == 7) s7.grow();
    if (g.which == 8) s8.grow();
    if (g.which == 13) s13.grow();
    if (g.which == 53) s53.grow();
    return g.which >= 0;
  }
};
}  // namespace

namespace {
using namespace lockstep_engine;

struct Head {
  static const i64 least = 8;  // elements of a window
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
  static const i64 least = 8;  // elements of a window
  Stream<u8> s7;
  Stream<Bit> s11;
  Stream<Bit> s12;
  Stream<Bit> s13;
  Stream<Bit> s14;
  Stream<i64> s19;
  Stream<i64> s20;
  Stream<i64> s23;
  Stream<Bit> s27;
  Stream<i64> s30;
  Stream<Unit> s28;
  Stream<u8> s31;
  Stream<i64> s34;
  Stream<u8> s53;
  bool done7 = false;
  bool done11 = false;
  Reader<Stream<u8>> r11_0;
  bool done12 = false;
  Reader<Stream<u8>> r12_0;
  bool done13 = false;
  Reader<Stream<Bit>> r13_0;
  Reader<Stream<Bit>> r13_1;
  bool done14 = false;
  Reader<Stream<Bit>> r14_0;
  bool done19 = false;
  Reader<Stream<Bit>> r19_0;
  i64 a19 = {};
  bool done20 = false;
  Reader<Stream<i64>> r20_0;
  Prefix<Plus, i64> a20;
  bool done23 = false;
  Reader<Stream<i64>> r23_0;
  bool done28 = false;
  Reader<Stream<Bit>> r28_0;
  Reader<Stream<i64>> r28_1;
  Reader<Stream<i64>> r28_2;
  bool done31 = false;
  Reader<Stream<i64>> r31_0;
  Reader<Stream<i64>> r31_1;
  Reader<Stream<u8>> r31_2;
  bool done33 = false;
  Reader<Stream<i64>> r33_0;
  Reader<Stream<i64>> r33_1;
  Reader<Stream<u8>> r33_2;
  bool done53 = false;
  Reader<Stream<Bit>> r53_0;
  Reader<Stream<i64>> r53_1;
  Reader<Stream<i64>> r53_2;
  Reader<Stream<i64>> r53_3;
  Reader<Stream<u8>> r53_4;
  i64 a53 = {};
  Outputs outputs;
  const lockstep_stream* inputs;
  const Piece* piece = 0;

  Body(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s7.open(greater(chunk, least));
    s11.open(greater(chunk, least));
    r11_0.s = &s7;
    s12.open(greater(chunk, least));
    r12_0.s = &s7;
    s13.open(greater(chunk, least));
    r13_0.s = &s11;
    r13_1.s = &s12;
    s14.open(greater(chunk, piece_numbers));
    r14_0.s = &s13;
    s19.open(greater(chunk, least));
    r19_0.s = &s13;
    s20.open(greater(chunk, least));
    r20_0.s = &s19;
    s23.open(greater(chunk, least));
    s27.open(greater(chunk, least));
    s30.open(greater(chunk, least));
    r23_0.s = &s19;
    s28.open(greater(chunk, least));
    r28_0.s = &s27;
    r28_1.s = &s23;
    r28_2.s = &s19;
    s31.open(greater(chunk, least));
    r31_0.s = &s20;
    r31_1.s = &s30;
    r31_2.s = &s7;
    s34.open(greater(chunk, least));
    r33_0.s = &s19;
    r33_1.s = &s23;
    r33_2.s = &s31;
    s53.open(greater(chunk, piece_numbers));
    r53_0.s = &s13;
    r53_1.s = &s20;
    r53_2.s = &s19;
    r53_3.s = &s34;
    r53_4.s = &s7;
  }

  // s7 := input;
  void fire7() {
    s7.borrow(piece->data, piece->length);
    done7 = s7.done;
  }

  // s11 := map_eq s7 s10;
  void fire11() {
  const i64 n = lesser(lesser(never, r11_0.left()), s11.room());
  if (n > 0) {
    const i64 pos = r11_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u8* const __restrict t7 = r11_0.s->at(at);
      alignas(64) u8 m11[64];
      for (int j = 0; j < 64; ++j) {
        const bool v11 = t7[j] == u8(10);
        m11[j] = v11;
      }
      const u64 w11 = pack_bytes(m11);
      *s11.at(at) = w11 & low_bits(pos + n - at);
    }
    r11_0.pos += n;
    s11.end += n;
  }
  done11 = r11_0.over();
  s11.done = done11;
    if (done11) { r11_0.close(); }
  }

  // s12 := last_flag s7;
  void fire12() {
    last_flag(s12, r12_0);
    done12 = s12.done;
    if (done12) { r12_0.close(); }
  }

  // s13 := map_or s11 s12;
  void fire13() {
  const i64 n = lesser(lesser(lesser(never, r13_0.left()), r13_1.left()), s13.room());
  if (n > 0) {
    const i64 pos = r13_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const u64 w11 = *r13_0.s->at(at);
      const u64 w12 = *r13_1.s->at(at);
      const u64 w13 = w11 | w12;
      *s13.at(at) = w13 & low_bits(pos + n - at);
    }
    r13_0.pos += n;
    r13_1.pos += n;
    s13.end += n;
  }
  done13 = r13_0.over() || r13_1.over();
  s13.done = done13;
    if (done13) { r13_0.close(); r13_1.close(); }
  }

  // s14 := ends s13;
  void fire14() {
    ends(s14, r14_0);
    done14 = s14.done;
    if (done14) { r14_0.close(); }
  }

  // s19 := lens s13;
  void fire19() {
    lens<true>(s19, r19_0, a19);
    done19 = s19.done;
    if (done19) { r19_0.close(); }
  }

  // s20 := scan s19;
  void fire20() {
    scan(s20, r20_0, a20);
    done20 = s20.done;
    if (done20) { r20_0.close(); }
  }

  // s23 := map_sub s19 s22; s25 := map_ge s23 s24; s26 := map_lt s23 s19; s27 := map_and s25 s26; s30 := map_add s23 s29;
  void fire23() {
  const i64 n = lesser(lesser(lesser(lesser(never, r23_0.left()), s23.room()), s27.room()), s30.room());
  if (n > 0) {
    const i64 pos = r23_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const i64* const __restrict t19 = r23_0.s->at(at);
      i64* const __restrict t23 = s23.at(at);
      i64* const __restrict t30 = s30.at(at);
      alignas(64) u8 m25[64];
      alignas(64) u8 m26[64];
      for (int j = 0; j < 64; ++j) {
        const i64 v23 = t19[j] - i64(1);
        t23[j] = v23;
        const bool v25 = v23 >= i64(0);
        m25[j] = v25;
        const bool v26 = v23 < t19[j];
        m26[j] = v26;
        const i64 v30 = v23 + i64(0);
        t30[j] = v30;
      }
      const u64 w25 = pack_bytes(m25);
      const u64 w26 = pack_bytes(m26);
      const u64 w27 = w25 & w26;
      *s27.at(at) = w27 & low_bits(pos + n - at);
    }
    r23_0.pos += n;
    s23.end += n;
    s27.end += n;
    s30.end += n;
  }
  done23 = r23_0.over();
  s23.done = done23;
  s27.done = done23;
  s30.done = done23;
    if (done23) { r23_0.close(); }
  }

  // s28 := check s27 s23 s19;
  void fire28() {
    check(s28, 28, r28_0, r28_1, r28_2);
    done28 = s28.done;
    if (done28) { r28_0.close(); r28_1.close(); r28_2.close(); }
  }

  // s31 := so_gather s20 s30 s21;
  void fire31() {
    gather(s31, r31_0, r31_1, r31_2, (Groups*)0);
    done31 = s31.done;
    let_go(r31_2, ahead(r31_0, a20.carry));
    if (done31) { r31_0.close(); r31_1.close(); r31_2.close(); }
  }

  // s33 := map_eq s31 s32; s34 := map_select s33 s23 s19;
  void fire33() {
  const i64 n = lesser(lesser(lesser(lesser(never, r33_0.left()), r33_1.left()), r33_2.left()), s34.room());
  if (n > 0) {
    const i64 pos = r33_0.pos;
    for (i64 at = pos & -block; at < pos + n; at += block) {
      const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);
      (void)now;
      const i64* const __restrict t19 = r33_0.s->at(at);
      const i64* const __restrict t23 = r33_1.s->at(at);
      const u8* const __restrict t31 = r33_2.s->at(at);
      i64* const __restrict t34 = s34.at(at);
      alignas(64) u8 m33[64];
      for (int j = 0; j < 64; ++j) {
        const bool v33 = t31[j] == u8(10);
        m33[j] = v33;
      }
      const u64 w33 = pack_bytes(m33);
      for (int j = 0; j < 64; ++j) {
        const i64 v34 = bool(w33 >> j & 1) ? t23[j] : t19[j];
        t34[j] = v34;
      }
    }
    r33_0.pos += n;
    r33_1.pos += n;
    r33_2.pos += n;
    s34.end += n;
  }
  done33 = r33_0.over() || r33_1.over() || r33_2.over();
  s34.done = done33;
    if (done33) { r33_0.close(); r33_1.close(); r33_2.close(); }
  }

  // s53 := so_gather s38 s52 s21;
  void fire53() {
    for (;;) {
      if (r53_1.left() <= 0 || r53_2.left() <= 0 || r53_3.left() <= 0) break;
      i64 n, room = never / 2;
      room = lesser(room, s53.room());
      bool last;
      const i64 before = r53_0.pos;
      if (!take_run<true>(r53_0, room, n, last)) break;
      const Line v38 = {r53_1.here(), 0};
      const Line v39 = {r53_2.here(), 0};
      const Line v40 = {r53_3.here(), 0};
      i64 x = a53;
      const i64 to = x + n;
      bool waits = false;
      while (x < to && !waits) {
        i64 end = to;
        const Line v36 = {x, 1};
        const bool v41 = less(v36, v40, x, end);
        const Line v42 = {i64(1), 0};
        const Line v43 = difference(v40, v42);
        const Line v44 = difference(v43, v36);
        const Line v45 = v41 ? v44 : v36;
        const Line v46 = {i64(0), 0};
        const bool v47 = !less(v45, v46, x, end);
        const bool v48 = less(v45, v39, x, end);
        const bool v49 = v47 && v48;
        if (!v49) trap(50, value_at(v45), value_at(v39));
        const Line v51 = {i64(0), 0};
        const Line v52 = sum(v45, v51);
        i64 m = end - x;
        const Line p53 = sum(v38, v52);
        m = slice_there(*r53_4.s, p53, m);
        take_slice(s53, r53_4, p53, m, v38.at, (Groups*)0);
        x += m;
        waits = x < end;
      }
      if (waits) {
        r53_0.pos = before + (x - a53);
        a53 = x;
        break;
      }
      a53 = last ? 0 : x;
      r53_1.pos += last;
      r53_2.pos += last;
      r53_3.pos += last;
    }
    done53 = r53_0.over();
    s53.done = done53;
    let_go(r53_4, ahead(r53_1, a20.carry));
    if (done53) { r53_0.close(); r53_1.close(); r53_2.close(); r53_3.close(); r53_4.close(); }
  }

  bool pass() {
    if (!done7) { s7.release(lesser(lesser(lesser(lesser(s7.end, r11_0.pos), r12_0.pos), r31_2.pos), r53_4.pos)); fire7(); }
    if (!done11) { s11.release(lesser(s11.end, r13_0.pos)); fire11(); }
    if (!done12) { s12.release(lesser(s12.end, r13_1.pos)); fire12(); }
    if (!done13) { s13.release(lesser(lesser(lesser(s13.end, r14_0.pos), r19_0.pos), r53_0.pos)); fire13(); }
    if (!done14) {  fire14(); }
    if (!done19) { s19.release(lesser(lesser(lesser(lesser(lesser(s19.end, r20_0.pos), r23_0.pos), r28_2.pos), r33_0.pos), r53_2.pos)); fire19(); }
    if (!done20) { s20.release(lesser(lesser(s20.end, r31_0.pos), r53_1.pos)); fire20(); }
    if (!done23) { s23.release(lesser(lesser(s23.end, r28_1.pos), r33_1.pos)); s27.release(lesser(s27.end, r28_0.pos)); s30.release(lesser(s30.end, r31_1.pos)); fire23(); }
    if (!done28) {  fire28(); }
    if (!done31) { s31.release(lesser(s31.end, r33_2.pos)); fire31(); }
    if (!done33) { s34.release(lesser(s34.end, r53_3.pos)); fire33(); }
    if (!done53) {  fire53(); }
    return true && done7 && done11 && done12 && done13 && done14 && done19 && done20 && done23 && done28 && done31 && done33 && done53;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done7) + u64(s7.end);
    h += u64(done11) + u64(s11.end) + u64(lesser(r11_0.pos, past_all));
    h += u64(done12) + u64(s12.end) + u64(lesser(r12_0.pos, past_all));
    h += u64(done13) + u64(s13.end) + u64(lesser(r13_0.pos, past_all)) + u64(lesser(r13_1.pos, past_all));
    h += u64(done14) + u64(s14.end) + u64(lesser(r14_0.pos, past_all));
    h += u64(done19) + u64(s19.end) + u64(lesser(r19_0.pos, past_all));
    h += u64(done20) + u64(s20.end) + u64(lesser(r20_0.pos, past_all));
    h += u64(done23) + u64(s23.end) + u64(s27.end) + u64(s30.end) + u64(lesser(r23_0.pos, past_all));
    h += u64(done28) + u64(s28.end) + u64(lesser(r28_0.pos, past_all)) + u64(lesser(r28_1.pos, past_all)) + u64(lesser(r28_2.pos, past_all));
    h += u64(done31) + u64(s31.end) + u64(lesser(r31_0.pos, past_all)) + u64(lesser(r31_1.pos, past_all)) + u64(lesser(r31_2.pos, past_all));
    h += u64(done33) + u64(s34.end) + u64(lesser(r33_0.pos, past_all)) + u64(lesser(r33_1.pos, past_all)) + u64(lesser(r33_2.pos, past_all));
    h += u64(done53) + u64(s53.end) + u64(lesser(r53_0.pos, past_all)) + u64(lesser(r53_1.pos, past_all)) + u64(lesser(r53_2.pos, past_all)) + u64(lesser(r53_3.pos, past_all)) + u64(lesser(r53_4.pos, past_all));
    return h;
  }
  bool grow() {
    Waiting::Edge edges[41];
    bool seen[13];
    Waiting w = {edges, seen, 13};
    if (!done11) { w.for_element(1, 0, r11_0); w.for_room(1, 3, r13_0); }
    if (!done12) { w.for_element(2, 0, r12_0); w.for_room(2, 3, r13_1); }
    if (!done13) { w.for_element(3, 1, r13_0); w.for_element(3, 2, r13_1); w.for_room(3, 4, r14_0); w.for_room(3, 5, r19_0); w.for_room(3, 11, r53_0); }
    if (!done14) { w.for_element(4, 3, r14_0); }
    if (!done19) { w.for_element(5, 3, r19_0); w.for_room(5, 6, r20_0); w.for_room(5, 7, r23_0); w.for_room(5, 8, r28_2); w.for_room(5, 10, r33_0); w.for_room(5, 11, r53_2); }
    if (!done20) { w.for_element(6, 5, r20_0); w.for_room(6, 9, r31_0); w.for_room(6, 11, r53_1); }
    if (!done23) { w.for_element(7, 5, r23_0); w.for_room(7, 8, r28_1); w.for_room(7, 10, r33_1); w.for_room(7, 8, r28_0); w.for_room(7, 9, r31_1); }
    if (!done28) { w.for_element(8, 7, r28_0); w.for_element(8, 7, r28_1); w.for_element(8, 5, r28_2); }
    if (!done31) { w.for_element(9, 6, r31_0); w.for_element(9, 7, r31_1); w.for_place(9, 0, r31_2, r31_0.left() > 0 && r31_1.left() > 0); w.for_room(9, 10, r33_2); }
    if (!done33) { w.for_element(10, 5, r33_0); w.for_element(10, 7, r33_1); w.for_element(10, 9, r33_2); w.for_room(10, 11, r53_3); }
    if (!done53) { w.for_element(11, 3, r53_0); w.for_element(11, 6, r53_1); w.for_element(11, 5, r53_2); w.for_element(11, 10, r53_3); w.for_place(11, 0, r53_4, r53_0.left() > 0 && r53_1.left() > 0 && r53_2.left() > 0 && r53_3.left() > 0); }
    Growing g = {w};
    if (!s13.done) { g.consider(13, 3, 4, r14_0); g.consider(13, 3, 5, r19_0); g.consider(13, 3, 11, r53_0); }
    if (!s14.done) { g.keep(14, s14); }
    if (!s53.done) { g.keep(53, s53); }
    if (g.which == 13) s13.grow();
    if (g.which == 14) s14.grow();
    if (g.which == 53) s53.grow();
    return g.which >= 0;
  }
  void restart(const Piece& p) {
    piece = &p;
    done7 = false;
    s7.restart();
    r11_0.pos = 0;
    done11 = false;
    s11.restart();
    r12_0.pos = 0;
    done12 = false;
    s12.restart();
    r13_0.pos = 0;
    r13_1.pos = 0;
    done13 = false;
    s13.restart();
    r14_0.pos = 0;
    done14 = false;
    s14.restart();
    r19_0.pos = 0;
    done19 = false;
    s19.restart();
    a19 = decltype(a19)();
    r20_0.pos = 0;
    done20 = false;
    s20.restart();
    a20 = decltype(a20)();
    r23_0.pos = 0;
    done23 = false;
    s23.restart();
    s27.restart();
    s30.restart();
    r28_0.pos = 0;
    r28_1.pos = 0;
    r28_2.pos = 0;
    done28 = false;
    s28.restart();
    r31_0.pos = 0;
    r31_1.pos = 0;
    r31_2.pos = 0;
    done31 = false;
    s31.restart();
    r33_0.pos = 0;
    r33_1.pos = 0;
    r33_2.pos = 0;
    done33 = false;
    s34.restart();
    r53_0.pos = 0;
    r53_1.pos = 0;
    r53_2.pos = 0;
    r53_3.pos = 0;
    r53_4.pos = 0;
    done53 = false;
    s53.restart();
    a53 = decltype(a53)();
  }
};
}  // namespace

namespace {
using namespace lockstep_engine;

struct Tail {
  static const i64 least = 8;  // elements of a window
  Stream<u8> s4;
  Stream<i64> s5;
  Stream<i64> s6;
  Stream<Bit> s35;
  Stream<u8> s53;
  Stream<Bit> s54;
  Stream<Unit> s55;
  bool done4 = false;
  bool done5 = false;
  bool done6 = false;
  bool done35 = false;
  Reader<Stream<Bit>> k35;
  bool done53 = false;
  Reader<Stream<u8>> k53;
  bool done54 = false;
  Reader<Stream<Bit>> r54_0;
  bool done55 = false;
  Reader<Stream<i64>> r55_0;
  Reader<Stream<i64>> r55_1;
  Reader<Stream<u8>> r55_2;
  Reader<Stream<u8>> r55_3;
  Reader<Stream<Bit>> r55_4;
  FileWriter file55;
  Outputs outputs;
  const lockstep_stream* inputs;
  bool finished = false;

  Tail(const lockstep_stream* given, i64 chunk) : inputs(given) {
    s35.open(greater(chunk, least));
    s53.open(greater(chunk, least));
    s54.open(greater(chunk, least));
    r54_0.s = &s35;
    s55.open(greater(chunk, least));
    r55_0.s = &s5;
    r55_1.s = &s6;
    r55_2.s = &s4;
    r55_3.s = &s53;
    r55_4.s = &s54;
  }

  // s4 := input;
  void fire4() {
    take_input(s4, inputs[3]);
    done4 = s4.done;
  }

  // s5 := input;
  void fire5() {
    take_input(s5, inputs[4]);
    done5 = s5.done;
  }

  // s6 := input;
  void fire6() {
    take_input(s6, inputs[5]);
    done6 = s6.done;
  }

  // s35 := input;
  void fire35() {
    feed(s35, k35, finished);
    done35 = s35.done;
  }

  // s53 := input;
  void fire53() {
    feed(s53, k53, finished);
    done53 = s53.done;
  }

  // s54 := all_of s35;
  void fire54() {
    all_of<false>(s54, r54_0);
    done54 = s54.done;
    if (done54) { r54_0.close(); }
  }

  // s55 := write_file s5 s6 s4 s53 s54;
  void fire55() {
    write_file<false>(s55, r55_0, r55_1, r55_2, r55_3, r55_4, file55, outputs, (Groups*)0);
    done55 = s55.done;
    if (done55) { r55_0.close(); r55_1.close(); r55_2.close(); r55_3.close(); r55_4.close(); }
  }

  bool pass() {
    if (!done4) { s4.release(lesser(s4.end, r55_2.pos)); fire4(); }
    if (!done5) { s5.release(lesser(s5.end, r55_0.pos)); fire5(); }
    if (!done6) { s6.release(lesser(s6.end, r55_1.pos)); fire6(); }
    if (!done35) { s35.release(lesser(s35.end, r54_0.pos)); fire35(); }
    if (!done53) { s53.release(lesser(s53.end, r55_3.pos)); fire53(); }
    if (!done54) { s54.release(lesser(s54.end, r55_4.pos)); fire54(); }
    if (!done55) {  fire55(); }
    return true && done4 && done5 && done6 && done35 && done53 && done54 && done55;
  }
  u64 progress() const {
    u64 h = 0;
    h += u64(done4) + u64(s4.end);
    h += u64(done5) + u64(s5.end);
    h += u64(done6) + u64(s6.end);
    h += u64(done35) + u64(s35.end);
    h += u64(done53) + u64(s53.end);
    h += u64(done54) + u64(s54.end) + u64(lesser(r54_0.pos, past_all));
    h += u64(done55) + u64(s55.end) + u64(lesser(r55_0.pos, past_all)) + u64(lesser(r55_1.pos, past_all)) + u64(lesser(r55_2.pos, past_all)) + u64(lesser(r55_3.pos, past_all)) + u64(lesser(r55_4.pos, past_all));
    return h;
  }
  bool grow() { return false; }
  template <class B>
  void take(B& body) {
    k35.s = &body.s14, k35.pos = 0;
    k53.s = &body.s53, k53.pos = 0;
    (void)body;
    take_all(*this);
  }
  bool fed() const { return true && k35.left() == 0 && k53.left() == 0; }
  void finish() {
    finished = true;
    k35.s = 0;
    k53.s = 0;
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
      static const u8 cut[256] = {0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,};
      FilePieces pieces;
      pieces.instruction = 7;
      pieces.cut = cut;
      pieces.size = piece_size(options, piece_bytes);
      name_of(pieces.file, head->c0, head->c1, head->c2);
      pieces.file.start(7);
      Crew<FilePieces, Body, Tail> crew(pieces, *tail, inputs, chunk, trap);
      if (pieces.begin()) {
      if (const int failure = crew.run(threads)) return failure;
      tail->finish();
      tail->outputs.appear();
    (void)results;
      return 0;
      }
      Program* const p = new Program(inputs, chunk);
      Owner<Program> owner(p);
      p->file7.go_on(pieces.file, pieces.first.data, pieces.first.length);
      run_to_end(*p);
      p->outputs.appear();
    (void)results;
      return 0;
    }
    Program* const p = new Program(inputs, chunk);
    Owner<Program> owner(p);
    run_to_end(*p);
    p->outputs.appear();
    (void)results;
    return 0;
  } LOCKSTEP_CATCH(trap)
}
extern "C" int32_t snesl_rev(const lockstep_stream* inputs, lockstep_stream* results,
    const lockstep_options* options, lockstep_trap* trap) {
  return lockstep_engine_run(inputs, results, options, trap);
}
