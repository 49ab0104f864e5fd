// Colour differences at half the columns and rows (4:2:0).
// Sources: ITU-T H.273 (2021) figure 10 for the positions.
// Each sample is a weighted mean of the 3 × 3 full-resolution samples about the even position: per
// axis 1/4, 1/2, 1/4 where the sample stands on a luma sample, 0, 1/2, 1/2 where it stands between
// two. Both halve the response at half the sampling rate and pass a flat field unchanged.

/// Where the samples of Cb and Cr stand among those of luma.
struct ChromaSiting: Sendable {
  /// chroma_sample_loc_type of H.265.
  let code: Int
  /// Weights of the columns before, at and behind the even one.
  let horizontal: SIMD3<Float>
  /// Weights of the rows above, at and below the even one.
  let vertical: SIMD3<Float>

  private static let on = SIMD3<Float>(0.25, 0.5, 0.25)
  private static let between = SIMD3<Float>(0, 0.5, 0.5)

  /// On the top left luma sample of each four: BT.2100.
  static let topLeft = ChromaSiting(code: 2, horizontal: on, vertical: on)
  /// On the left, between the rows: MPEG-2, and what H.265 means when it says nothing.
  static let left = ChromaSiting(code: 0, horizontal: on, vertical: between)
  /// In the middle of the four: JPEG (ITU-T T.871).
  static let center = ChromaSiting(code: 1, horizontal: between, vertical: between)

  /// The weighted mean of three rows, `count` samples from one before the first.
  func blend(
    _ above: UnsafePointer<Float>, _ at: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
    count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    let w = vertical
    var x = -1
    while x <= count {
      let outer = Lanes.load(above, x) * w.x + Lanes.load(below, x) * w.z
      Lanes.store(out, x, outer + Lanes.load(at, x) * w.y)
      x &+= 8
    }
  }

  /// Codes of every second sample of `row`; `count` samples come out.
  func decimate(
    _ row: UnsafePointer<Float>, count: Int, _ conversion: YCbCrConversion,
    into out: UnsafeMutablePointer<UInt16>
  ) {
    let w = horizontal
    var x = 0
    while x < count {
      let (a, b) = (Lanes.load(row, 2 &* x), Lanes.load(row, 2 &* x &+ 8))
      let (c, d) = (Lanes.load(row, 2 &* x &- 1), Lanes.load(row, 2 &* x &+ 7))
      let at = SIMD8(lowHalf: a.evenHalf, highHalf: b.evenHalf)
      let behind = SIMD8(lowHalf: a.oddHalf, highHalf: b.oddHalf)
      let before = SIMD8(lowHalf: c.evenHalf, highHalf: d.evenHalf)
      Lanes.store(out, x, conversion.codes(before * w.x + behind * w.z + at * w.y))
      x &+= 8
    }
  }
}
