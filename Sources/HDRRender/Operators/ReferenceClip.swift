import CVector
import ImageCore

/// What a reference display does with light that it is given: nothing, but for the limits of its gamut.
///
/// Source: Apple's Reference Mode. Light coded against 203 cd/m² (PQ, hybrid log-gamma) is referred to
/// the display's white of 100 by a factor of 2.03, so 1000 cd/m² become 10.0; each channel is cut to
/// 0…10 in Display P3. No tone mapping, and no look at metadata.
/// Works in the primaries of the rows: pixels inside return bit for bit, apart from the factor; 1e-5 of
/// the largest channel below zero still counts as inside. No channel rises above the source's headroom.
/// Known failure: cutting channels turns the hue of what lies outside; so do the displays.
struct ReferenceClip: Sendable {
  private typealias Rows = (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  private let scale: Float
  private let inward: Rows
  private let outward: Rows
  /// Upper bound of a channel afterwards.
  let headroom: Float

  /// For rows of light of up to `headroom` in `primaries`, to be multiplied by `scale`.
  init(primaries: Primaries, headroom: Float, scale: Double) {
    self.scale = Float(scale)
    let back = Primaries.displayP3.conversion(to: primaries)
    inward = Self.rows(primaries.conversion(to: .displayP3))
    outward = Self.rows(back)
    let most = back.rows.map { row in (0..<3).reduce(0) { $0 + max(row[$1], 0) } }.max() ?? 1
    self.headroom = min(headroom * self.scale, Float(ReferenceMode.headroom * most))
  }

  private static func rows(_ m: Matrix3) -> Rows {
    (SIMD3(m.rows[0]), SIMD3(m.rows[1]), SIMD3(m.rows[2]))
  }

  @inline(__always)
  private static func product(
    _ row: SIMD3<Float>, _ r: SIMD8<Float>, _ g: SIMD8<Float>, _ b: SIMD8<Float>
  ) -> SIMD8<Float> { r * row.x + g * row.y + b * row.z }

  /// Clips three rows in place, which may be read and written up to the next multiple of eight.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    let top = SIMD8(repeating: Float(ReferenceMode.headroom))
    let bound = SIMD8(repeating: headroom)
    var i = 0
    while i < count {
      let (red, green, blue) = (
        cv_load8(r + i) * scale, cv_load8(g + i) * scale, cv_load8(b + i) * scale
      )
      let x = Self.product(inward.0, red, green, blue)
      let y = Self.product(inward.1, red, green, blue)
      let z = Self.product(inward.2, red, green, blue)
      let high = cv_max8(cv_max8(x, y), z)
      let low = cv_min8(cv_min8(x, y), z)
      let inside = (low .>= -1e-5 * high) .& (high .<= top)
      let (cx, cy, cz) = (
        cv_clamp8(x, .zero, top), cv_clamp8(y, .zero, top), cv_clamp8(z, .zero, top)
      )
      let cut = (
        cv_min8(Self.product(outward.0, cx, cy, cz), bound),
        cv_min8(Self.product(outward.1, cx, cy, cz), bound),
        cv_min8(Self.product(outward.2, cx, cy, cz), bound)
      )
      cv_store8(r + i, cut.0.replacing(with: red, where: inside))
      cv_store8(g + i, cut.1.replacing(with: green, where: inside))
      cv_store8(b + i, cut.2.replacing(with: blue, where: inside))
      i &+= 8
    }
  }
}
