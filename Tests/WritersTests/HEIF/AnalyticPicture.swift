import Foundation
import ImageCore

/// A picture given by a formula: linear values at each position, in any rectangle.
struct AnalyticPicture: PixelSource {
  typealias State = DisplayReferred
  let size: PixelSize
  let info: DisplayReferred.Info
  let linear: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>

  init(
    _ width: Int, _ height: Int, headroom: Float = 1, primaries: Primaries = .bt2020,
    _ linear: @escaping @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) {
    size = PixelSize(width: width, height: height)
    info = DisplayReferred.Info(primaries: primaries, headroom: headroom)
    self.linear = linear
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    precondition(PixelRect(size).contains(rect), "read outside the picture")
    try buffer.reshape(rect.size)
    for y in 0..<rect.height {
      for x in 0..<rect.width {
        let value = linear(rect.x + x, rect.y + y)
        for plane in 0..<3 { buffer.row(plane, y)[x] = value[plane] }
      }
    }
  }

  /// Smooth values from near black to `headroom`, mildly colored.
  static func smooth(_ width: Int, _ height: Int, headroom: Float) -> AnalyticPicture {
    AnalyticPicture(width, height, headroom: headroom) { x, y in
      let u = Float(x) / 300
      let v = Float(y) / 200
      let level = exp2(3.5 * sin(u) * cos(v) - 1.2)
      let tint = SIMD3(1 + 0.12 * sin(v), 1, 1 - 0.12 * cos(u))
      let color = level * tint
      return color * (min(headroom, color.max()) / color.max())
    }
  }

  /// Texture with noise as in a photograph at low sensitivity.
  static func textured(_ width: Int, _ height: Int, headroom: Float = 4) -> AnalyticPicture {
    AnalyticPicture(width, height, headroom: headroom) { x, y in
      var hash = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663)
      func noise() -> Float {
        hash = (hash ^ (hash >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return Float(hash >> 40) / Float(1 << 24) - 0.5
      }
      let fx = Float(x)
      let fy = Float(y)
      let wave = sin(fx / 37) * cos(fy / 23) + 0.4 * sin((fx + 2 * fy) / 9)
      let level = exp2(1.3 * wave - 1.5) * (1 + 0.03 * noise())
      let tint = SIMD3(1 + 0.3 * sin(fx / 90), 1, 1 + 0.3 * cos(fy / 70))
      let color = level * tint + SIMD3(noise(), noise(), noise()) * 0.004
      let positive = color.replacing(with: 0, where: color .< 0)
      return positive.replacing(with: headroom, where: positive .> headroom)
    }
  }
}
