import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct PointCurveTests {
  static let lifted = PointCurve([SIMD2(0, 0.08), SIMD2(0.5, 0.5), SIMD2(1, 1)])
  static let sigmoid = PointCurve([
    SIMD2(0, 0), SIMD2(0.25, 0.15), SIMD2(0.75, 0.88), SIMD2(1, 1),
  ])
  static let held = PointCurve([SIMD2(0, 0), SIMD2(0.4, 0.45), SIMD2(1, 0.9)])

  static func value(_ curve: PointCurve, _ x: Float) -> Float {
    OneColorRow.run(SIMD3(repeating: x)) { PointCurveTable(curve).apply($0.red) }.x
  }

  @Test func pointsAreChecked() {
    #expect(PointCurve().refusal == nil && Self.sigmoid.refusal == nil)
    for bad in [
      [SIMD2(0.5, 0.5)], [SIMD2(0, 0), SIMD2(1.1, 1)], [SIMD2(0, -0.1), SIMD2(1, 1)],
      [SIMD2(0.5, 0), SIMD2(0.5, 1)], [SIMD2(0.6, 0), SIMD2(0.5, 1)],
      [SIMD2(0, .nan), SIMD2(1, 1)],
    ] {
      #expect(PointCurve(bad).refusal != nil, "\(bad)")
    }
    #expect(PointCurve().isNeutral && PointCurve([SIMD2(0, 0), SIMD2(1, 1)]).isNeutral)
    #expect(!PointCurve([SIMD2(0.2, 0.2), SIMD2(0.8, 0.8)]).isNeutral)
  }

  @Test func codesAsNumbersInTurn() throws {
    let data = try JSONEncoder().encode(Self.sigmoid)
    #expect(String(decoding: data, as: UTF8.self).hasPrefix("[0,0,0.25,0.15"))
    #expect(try JSONDecoder().decode(PointCurve.self, from: data) == Self.sigmoid)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PointCurve.self, from: Data("[0,0,1]".utf8))
    }
  }

  /// The points are met in the signals of sRGB, and values keep their order.
  @Test(arguments: [lifted, sigmoid, held]) func goesThroughItsPoints(curve: PointCurve) {
    for point in curve.points {
      let out = Self.value(curve, Float(SRGB.linear(signal: point.x)))
      #expect(abs(Double(out) - SRGB.linear(signal: point.y)) < 1e-5, "\(point)")
    }
    let values = (-20...400).map { Self.value(curve, Float($0) / 100) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    for (x, y) in zip((-20...400).map { Float($0) / 100 }, values) {
      #expect(y <= max(x, 1) * 1.000001, "\(x)")
    }
  }

  /// Headroom keeps its ratios to white; what is below black stays below it.
  @Test func continuesOutside() {
    for curve in [Self.lifted, Self.sigmoid, Self.held] {
      let (black, white) = (Self.value(curve, 0), Self.value(curve, 1))
      #expect(Self.value(curve, 6) == 6 * white)
      #expect(abs(Self.value(curve, -0.1) - (black - 0.1)) < 1e-7)
      #expect(abs(Self.value(curve, 1e-6) - black) < 1e-4)
    }
  }

  /// The curve of all channels moves the extremes of a color; the hue stays.
  @Test func theMasterCurveKeepsHue() {
    let table = PointCurveTable(Self.sigmoid)
    let color = SIMD3<Float>(0.6, 0.3, 0.1)
    let out = OneColorRow.run(color) { table.apply($0) }
    #expect(out.x == Self.value(Self.sigmoid, 0.6) && out.z == Self.value(Self.sigmoid, 0.1))
    #expect(abs((out.y - out.z) / (out.x - out.z) - 0.4) < 1e-5)
    let gray = OneColorRow.run(SIMD3(repeating: 0.18)) { table.apply($0) }
    #expect(gray.x == gray.y && gray.y == gray.z)
    for color: SIMD3<Float> in [SIMD3(.nan, 0, 1), SIMD3(-1, -2, -3), SIMD3(.infinity, 1, 0)] {
      let out = OneColorRow.run(color) { table.apply($0) }
      #expect(!out.x.isNaN && !out.z.isNaN)
    }
  }
}
