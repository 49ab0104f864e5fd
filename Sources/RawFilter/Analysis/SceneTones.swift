import Foundation
import HDRRender
import ImageCore

/// Dark, middle and bright tones of a picture: percentiles of the largest channel of its scene, in
/// stops above 18 % gray.
///
/// Measured on means over squares of the sensor, so they do not depend on scale, and specks do not
/// count. They are clamped to the bounds below: tone adjustments should not turn fog black or pull
/// a lamp down to white.
struct SceneTones: Sendable, Hashable {
  /// 2nd percentile, −6…−1.2.
  var dark = -4.0
  /// Median, −2…2.
  var middle = 0.0
  /// 98th percentile, 1.5…4.5.
  var bright = 2.5
  /// The level that the tone curve maps to white without headroom.
  var white = 4.5

  /// Typical tones.
  init() {}

  /// The tones of `scene`.
  init(_ scene: PlanarBuffer) {
    var brightest: [Float] = []
    brightest.reserveCapacity(scene.size.area)
    for y in 0..<scene.size.height {
      let rows = scene.rows(y)
      for x in 0..<scene.size.width {
        brightest.append(max(rows.red[x], rows.green[x], rows.blue[x]))
      }
    }
    guard !brightest.isEmpty else { return }
    brightest.sort()
    func stops(_ part: Int) -> Double {
      let value = Double(brightest[(brightest.count - 1) * part / 100])
      return value > 0 ? log2(value / ToneCurve.gray) : -.infinity
    }
    (dark, middle, bright) = (stops(2), stops(50), stops(98))
  }

  /// The same with `stops` more exposure, clamped to the bounds.
  func exposed(by stops: Double) -> SceneTones {
    var tones = self
    tones.dark = min(max(dark + stops, -6), -1.2)
    tones.middle = min(max(middle + stops, -2), 2)
    tones.bright = min(max(bright + stops, 1.5), 4.5)
    return tones
  }
}
