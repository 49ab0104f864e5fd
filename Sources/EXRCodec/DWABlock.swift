/// Eight rows of eight values.
typealias DWABlock = InlineArray<8, SIMD8<Float>>

extension DWABlock {
  /// Half the cosine of k π ÷ 16, at index k.
  @inline(__always)
  private static var cosines: (Float, Float, Float, Float, Float, Float, Float, Float) {
    (
      0.5, 0.490392640, 0.461939766, 0.415734806, 0.353553391, 0.277785117, 0.191341716,
      0.0975451610
    )
  }

  /// The orthonormal DCT of each column.
  @inline(__always)
  mutating func transform() {
    let (s0, s1, s2, s3) = (
      self[0] + self[7], self[1] + self[6], self[2] + self[5], self[3] + self[4]
    )
    let (d0, d1, d2, d3) = (
      self[0] - self[7], self[1] - self[6], self[2] - self[5], self[3] - self[4]
    )
    let c = Self.cosines
    self[0] = c.4 * (s0 + s3 + (s1 + s2))
    self[4] = c.4 * (s0 + s3 - (s1 + s2))
    self[2] = c.2 * (s0 - s3) + c.6 * (s1 - s2)
    self[6] = c.6 * (s0 - s3) - c.2 * (s1 - s2)
    self[1] = c.1 * d0 + c.3 * d1 + c.5 * d2 + c.7 * d3
    self[3] = c.3 * d0 - c.7 * d1 - c.1 * d2 - c.5 * d3
    self[5] = c.5 * d0 - c.1 * d1 + c.7 * d2 + c.3 * d3
    self[7] = c.7 * d0 - c.5 * d1 + c.3 * d2 - c.1 * d3
  }

  /// The inverse of ``transform()``.
  @inline(__always)
  mutating func transformBack() {
    let c = Self.cosines
    let (a, b) = (c.4 * (self[0] + self[4]), c.4 * (self[0] - self[4]))
    let (d, e) = (c.2 * self[2] + c.6 * self[6], c.6 * self[2] - c.2 * self[6])
    let (e0, e1, e2, e3) = (a + d, b + e, b - e, a - d)
    let (x1, x3, x5, x7) = (self[1], self[3], self[5], self[7])
    let o0 = c.1 * x1 + c.3 * x3 + (c.5 * x5 + c.7 * x7)
    let o1 = c.3 * x1 - c.7 * x3 - (c.1 * x5 + c.5 * x7)
    let o2 = c.5 * x1 - c.1 * x3 + (c.7 * x5 + c.3 * x7)
    let o3 = c.7 * x1 - c.5 * x3 + (c.3 * x5 - c.1 * x7)
    (self[0], self[7]) = (e0 + o0, e0 - o0)
    (self[1], self[6]) = (e1 + o1, e1 - o1)
    (self[2], self[5]) = (e2 + o2, e2 - o2)
    (self[3], self[4]) = (e3 + o3, e3 - o3)
  }

  /// Swaps rows and columns: halves of the block, then of its quarters, then pairs.
  @inline(__always)
  mutating func transpose() {
    for i in 0..<4 {
      let (a, b) = (self[i], self[i + 4])
      self[i] = SIMD8(lowHalf: a.lowHalf, highHalf: b.lowHalf)
      self[i + 4] = SIMD8(lowHalf: a.highHalf, highHalf: b.highHalf)
    }
    for i in [0, 1, 4, 5] {
      let (a, b) = (self[i], self[i + 2])
      self[i] = SIMD8(a[0], a[1], b[0], b[1], a[4], a[5], b[4], b[5])
      self[i + 2] = SIMD8(a[2], a[3], b[2], b[3], a[6], a[7], b[6], b[7])
    }
    for i in [0, 2, 4, 6] {
      let (a, b) = (self[i], self[i + 1])
      self[i] = SIMD8(a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6])
      self[i + 1] = SIMD8(a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7])
    }
  }
}
