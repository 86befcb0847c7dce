// The scan circuits of thesis Fig. 4.4 and 4.10, with Highway, each in its natural form over M vectors at a time: the
// circuit over their lanes, and then the sum of all before, one number in all lanes, added to each vector. Inclusive
// sums of arrays whose length is a multiple of that of M vectors.
#pragma once
#include <hwy/highway.h>

#include <cstdint>

namespace lockstep::bench {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
constexpr int lanes_of = static_cast<int>(hn::MaxLanes(D()));

// Lane i of the result is lane from(i) of the operand, or 0 where that is negative.
template <class D>
class Lookup {
 public:
  using V = hn::VFromD<D>;
  template <class From>
  HWY_INLINE explicit Lookup(From from) {
    alignas(64) hwy::MakeSigned<hn::TFromD<D>> at[lanes_of<D>], take[lanes_of<D>];
    for (int i = 0; i < lanes_of<D>; ++i) {
      const int lane = from(i);
      at[i] = lane < 0 ? 0 : lane;
      take[i] = lane < 0 ? 0 : -1;
    }
    const hn::RebindToSigned<D> integers;
    take_ = hn::MaskFromVec(hn::BitCast(D(), hn::Load(integers, take)));
    at_ = hn::Load(integers, at);
  }
  HWY_INLINE V all(V v) const { return hn::TableLookupLanes(v, hn::IndicesFromVec(D(), at_)); }
  HWY_INLINE V operator()(V v) const { return hn::IfThenElseZero(take_, all(v)); }
  HWY_INLINE V operator()(V v, V otherwise) const { return hn::IfThenElse(take_, all(v), otherwise); }

 private:
  hn::VFromD<hn::RebindToSigned<D>> at_;
  hn::MFromD<D> take_;
};

// Lanes moved up by k, zeros or those of the vector before coming in.
template <class D, int k>
class Shift {
  static constexpr int n = lanes_of<D>;
  static constexpr bool small = n * sizeof(hn::TFromD<D>) == 16;

 public:
  using V = hn::VFromD<D>;
  HWY_INLINE V operator()(V v) const {
    if constexpr (small)
      return hn::ShiftLeftLanes<k>(D(), v);
    else
      return own_(v);
  }
  HWY_INLINE V operator()(V v, V before) const {
    if constexpr (small)
      return hn::CombineShiftRightBytes<16 - k* static_cast<int>(sizeof(hn::TFromD<D>))>(D(), v, before);
    else
      return own_(v, come_.all(before));
  }

 private:
  Lookup<D> own_{[](int i) { return i - k; }}, come_{[](int i) { return i < k ? n + i - k : 0; }};
};

template <class D>
class Last {
 public:
  using V = hn::VFromD<D>;
  HWY_INLINE V operator()(V v) const {
    if constexpr (lanes_of<D> == 4 && sizeof(hn::TFromD<D>) == 4)
      return hn::Broadcast<3>(v);
    else
      return at_.all(v);
  }

 private:
  Lookup<D> at_{[](int) { return lanes_of<D> - 1; }};
};

template <class D, int k, int M>
HWY_INLINE void add_shifted(const Shift<D, k>& shift, hn::VFromD<D>* v) {
  if constexpr (k < lanes_of<D>) {
    for (int j = M - 1; j > 0; --j) v[j] = hn::Add(v[j], shift(v[j], v[j - 1]));
    v[0] = hn::Add(v[0], shift(v[0]));
  }
}

template <class D, int M>
struct KoggeStone {
  static constexpr int n = lanes_of<D>;
  Shift<D, 1> by1;
  Shift<D, n >= 4 ? 2 : 1> by2;
  Shift<D, n >= 8 ? 4 : 1> by4;
  HWY_INLINE void operator()(hn::VFromD<D>* v) const {
    add_shifted<D, 1, M>(by1, v);
    if constexpr (n >= 4) add_shifted<D, 2, M>(by2, v);
    if constexpr (n >= 8) add_shifted<D, 4, M>(by4, v);
    for (int k = 1; k < M; k *= 2)
      for (int j = M - 1; j >= k; --j) v[j] = hn::Add(v[j], v[j - k]);
  }
};

// Up: each second lane, then each fourth, ...; down: what lies between. The last level up and the first down are one.
template <class D, int M>
struct Blelloch {
  static constexpr int n = lanes_of<D>;
  Last<D> last;
  Lookup<D> up1{[](int i) { return i % 2 == 1 ? i - 1 : -1; }};
  Lookup<D> up2{[](int i) { return i % 4 == 3 ? i - 2 : -1; }};
  Lookup<D> middle{[](int i) { return i == n - 1 || i == n * 3 / 4 - 1 ? n / 2 - 1 : -1; }};
  Lookup<D> down1{[](int i) { return i % 2 == 0 ? i - 1 : -1; }};
  HWY_INLINE void operator()(hn::VFromD<D>* v) const {
    static_assert(n <= 8);
    for (int j = 0; j < M; ++j) {
      v[j] = hn::Add(v[j], up1(v[j]));
      if constexpr (n >= 8) v[j] = hn::Add(v[j], up2(v[j]));
      if constexpr (n >= 4) v[j] = hn::Add(v[j], middle(v[j]));
      if constexpr (n >= 8) v[j] = hn::Add(v[j], down1(v[j]));
    }
    for (int s = 1; s < M; s *= 2)
      for (int j = 2 * s - 1; j < M; j += 2 * s) v[j] = hn::Add(v[j], last(v[j - s]));
    for (int s = M / 4; s >= 1; s /= 2)
      for (int j = 3 * s - 1; j < M; j += 2 * s) v[j] = hn::Add(v[j], last(v[j - s]));
  }
};

// The second half of each group takes the sum of the first.
template <class D, int M>
struct Sklansky {
  static_assert(M == 2);
  static constexpr int n = lanes_of<D>;
  Last<D> last;
  Lookup<D> half1{[](int i) { return i & 1 ? i - 1 : -1; }};
  Lookup<D> half2{[](int i) { return i & 2 ? (i & ~3) + 1 : -1; }};
  Lookup<D> half4{[](int i) { return i & 4 ? (i & ~7) + 3 : -1; }};
  HWY_INLINE void operator()(hn::VFromD<D>* v) const {
    if constexpr (n == 4 && sizeof(hn::TFromD<D>) == 4) {
      // As in Fig. 4.8 the four sums of a level are one addition.
      const D d;
      const auto even = hn::ConcatEven(d, v[1], v[0]), odd = hn::ConcatOdd(d, v[1], v[0]);
      const auto pairs = hn::Add(even, odd);
      const auto fours = hn::Add(hn::DupEven(pairs), hn::OddEven(pairs, hn::DupOdd(even)));
      v[0] = hn::ConcatLowerLower(d, fours, hn::InterleaveLower(d, even, pairs));
      v[1] = hn::ConcatUpperLower(d, fours, hn::InterleaveUpper(d, even, pairs));
    } else {
      for (int j = 0; j < M; ++j) {
        v[j] = hn::Add(v[j], half1(v[j]));
        if constexpr (n >= 4) v[j] = hn::Add(v[j], half2(v[j]));
        if constexpr (n >= 8) v[j] = hn::Add(v[j], half4(v[j]));
      }
    }
    v[1] = hn::Add(v[1], last(v[0]));
  }
};

template <template <class, int> class Circuit, class D, int M>
void scan_with(const hn::TFromD<D>* xs, hn::TFromD<D>* ys, std::int64_t count) {
  const D d;
  const Circuit<D, M> circuit;
  const Last<D> last;
  auto acc = hn::Zero(d);
  for (std::int64_t i = 0; i < count; i += M * lanes_of<D>) {
    hn::VFromD<D> v[M];
    for (int j = 0; j < M; ++j) v[j] = hn::LoadU(d, xs + i + j * lanes_of<D>);
    circuit(v);
    for (int j = 0; j < M; ++j) {
      v[j] = hn::Add(v[j], acc);
      hn::StoreU(v[j], d, ys + i + j * lanes_of<D>);
    }
    acc = last(v[M - 1]);
  }
}

// Segmented, by the operator (f, a) + (g, b) = (f or g, (not g) a + b). fs is true where a segment begins.
template <int M>
void segmented_kogge_stone(const bool* fs, const float* xs, float* ys, std::int64_t count) {
  using D = hn::FixedTag<float, 4>;
  using F = hn::FixedTag<std::uint32_t, 4>;
  const D d;
  const F words;
  const hn::FixedTag<std::uint8_t, 4> bytes;
  const Last<D> last;
  auto acc = hn::Zero(d);
  const auto without = [&](auto flags, auto v) { return hn::BitCast(d, hn::AndNot(flags, hn::BitCast(words, v))); };
  const auto level = [&](const auto& shift, const auto& shift_flags, auto* v, auto* f) {
    for (int j = M - 1; j >= 0; --j) {
      v[j] = hn::Add(v[j], without(f[j], j > 0 ? shift(v[j], v[j - 1]) : shift(v[j])));
      f[j] = hn::Or(f[j], j > 0 ? shift_flags(f[j], f[j - 1]) : shift_flags(f[j]));
    }
  };
  for (std::int64_t i = 0; i < count; i += 4 * M) {
    hn::VFromD<D> v[M];
    hn::VFromD<F> f[M];
    for (int j = 0; j < M; ++j) {
      v[j] = hn::LoadU(d, xs + i + 4 * j);
      const auto flags = hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(fs + i + 4 * j));
      f[j] = hn::Sub(hn::Zero(words), hn::PromoteTo(words, flags));
    }
    level(Shift<D, 1>(), Shift<F, 1>(), v, f);
    level(Shift<D, 2>(), Shift<F, 2>(), v, f);
    for (int k = 1; k < M; k *= 2)
      for (int j = M - 1; j >= k; --j) {
        v[j] = hn::Add(v[j], without(f[j], v[j - k]));
        f[j] = hn::Or(f[j], f[j - k]);
      }
    for (int j = 0; j < M; ++j) {
      v[j] = hn::Add(v[j], without(f[j], acc));
      hn::StoreU(v[j], d, ys + i + 4 * j);
    }
    acc = last(v[M - 1]);
  }
}

}  // namespace lockstep::bench
