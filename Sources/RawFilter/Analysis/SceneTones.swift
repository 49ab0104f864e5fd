import Foundation
import HDRRender
import ImageCore

/// Where a picture has its darks, its middle and its lights: percentiles of the largest channel of
/// its scene, in stops above 18 % gray.
///
/// Measured on means over squares of the sensor, so they depend on no scale, and specks do not
/// count. What lies outside of the bounds below is not to be reached by a control of the light: fog
/// has no black, and a lamp's light no end.
struct SceneTones: Sendable, Hashable {
  /// Two in a hundred are darker, −6…−1.2.
  var dark = -4.0
  /// Half is darker, −2…2.
  var middle = 0.0
  /// Two in a hundred are lighter, 1.5…4.5.
  var bright = 2.5
  /// What the tone curve shows as white, where nothing has headroom.
  var white = 4.5

  /// Those of most pictures.
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

  /// The same with `stops` more exposure, within the bounds of each.
  func exposed(by stops: Double) -> SceneTones {
    var tones = self
    tones.dark = min(max(dark + stops, -6), -1.2)
    tones.middle = min(max(middle + stops, -2), 2)
    tones.bright = min(max(bright + stops, 1.5), 4.5)
    return tones
  }
}
