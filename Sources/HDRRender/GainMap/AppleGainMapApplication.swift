import CVector
import Foundation

/// Applies Apple's gain map of 2020 to its base, in linear light.
///
/// Source: Apple's article on applying the HDR effect. The map holds a share of the headroom in the
/// curve of ITU-R BT.709; with its sample v
///
///     g = v / 4.5 for v < 0.081, else ((v + 0.099) / 1.099)^(1/0.45)
///     out = base · (1 + (min(H, headroom) − 1) · g)
///
/// where H is the display's headroom. How Apple itself weighs the map for a display of less headroom is
/// not published; the smaller of both is what other readers take.
/// Units: light in multiples of reference white, H and headroom as ratios, samples 0…1.
/// Check values: g(0.25) = 0.0781539, g(0.5) = 0.2595894; headroom 8, v = 0.5 → factor 2.817126.
struct AppleGainMapApplication: GainRows {
  private let extra: Float
  let isIdentity: Bool

  /// A headroom below 1, or none, counts as 1; above 2^64 it counts as that.
  init(headroom: Double, displayHeadroom: Double) {
    let least = min(headroom > 1 ? headroom : 1, displayHeadroom > 1 ? displayHeadroom : 1)
    extra = Float(min(least, 0x1p64) - 1)
    isIdentity = extra == 0
  }

  func bound(_ headroom: Float) -> Float {
    isIdentity ? headroom : max(headroom, 0) * (1 + extra) * (1 + 1e-5)
  }

  /// Linear share of eight samples.
  @inline(__always)
  static func share(_ sample: SIMD8<Float>) -> SIMD8<Float> {
    let v = cv_clamp8(sample, .zero, SIMD8(repeating: 1))
    let root = (v + 0.099) / 1.099
    let power = cv_exp2_8(cv_log2_8(root) * (1 / 0.45))
    return cv_select8(v - 0.081, power, v / 4.5)
  }

  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, map: [UnsafeMutablePointer<Float>], count: Int
  ) {
    if isIdentity { return }
    let maps = map.count == 3 ? (map[0], map[1], map[2]) : (map[0], map[0], map[0])
    var x = 0
    while x < count {
      let first = 1 + extra * Self.share(cv_load8(maps.0 + x))
      cv_store8(r + x, cv_load8(r + x) * first)
      let second = map.count == 3 ? 1 + extra * Self.share(cv_load8(maps.1 + x)) : first
      cv_store8(g + x, cv_load8(g + x) * second)
      let third = map.count == 3 ? 1 + extra * Self.share(cv_load8(maps.2 + x)) : first
      cv_store8(b + x, cv_load8(b + x) * third)
      x &+= 8
    }
  }
}
