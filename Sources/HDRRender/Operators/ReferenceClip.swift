import CVector
import ImageCore

/// The reference display: shows values unchanged up to the limits of its gamut.
///
/// Source: Apple's Reference Mode. Values relative to 203 cd/m² (PQ, hybrid log-gamma) are made
/// relative to the display's white of 100 by a factor of 2.03, so 1000 cd/m² become 10.0; each
/// channel is clipped to 0…10 in Display P3. No tone mapping; metadata is ignored. Works in the
/// primaries of the rows: pixels inside are unchanged bit for bit, apart from the factor; 1e-5 of
/// the largest channel below zero still counts as inside. No channel rises above the source's
/// headroom. Known failure: clipping channels shifts the hue of what lies outside; so do the
/// displays.
struct ReferenceClip: Sendable {
  private typealias Rows = (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  private let scale: Float
  private let inward: Rows
  private let outward: Rows
  /// Upper bound of a channel afterwards.
  let headroom: Float

  /// For rows of values up to `headroom` in `primaries`, which are multiplied by `scale`.
  init(primaries: Primaries, headroom: Float, scale: Double) {
    self.scale = Float(scale)
    let back = Primaries.displayP3.conversion(to: primaries)
    inward = Self.rows(primaries.conversion(to: .displayP3))
    outward = Self.rows(back)
    self.headroom = min(headroom * self.scale, Float(ReferenceMode.headroom * back.largestGain))
  }

  private static func rows(_ m: Matrix3) -> Rows {
    (SIMD3(m.rows[0]), SIMD3(m.rows[1]), SIMD3(m.rows[2]))
  }

  @inline(__always)
  private static func product(_ rows: Rows, _ rgb: RGBLanes) -> RGBLanes {
    RGBLanes(rgb.weighted(rows.0), rgb.weighted(rows.1), rgb.weighted(rows.2))
  }

  /// Clips each pixel of `rows`.
  func apply(_ rows: RGBRows) {
    let top = SIMD8(repeating: Float(ReferenceMode.headroom))
    let bound = SIMD8(repeating: headroom)
    for i in vectors(rows.count) {
      let rgb = rows.lanes(i).map { $0 * scale }
      let p3 = Self.product(inward, rgb)
      let (high, low) = (p3.highest, p3.lowest)
      let inside = (low .>= -1e-5 * high) .& (high .<= top)
      let cut = Self.product(outward, p3.map { cv_clamp8($0, .zero, top) })
        .map { cv_min8($0, bound) }
      rows.setLanes(
        i,
        RGBLanes(
          select(inside, rgb.red, cut.red), select(inside, rgb.green, cut.green),
          select(inside, rgb.blue, cut.blue)))
    }
  }
}
