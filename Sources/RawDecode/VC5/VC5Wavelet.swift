import ImageCore

/// One level of the inverse wavelet transform of VC-5 (SMPTE ST 2073-1; borders, rounding and
/// descaling as in GoPro's decoder): four bands of w × h become 2w × 2h coefficients.
///
/// In each direction, low-pass coefficients L and high-pass coefficients H, times their
/// quantization, become two values each:
///
///     even = (((L[i−1] + 8·L[i] − L[i+1] + 4) >> 3) + H[i]) >> 1
///     odd  = (((L[i+1] + 8·L[i] − L[i−1] + 4) >> 3) − H[i]) >> 1
///
/// and at the borders, from the three nearest coefficients, (11, −4, 1) and (5, 4, −1), or at the
/// end (−1, 4, 5) and (1, −4, 11). Columns first, then rows, whose result was shifted by the
/// encoder (`prescale`). With prescale 0 and no quantization it restores integers exactly.
/// Arithmetic wraps, so that no input traps.
struct VC5Wavelet: Sendable {
  let low: SubbandPlane<Int32>
  /// High-pass in rows, in columns, in both.
  let high: [SubbandPlane<Int16>]
  /// The scale factor of each of ``high``.
  let quantization: [Int32]
  /// Bits by which the encoder shifted its input right.
  let prescale: Int
  /// The range of the result.
  let limits: ClosedRange<Int32>

  private var size: PixelSize { low.size }
  /// Size of the scratch buffer of ``invert(pair:into:_:scratch:)``.
  var scratchCount: Int { 4 * size.width }

  /// The low-pass band of the next finer level, of `size`. `make` computes its row pairs and may be
  /// called concurrently.
  func finerBand(
    _ size: PixelSize
  ) throws(PixelError) -> (plane: SubbandPlane<Int32>, make: @Sendable (Range<Int>) -> Void) {
    let stride = 2 * self.size.width
    let plane = try SubbandPlane<Int32>(size, stride: stride, rows: 2 * self.size.height)
    return (
      plane,
      { pairs in
        let scratch = RowMemory<Int32>(count: scratchCount)
        for pair in pairs {
          let even = plane.all.from(2 * pair * stride)
          invert(pair: pair, into: even, even.from(stride), scratch: scratch.row)
        }
      }
    )
  }

  /// Writes rows 2y and 2y + 1, of 2w values each.
  func invert(
    pair y: Int, into even: SampleRow<Int32>, _ odd: SampleRow<Int32>, scratch: SampleRow<Int32>
  ) {
    let (w, last) = (size.width, size.height - 1)
    let first = min(max(y - 1, 0), last - 2)
    let rows = [
      scratch.prefix(w), scratch.from(w).prefix(w), scratch.from(2 * w).prefix(w),
      scratch.from(3 * w).prefix(w),
    ]
    let taps: (even: SIMD3<Int32>, odd: SIMD3<Int32>) =
      y == 0 ? Self.begin : y == last ? Self.end : Self.middle
    Self.columns(
      low.row(first), low.row(first + 1), low.row(first + 2), 1, high[1].row(y), quantization[1],
      taps, into: rows[0], rows[1])
    Self.columns(
      high[0].row(first), high[0].row(first + 1), high[0].row(first + 2), quantization[0],
      high[2].row(y), quantization[2], taps, into: rows[2], rows[3])
    row(rows[0], rows[2], into: even)
    row(rows[1], rows[3], into: odd)
  }

  private static let begin = (even: SIMD3<Int32>(11, -4, 1), odd: SIMD3<Int32>(5, 4, -1))
  private static let middle = (even: SIMD3<Int32>(1, 8, -1), odd: SIMD3<Int32>(-1, 8, 1))
  private static let end = (even: SIMD3<Int32>(-1, 4, 5), odd: SIMD3<Int32>(1, -4, 11))

  @inline(__always)
  private static func value(
    _ a: Int32, _ b: Int32, _ c: Int32, _ taps: SIMD3<Int32>, _ high: Int32
  ) -> Int32 {
    let low = (a &* taps.x &+ b &* taps.y &+ c &* taps.z &+ 4) &>> 3
    return low &+ high
  }

  /// Two rows from three rows of low-pass coefficients, times `scale`, and one of high-pass
  /// coefficients.
  @inline(__always)
  private static func columns<Low: FixedWidthInteger & BitwiseCopyable>(
    _ a: SampleRow<Low>, _ b: SampleRow<Low>, _ c: SampleRow<Low>, _ scale: Int32,
    _ high: SampleRow<Int16>, _ quantization: Int32,
    _ taps: (even: SIMD3<Int32>, odd: SIMD3<Int32>), into even: SampleRow<Int32>,
    _ odd: SampleRow<Int32>
  ) {
    for x in 0..<even.count {
      let a = Int32(truncatingIfNeeded: a[x]) &* scale
      let b = Int32(truncatingIfNeeded: b[x]) &* scale
      let c = Int32(truncatingIfNeeded: c[x]) &* scale
      let h = Int32(high[x]) &* quantization
      even[x] = value(a, b, c, taps.even, h) &>> 1
      odd[x] = value(a, b, c, taps.odd, 0 &- h) &>> 1
    }
  }

  /// A row of 2w values from w low-pass and w high-pass coefficients.
  private func row(_ low: SampleRow<Int32>, _ high: SampleRow<Int32>, into out: SampleRow<Int32>) {
    let last = low.count - 1
    let shift = Int32(prescale)
    let (lowest, highest) = (limits.lowerBound, limits.upperBound)
    @inline(__always)
    func pair(_ i: Int, _ first: Int, _ taps: (even: SIMD3<Int32>, odd: SIMD3<Int32>)) {
      let (a, b, c) = (low[first], low[first &+ 1], low[first &+ 2])
      let even = (Self.value(a, b, c, taps.even, high[i]) &<< shift) &>> 1
      let odd = (Self.value(a, b, c, taps.odd, 0 &- high[i]) &<< shift) &>> 1
      out[2 &* i] = min(max(even, lowest), highest)
      out[2 &* i &+ 1] = min(max(odd, lowest), highest)
    }
    pair(0, 0, Self.begin)
    for i in 1..<last { pair(i, i &- 1, Self.middle) }
    pair(last, last - 2, Self.end)
  }
}
