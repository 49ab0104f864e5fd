import Foundation
import HDRRender
import ImageCore

/// The exposure that a camera's own rendering adds, for raws that do not declare it.
///
/// A DNG has BaselineExposure. Other raws have the camera's rendering: the embedded preview. The
/// default is the number of stops that gives the default SDR rendering the preview's
/// mean lightness (CIE L*), found by secants within a bracket on a box-averaged proxy of the
/// picture: lightness rises with exposure, so there is one solution, to a hundredth of a stop. L*
/// is used because it weighs shadows and highlights as a viewer does, and the mean because it needs
/// no alignment of the two pictures. Limits: −1…+4 stops. Without a preview it is
/// ``withoutPreview``, the median of cameras of many makers in a published comparison of raw and
/// JPEG brightness. Known failure: previews with local tone mapping (HDR modes, "active lighting")
/// are matched in mean only.
enum BaselineExposure {
  /// Stops for raws without DNG tag and without preview.
  static let withoutPreview: Float = 0.7
  static let range: ClosedRange<Float> = -1...4

  /// CIE lightness, 0…100, of linear luminance.
  static func lightness(_ y: Double) -> Double {
    let v = min(max(y, 0), 1)
    return v > 216.0 / 24389 ? 116 * cbrt(v) - 16 : v * 24389 / 27
  }

  /// Mean lightness of 8-bit sRGB samples, three a pixel.
  static func meanLightness(srgb: [UInt8]) -> Double {
    let linear = (0..<256).map { SRGB.linear(signal: Double($0) / 255) }
    let w = Primaries.srgb.luminance
    let count = srgb.count / 3
    var sum = 0.0
    for i in 0..<count {
      sum += lightness(
        w.x * linear[Int(srgb[3 * i])] + w.y * linear[Int(srgb[3 * i + 1])] + w.z
          * linear[Int(srgb[3 * i + 2])])
    }
    return count > 0 ? sum / Double(count) : 0
  }

  /// Mean lightness of the default rendering of `scene` with `stops` of exposure.
  static func meanLightness(
    scene: [SIMD3<Double>], peak: Double, stops: Double, contrast: Double
  ) -> Double {
    let gain = exp2(stops)
    let white = max(peak * gain, 1)
    let curve = ToneCurve(peak: white, headroom: 1, amount: 0, contrast: contrast)
    let w = Primaries.bt2020.luminance
    let sum = scene.reduce(0.0) { sum, rgb in
      let c = rgb * gain
      return sum + lightness(w.x * curve(c.x) + w.y * curve(c.y) + w.z * curve(c.z))
    }
    return scene.isEmpty ? 0 : sum / Double(scene.count)
  }

  /// The stops at which `scene` (linear BT.2020, brightest value `peak`) has the mean lightness
  /// `target` of a preview, by a curve of this `contrast`.
  static func matching(
    _ target: Double, scene: [SIMD3<Double>], peak: Double,
    contrast: Double = ToneLook.natural.contrast
  ) -> Float {
    /// By how much the lightness misses the target half a hundredth of a stop above `step`.
    func excess(_ step: Int) -> Double {
      let stops = (Double(step) + 0.5) / 100
      return meanLightness(scene: scene, peak: peak, stops: stops, contrast: contrast) - target
    }
    // The first hundredth that is light enough lies above `low`, and is `high` at most.
    var low = Int(range.lowerBound * 100) - 1
    var high = Int(range.upperBound * 100)
    var (next, slope) = (Int(withoutPreview * 100), usualSlope)
    var last: (step: Int, excess: Double)?
    while low + 1 < high {
      let found = excess(next)
      if found < 0 { low = next } else { high = next }
      if let last {
        let secant = (found - last.excess) / Double(next - last.step)
        slope = max(secant, usualSlope / 8)
      }
      last = (next, found)
      let zero = next - Int((found / slope).rounded())
      next = min(max(zero, low + 1), high - 1)
    }
    return Float(Double(high) / 100)
  }

  /// Lightness per hundredth of a stop where nothing is known of the scene yet.
  private static let usualSlope = 0.14
}
