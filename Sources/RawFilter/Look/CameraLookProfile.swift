import Foundation
import HDRRender
import ImageCore
import RawDecode

/// A ``CameraLook`` as the look table and the tone curve of a camera profile, for other programs
/// (DNG 1.7.1 chapter 6).
///
/// Source: inversion of the profile's rendering. A scene color S, in HSV of linear ProPhoto RGB, is
/// rendered to P by our standard rendering with the look. The curve T is the curve of grays; it is
/// applied to the largest and the smallest channel and preserves the hue, so the color Q that it
/// maps to P has
///
///     max Q = T⁻¹(max P), min Q = T⁻¹(min P), the hue of P,
///
/// and the table maps S to Q at its nodes, exactly where P is within ProPhoto. Scene values end at
/// 1 in a profile, and in our rendering at ``ToneCurve/white``, 2 stops above:
/// BaselineExposureOffset is −2, which the curve compensates. Constants: 90 hues, 24 saturations,
/// 24 values on sRGB's curve.
///
/// Known failures: the cast of grays is lost, as tables do not change grays; between nodes the
/// table is linear in HSV; nothing is brighter than white.
package struct CameraLookProfile: Sendable {
  /// ProfileHueSatMapDims of the look table: hues, saturations, values; encoded by sRGB's curve.
  package static let (hues, saturations, values) = (90, 24, 24)
  /// BaselineExposureOffset.
  package static let stops = -2.0

  /// ProfileToneCurve: scene value and display value of each point.
  package let toneCurve: [SIMD2<Double>]
  /// Hue shift in degrees, saturation factor and value factor, as DNG orders them: by value, then
  /// hue, then saturation.
  package let lookTable: [SIMD3<Float>]

  private static let points = 128

  /// Nil if the curve of grays is not monotone.
  init?(_ look: CameraLook) throws(PixelError) {
    guard let table = look.table() else { return nil }
    var display = DisplayLook()
    display.start = DisplayLook.Lookup(table, space: .displayP3, amount: 1)
    let renderer = HDRRenderer(
      RenderSettings(isGamutMappingEnabled: false, primaries: .bt2020), scenePeak: 1024,
      profile: nil, look: display)
    /// The display colors of scene colors of 0…1 in ProPhoto.
    func rendered(_ colors: [SIMD3<Double>]) throws(PixelError) -> [SIMD3<Double>] {
      let buffer = try PlanarBuffer(size: PixelSize(width: colors.count, height: 1))
      let toScene = ProPhoto.toBT2020 * exp2(-Self.stops)
      for (x, color) in colors.enumerated() {
        let scene = toScene * color
        for channel in 0..<3 { buffer.row(channel, 0)[x] = Float(scene[channel]) }
      }
      renderer.render(buffer)
      return colors.indices.map { x in
        ProPhoto.fromBT2020
          * SIMD3(
            Double(buffer.row(0, 0)[x]), Double(buffer.row(1, 0)[x]), Double(buffer.row(2, 0)[x]))
      }
    }
    // Denser in the shadows.
    let scene = (0...Self.points).map { SRGB.linear(signal: Double($0) / Double(Self.points)) }
    let grays = try rendered(scene.map { SIMD3(repeating: $0) })
    var curve: [SIMD2<Double>] = []
    for (x, gray) in zip(scene, grays) {
      let y = (ProPhoto.toBT2020 * gray * Primaries.bt2020.luminance).sum()
      guard y > curve.last?.y ?? -1 else { return nil }
      curve.append(SIMD2(x, min(max(y, 0), 1)))
    }
    curve[0] = SIMD2(0, 0)
    curve[Self.points] = SIMD2(1, 1)
    guard let tone = ToneSpline(curve) else { return nil }
    toneCurve = curve

    var nodes: [(hue: Double, saturation: Double, value: Double)] = []
    for value in 0..<Self.values {
      for hue in 0..<Self.hues {
        for saturation in 0..<Self.saturations {
          nodes.append(
            (
              Double(hue) * 6 / Double(Self.hues),
              // Nodes of gray and black are evaluated beside them.
              max(Double(saturation), 0.05) / Double(Self.saturations - 1),
              max(Double(value), 0.05) / Double(Self.values - 1)
            ))
        }
      }
    }
    let shown = try rendered(
      nodes.map { Self.rgb($0.hue, $0.saturation, SRGB.linear(signal: $0.value)) })
    lookTable = zip(nodes, shown).enumerated().map { index, pair in
      let (node, color) = pair
      let (hue, high, low) = Self.ends(color)
      let (maximum, minimum) = (Self.inverse(tone, high), Self.inverse(tone, low))
      let saturation = maximum > 0 ? 1 - minimum / maximum : 0
      var shift = (hue - node.hue) * 60
      if shift > 180 { shift -= 360 }
      if shift < -180 { shift += 360 }
      let isGray = index % Self.saturations == 0
      return SIMD3(
        Float(saturation > 1e-6 ? shift : 0), Float(saturation / node.saturation),
        Float(isGray ? 1 : SRGB.signal(linear: maximum) / node.value))
    }
  }

  /// Converts HSV, with hue 0…6, to RGB.
  private static func rgb(_ hue: Double, _ saturation: Double, _ value: Double) -> SIMD3<Double> {
    func channel(_ offset: Double) -> Double {
      let k = (offset + hue).truncatingRemainder(dividingBy: 6)
      return value - value * saturation * max(0, min(k, 4 - k, 1))
    }
    return SIMD3(channel(5), channel(3), channel(1))
  }

  /// The hue 0…6, the largest and the smallest channel.
  private static func ends(_ c: SIMD3<Double>) -> (hue: Double, high: Double, low: Double) {
    let (high, low) = (c.max(), c.min())
    let span = high - low
    guard span > 1e-9 else { return (0, high, low) }
    var hue =
      high == c.x
      ? (c.y - c.z) / span : high == c.y ? 2 + (c.z - c.x) / span : 4 + (c.x - c.y) / span
    if hue < 0 { hue += 6 }
    return (hue, high, low)
  }

  /// The inverse of the monotone `tone` at `y`; 0…1.
  private static func inverse(_ tone: ToneSpline, _ y: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    guard y > 0 else { return 0 }
    guard y < 1 else { return 1 }
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if tone(middle) < y { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
