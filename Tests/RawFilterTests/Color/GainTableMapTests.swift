import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct GainTableMapTests {
  static func map(_ data: TinyDNG) throws -> GainTableMap {
    try #require(try RAWFilter(data: data.data).activeProfile?.gainTableMap)
  }
  static let gains: [Float] = [1, 2, 0.5, 4, 1.5, 1, 3, 0.25]

  /// The same map stored in all kinds of numbers and both byte orders.
  @Test(arguments: [false, true]) func everyKindOfNumberIsRead(_ bigEndian: Bool) throws {
    let floats = Self.gains.map(\.bitPattern)
    let halves = Self.gains.map { UInt32(Float16($0).bitPattern) }
    var dng = TinyDNG(bigEndian: bigEndian)
    dng.fields[52525] = TinyDNG.gainTableMap(stored: floats)
    let first = try Self.map(dng)
    #expect(first.gains == Self.gains && first.rows == 2 && first.points == 2)
    #expect(first.weights == [0.25, 0.5, 0.25, 0, 0] && first.gamma == 1)
    dng.fields[52525] = nil
    for (kind, stored) in [(UInt32(3), floats), (2, halves)] {
      dng.fields[52544] = TinyDNG.gainTableMap(gamma: 2, kind: kind, stored: stored)
      let map = try Self.map(dng)
      #expect(map.gains == Self.gains && map.gamma == 2)
    }
    for (kind, top) in [(UInt32(0), Float(255)), (1, 65535)] {
      let stored: [UInt32] = [0, UInt32(top), 0, 0, 0, 0, 0, 0]
      dng.fields[52544] = TinyDNG.gainTableMap(kind: kind, range: (0.5, 4), stored: stored)
      #expect(try Self.map(dng).gains == [0.5, 4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    }
    // The second kind goes before the first.
    dng.fields[52525] = TinyDNG.gainTableMap(stored: floats.reversed())
    #expect(try Self.map(dng).gains[1] == 4)
  }

  static let damaged: [(String, TinyDNG.Value)] = [
    ("ends", TinyDNG.gainTableMap(stored: Array(gains.map(\.bitPattern).dropLast()))),
    ("rows", TinyDNG.gainTableMap(rows: 0, stored: [])),
    ("columns", TinyDNG.gainTableMap(columns: 1 << 30, stored: [])),
    ("gains", TinyDNG.gainTableMap(rows: 60000, columns: 60000, points: 60000, stored: [])),
    ("ends", TinyDNG.gainTableMap(rows: 400, columns: 400, points: 400, stored: [])),
    ("points", TinyDNG.gainTableMap(points: 0, stored: [])),
    ("grid", TinyDNG.gainTableMap(spacing: .nan, stored: [])),
    ("grid", TinyDNG.gainTableMap(spacing: 0, stored: [])),
    ("grid", TinyDNG.gainTableMap(origin: .infinity, stored: [])),
    ("weights", TinyDNG.gainTableMap(weights: [1, .nan, 0, 0, 0], stored: [])),
    ("gain", TinyDNG.gainTableMap(stored: [Float](repeating: 5000, count: 8).map(\.bitPattern))),
    ("gain", TinyDNG.gainTableMap(stored: [Float](repeating: .nan, count: 8).map(\.bitPattern))),
  ]

  @Test(arguments: damaged.indices) func damageIsNamed(_ index: Int) throws {
    let (word, value) = Self.damaged[index]
    var dng = TinyDNG()
    dng.fields[52525] = value
    let error = #expect(throws: RAWError.self) { _ = try RAWFilter(data: dng.data) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("ProfileGainTableMap") == true)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test func secondKindsOwnNumbersAreChecked() throws {
    for (kind, gamma, range) in [
      (UInt32(4), Float(1), (Float(0), Float(1))), (3, 5, (0, 1)), (3, .nan, (0, 1)),
      (0, 1, (2, 1)), (0, 1, (.nan, 1)), (0, 1, (0, 5000)),
    ] {
      var dng = TinyDNG()
      dng.fields[52544] = TinyDNG.gainTableMap(
        gamma: gamma, kind: kind, range: range, stored: [UInt32](repeating: 255, count: 8))
      let error = #expect(throws: RAWError.self) { _ = try RAWFilter(data: dng.data) }
      #expect(error?.message.contains("ProfileGainTableMap2") == true)
    }
  }

  static let small = GainTableMap(
    rows: 2, columns: 2, spacing: SIMD2(1, 1), origin: SIMD2(0, 0), points: 2,
    weights: [0.25, 0.5, 0.25, 0, 0], gamma: 1, gains: [1, 2, 0.5, 4, 1.5, 1, 3, 0.25])

  /// t = 0.25, index 0.5: the corners' curves give 1.5, 2.25, 1.25, 1.625.
  @Test func gainsAreTrilinear() {
    let rgb = SIMD3<Float>(repeating: 0.25)
    #expect(Self.small.gain(rgb, u: 0, v: 0) == 1.5)
    #expect(Self.small.gain(rgb, u: 1, v: 0) == 2.25)
    #expect(Self.small.gain(rgb, u: -3, v: 2) == 1.25)
    #expect(abs(Self.small.gain(rgb, u: 0.5, v: 0.5) - 1.65625) < 1e-6)
    // Bright values get the last point, dark values the first.
    #expect(Self.small.gain(SIMD3(repeating: 9), u: 1, v: 0) == 4)
    #expect(Self.small.gain(SIMD3(repeating: -1), u: 1, v: 0) == 0.5)
  }

  /// Lines of very long curves are not made for runs of a few pixels.
  @Test func longCurvesAreReadWhereLightIs() {
    #expect(GainTableMap.mixesRows(points: 257, step: 0.002))
    #expect(!GainTableMap.mixesRows(points: 257, step: 0.1))
    #expect(!GainTableMap.mixesRows(points: 65535, step: 0.0001))
  }

  /// The vector loop against the formula, with weights of all kinds, gammas, and other illuminants.
  @Test(arguments: [Float(1), 0.5, 2.2]) func loopFollowsTheFormula(_ gamma: Float) throws {
    let count = 37
    var random = SystemRandomNumberGenerator()
    let gains = (0..<(3 * 4 * 5)).map { _ in Float.random(in: 0.2...4, using: &random) }
    let map = GainTableMap(
      rows: 3, columns: 4, spacing: SIMD2(0.3, 0.5), origin: SIMD2(0.05, -0.1), points: 5,
      weights: [0.1, 0.3, 0.05, 0.2, 0.4], gamma: gamma, gains: gains)
    let buffer = try PlanarBuffer(size: PixelSize(width: count, height: 1))
    var linear: [SIMD3<Float>] = []
    for x in 0..<count {
      let rgb = SIMD3<Float>(
        Float.random(in: -0.1...1.5), Float.random(in: -0.1...1.5), Float.random(in: 0...1))
      linear.append(rgb)
      for c in 0..<3 { buffer.row(c, 0)[x] = rgb[c] }
    }
    let position = GainTableMap.RowPosition(firstPixel: 7, start: 0.01, step: 0.02, v: 0.61)
    map.apply(buffer.rows(0), at: position, scale: 2)
    for x in 0..<count {
      let gain = 2 * map.gain(linear[x], u: 0.01 + Double(x + 7) * 0.02, v: 0.61)
      for c in 0..<3 {
        #expect(
          abs(buffer.row(c, 0)[x] - linear[x][c] * gain) < 2e-5 * abs(linear[x][c] * gain) + 1e-6)
      }
    }
  }

  @Test func strengthIsAPower() throws {
    #expect(Self.small.scaled(by: 0) == nil)
    #expect(Self.small.scaled(by: 1) == Self.small)
    let half = try #require(Self.small.scaled(by: 0.5))
    #expect(half.gains[3] == 2 && half.gains[7] == 0.5 && half.gains[0] == 1)
    var last = Self.small.gains.map { _ in Float(1) }
    for amount in stride(from: Float(0.1), through: 1, by: 0.1) {
      let gains = try #require(Self.small.scaled(by: amount)).gains
      for (index, full) in Self.small.gains.enumerated() {
        #expect(full >= 1 ? gains[index] >= last[index] : gains[index] <= last[index])
      }
      last = gains
    }
    var neutral = Self.small
    neutral.gains = neutral.gains.map { _ in 1 }
    #expect(neutral.scaled(by: 1) == nil)
  }

  @Test func mapsOfOnePointAreConstantCurves() {
    let map = GainTableMap(
      rows: 2, columns: 2, spacing: SIMD2(1, 1), origin: SIMD2(0, 0), points: 1,
      weights: [0.25, 0.5, 0.25, 0, 0], gamma: 1, gains: [1, 2, 3, 4])
    let curves = map.withCurves
    #expect(curves.points == 2 && curves.gains == [1, 1, 2, 2, 3, 3, 4, 4])
    #expect(curves.withCurves == curves)
    for value: Float in [0, 0.3, 0.7, 2] {
      let rgb = SIMD3<Float>(repeating: value)
      #expect(abs(map.gain(rgb, u: 0.3, v: 0.6) - curves.gain(rgb, u: 0.3, v: 0.6)) < 1e-6)
    }
  }
}
