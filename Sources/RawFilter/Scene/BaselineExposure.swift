import Foundation
import HDRRender
import ImageCore

/// Estimates the baseline exposure of raws that do not declare it.
///
/// A DNG has BaselineExposure. Other raws have the camera's rendering: the embedded preview. The
/// default is the number of stops at which the default SDR rendering has the preview's mean
/// lightness (CIE L*), found by the secant method within a bracket on a box-averaged proxy of the
/// picture: lightness rises with exposure, so there is one solution, to a hundredth of a stop. L*
/// weights shadows and highlights perceptually, and the mean needs no alignment of the two
/// pictures. Limits: −1…+4 stops. Without a preview the picture gets a typical mean lightness, 48
/// (previews in ten raws of four cameras have 47 to 54), unless more than 2 % of it would be
/// brighter than reference white; 0…3 stops. Both limits are raised by the stops that the camera
/// recorded darker than metered (``HiddenUnderexposure``), so that the highlights preserved by that
/// do not darken the picture. Known failures: without a preview, night and snow are rendered at
/// average brightness; previews with local tone mapping (HDR modes, "active lighting") are matched
/// in mean only.
enum BaselineExposure {
  /// Typical value.
  static let usual: Float = 0.7
  static let range: ClosedRange<Float> = -1...4

  /// CIE lightness, 0…100, of linear luminance.
  static func lightness(_ y: Double) -> Double {
    let v = min(max(y, 0), 1)
    return v > 216.0 / 24389 ? 116 * cbrt(v) - 16 : v * 24389 / 27
  }

  /// Mean lightness of 8-bit samples with these `colors`, three a pixel.
  static func meanLightness(_ rgb: [UInt8], _ colors: PreviewColors) -> Double {
    let w = Primaries.srgb.luminance
    let count = rgb.count / 3
    var sum = 0.0
    for i in 0..<count {
      let linear = colors.linear(rgb, at: 3 * i)
      sum += lightness(w.x * linear.x + w.y * linear.y + w.z * linear.z)
    }
    return count > 0 ? sum / Double(count) : 0
  }

  /// Mean lightness of the default rendering of `scene` with `stops` of exposure.
  static func meanLightness(
    scene: PlanarBuffer, peak: Float, stops: Double, style: ToneLook
  ) throws(PixelError) -> Double {
    let gain = Float(exp2(stops))
    let renderer = HDRRenderer(
      RenderSettings(toneLook: style, primaries: .srgb), scenePeak: peak * gain)
    let w = SIMD3<Float>(Primaries.srgb.luminance)
    let drawn = try PlanarBuffer(size: scene.size)
    for y in 0..<scene.size.height {
      for plane in 0..<3 {
        for x in 0..<scene.size.width { drawn.row(plane, y)[x] = scene.row(plane, y)[x] * gain }
      }
    }
    renderer.render(drawn)
    var sum = 0.0
    for y in 0..<scene.size.height {
      let rows = drawn.rows(y)
      for x in 0..<scene.size.width {
        sum += lightness(Double(w.x * rows.red[x] + w.y * rows.green[x] + w.z * rows.blue[x]))
      }
    }
    return scene.size.area > 0 ? sum / Double(scene.size.area) : 0
  }

  /// The stops at which `scene` (linear BT.2020, brightest value `peak`) has the mean lightness
  /// `target` of a preview, by the curve of `style`.
  static func matching(
    _ target: Double, scene: PlanarBuffer, peak: Float, style: ToneLook = .standard
  ) throws(PixelError) -> Float {
    /// Difference of the lightness from the target, half a hundredth of a stop above `step`.
    func excess(_ step: Int) throws(PixelError) -> Double {
      let stops = (Double(step) + 0.5) / 100
      return try meanLightness(scene: scene, peak: peak, stops: stops, style: style) - target
    }
    // The first hundredth that reaches the target is above `low`, and at most `high`.
    var low = Int(range.lowerBound * 100) - 1
    var high = Int(range.upperBound * 100)
    var (next, slope) = (Int(usual * 100), usualSlope)
    var last: (step: Int, excess: Double)?
    while low + 1 < high {
      let found = try excess(next)
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

  /// The stops for a `scene` without a preview; 0 for a black frame. `hidden`: stops by which it
  /// was recorded darker than metered.
  static func ofScene(
    _ scene: PlanarBuffer, peak: Float, style: ToneLook, hidden: Float = 0
  ) throws(PixelError) -> Float {
    var brightest: [Float] = []
    for y in 0..<scene.size.height {
      let rows = scene.rows(y)
      for x in 0..<scene.size.width {
        brightest.append(max(rows.red[x], rows.green[x], rows.blue[x]))
      }
    }
    brightest.sort()
    guard let bright = brightest.dropLast(brightest.count / 50).last, bright > dark else {
      return 0
    }
    let wanted = try matching(usualLightness, scene: scene, peak: peak, style: style)
    return min(max(min(wanted, (-log2(bright) * 100).rounded() / 100), hidden), 3 + hidden)
  }

  /// Typical mean lightness.
  private static let usualLightness = 48.0
  /// 98th percentile up to which a scene is a black frame.
  private static let dark: Float = 0.01

  /// Initial slope: lightness per hundredth of a stop.
  private static let usualSlope = 0.14
}
