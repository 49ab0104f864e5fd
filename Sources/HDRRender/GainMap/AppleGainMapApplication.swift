import CVector
import Foundation
import ImageCore

/// Applies Apple's gain map of 2020 to its base, on linear values.
///
/// Source: Apple's article on applying the HDR effect. The map holds a fraction of the headroom,
/// encoded by the curve of ITU-R BT.709; with its sample v
///
///     g = v / 4.5 for v < 0.081, else ((v + 0.099) / 1.099)^(1/0.45)
///     out = base · (1 + (min(H, headroom) − 1) · g)
///
/// where H is the display's headroom. How Apple itself weights the map for a display of less
/// headroom is not published; other readers take the smaller of both. Units: linear values in
/// multiples of reference white, H and headroom as ratios, samples 0…1. Check values: g(0.25) =
/// 0.0781539, g(0.5) = 0.2595894; headroom 8, v = 0.5 → factor 2.817126.
struct AppleGainMapApplication: GainMapOperator {
  private let extra: Float
  let isIdentity: Bool

  /// Headrooms below 1, and NaN, are treated as 1; above 2^64 as 2^64.
  init(headroom: Double, displayHeadroom: Double) {
    let weighted = min(headroom > 1 ? headroom : 1, displayHeadroom > 1 ? displayHeadroom : 1)
    extra = Float(min(weighted, 0x1p64) - 1)
    isIdentity = extra == 0
  }

  func bound(_ headroom: Float) -> Float {
    isIdentity ? headroom : max(headroom, 0) * (1 + extra) * (1 + 1e-5)
  }

  /// The linear fraction of the headroom of eight samples.
  @inline(__always)
  static func fraction(_ sample: SIMD8<Float>) -> SIMD8<Float> {
    let v = cv_clamp8(sample, .zero, SIMD8(repeating: 1))
    let root = (v + Float(BT709.offset)) / Float(BT709.scale)
    let power = cv_exp2_8(cv_log2_8(root) * (1 / Float(BT709.exponent)))
    return select(v .>= Float(BT709.signalEnd), power, v / Float(BT709.slope))
  }

  func apply(_ pixels: RGBRows, map: [MutableRowView]) {
    if isIdentity { return }
    let maps = map.count == 3 ? (map[0], map[1], map[2]) : (map[0], map[0], map[0])
    for x in vectors(pixels.count) {
      let rgb = pixels.lanes(x)
      let first = 1 + extra * Self.fraction(maps.0.lanes(x))
      let second = map.count == 3 ? 1 + extra * Self.fraction(maps.1.lanes(x)) : first
      let third = map.count == 3 ? 1 + extra * Self.fraction(maps.2.lanes(x)) : first
      pixels.setLanes(x, RGBLanes(rgb.red * first, rgb.green * second, rgb.blue * third))
    }
  }
}
