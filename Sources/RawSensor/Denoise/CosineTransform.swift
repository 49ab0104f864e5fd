/// Eight vectors: samples or coefficients 0…7 of eight transforms side by side.
///
/// ``forEach(_:)`` and ``init(_:)`` are loops over constants that are written out, so that all
/// eight stay in registers.
struct Octet {
  var v0, v1, v2, v3, v4, v5, v6, v7: SIMD8<Float>

  @inline(__always)
  init(
    v0: SIMD8<Float>, v1: SIMD8<Float>, v2: SIMD8<Float>, v3: SIMD8<Float>, v4: SIMD8<Float>,
    v5: SIMD8<Float>, v6: SIMD8<Float>, v7: SIMD8<Float>
  ) {
    (self.v0, self.v1, self.v2, self.v3) = (v0, v1, v2, v3)
    (self.v4, self.v5, self.v6, self.v7) = (v4, v5, v6, v7)
  }

  /// Vector k is `vector(k)`.
  @inline(__always)
  init(_ vector: (Int) -> SIMD8<Float>) {
    self.init(
      v0: vector(0), v1: vector(1), v2: vector(2), v3: vector(3), v4: vector(4), v5: vector(5),
      v6: vector(6), v7: vector(7))
  }

  /// Calls `body` with 0, 1 … 7.
  @inline(__always)
  static func forEach(_ body: (Int) -> Void) {
    body(0)
    body(1)
    body(2)
    body(3)
    body(4)
    body(5)
    body(6)
    body(7)
  }

  /// Vector `k`.
  @inline(__always)
  subscript(k: Int) -> SIMD8<Float> {
    switch k {
    case 0: v0
    case 1: v1
    case 2: v2
    case 3: v3
    case 4: v4
    case 5: v5
    case 6: v6
    default: v7
    }
  }
}

/// Cosine transform of eight samples, type II, and its inverse, with 29 additions and 5
/// multiplications each.
///
/// Source: Arai, Agui, Nakajima, "A fast DCT-SQ scheme for images" (1988). `forward` gives `√8 ·
/// scale[k]` times the orthonormal coefficient k; `inverse` of what it gave is 8 times the samples.
/// So coefficients may go straight from one to the other, and only thresholds have to know the
/// scale.
enum CosineTransform {
  static let scale: [Float] = [
    1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379,
  ]

  /// Coefficient `i` of an 8 × 8 block, row by row, over the orthonormal one.
  static func blockScale(_ i: Int) -> Float { 8 * scale[i / 8] * scale[i % 8] }

  @inline(__always)
  static func forward(_ d: Octet) -> Octet {
    let (s0, d0) = (d.v0 + d.v7, d.v0 - d.v7)
    let (s1, d1) = (d.v1 + d.v6, d.v1 - d.v6)
    let (s2, d2) = (d.v2 + d.v5, d.v2 - d.v5)
    let (s3, d3) = (d.v3 + d.v4, d.v3 - d.v4)
    let (e0, e3) = (s0 + s3, s0 - s3)
    let (e1, e2) = (s1 + s2, s1 - s2)
    let turn = (e2 + e3) * 0.707106781
    let (o0, o1, o2) = (d3 + d2, d2 + d1, d1 + d0)
    let common = (o0 - o2) * 0.382683433
    let low = o0 * 0.541196100 + common
    let high = o2 * 1.306562965 + common
    let middle = o1 * 0.707106781
    let (sum, difference) = (d0 + middle, d0 - middle)
    return Octet(
      v0: e0 + e1, v1: sum + high, v2: e3 + turn, v3: difference - low, v4: e0 - e1,
      v5: difference + low, v6: e3 - turn, v7: sum - high)
  }

  @inline(__always)
  static func inverse(_ c: Octet) -> Octet {
    let (a0, a1) = (c.v0 + c.v4, c.v0 - c.v4)
    let a3 = c.v2 + c.v6
    let a2 = (c.v2 - c.v6) * 1.414213562 - a3
    let (e0, e3, e1, e2) = (a0 + a3, a0 - a3, a1 + a2, a1 - a2)
    let (z13, z10) = (c.v5 + c.v3, c.v5 - c.v3)
    let (z11, z12) = (c.v1 + c.v7, c.v1 - c.v7)
    let o7 = z11 + z13
    let z5 = (z10 + z12) * 1.847759065
    let o6 = z5 - z10 * 2.613125930 - o7
    let o5 = (z11 - z13) * 1.414213562 - o6
    let o4 = z5 - z12 * 1.082392200 - o5
    return Octet(
      v0: e0 + o7, v1: e1 + o6, v2: e2 + o5, v3: e3 + o4, v4: e3 - o4, v5: e2 - o5,
      v6: e1 - o6, v7: e0 - o7)
  }
}
