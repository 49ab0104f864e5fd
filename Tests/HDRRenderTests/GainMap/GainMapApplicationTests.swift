import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct GainMapApplicationTests {
  /// A pixel of equal channels with equal map samples.
  static func apply(
    _ rows: some GainMapOperator, base: Float, samples: [Float]
  ) throws -> SIMD3<Float> {
    let size = PixelSize(width: 5, height: 1)
    let (pixels, maps) = (try PlanarBuffer(size: size), try PlanarBuffer(size: size))
    for plane in 0..<3 { pixels.row(plane, 0).update(repeating: base, count: 8) }
    for (plane, v) in samples.enumerated() { maps.row(plane, 0).update(repeating: v, count: 8) }
    rows.apply(pixels.rows(0), map: samples.indices.map { maps.row($0, 0) })
    return SIMD3(pixels.row(0, 0)[2], pixels.row(1, 0)[3], pixels.row(2, 0)[4])
  }

  static func applied(_ base: Float, _ v: Float, stops: Double) throws -> Float {
    let rows = GainMapApplication(
      try GainMapMetadata.example(), displayHeadroom: exp2(stops))
    return try Self.apply(rows, base: base, samples: [v]).y
  }

  @Test func publishedValues() throws {
    let published: [(Float, Float, Double, Float)] = [
      (0.5, 0.75, 0, 0.5), (0.5, 0.75, 1, 0.8515494), (0.5, 0.75, 2, 1.4427827),
      (1, 1, 1, 2.015625), (1, 1, 2, 4.046875), (0, 1, 2, 0.046875), (0.18, 0.5, 1.5, 0.3133757),
    ]
    for (base, v, stops, expected) in published {
      let found = try Self.applied(base, v, stops: stops)
      #expect(abs(found - expected) < 2e-6 * max(1, expected), "\(base) \(v) \(stops): \(found)")
    }
  }

  @Test func publishedValuesOfApplesFormula() throws {
    for (v, factor) in [(Float(0.25), Float(1.547077)), (0.5, 2.817126), (0.75, 4.944656)] {
      let rows = AppleGainMapApplication(headroom: 8, displayHeadroom: 100)
      #expect(try abs(Self.apply(rows, base: 1, samples: [v]).x - factor) < 3e-6)
      let less = AppleGainMapApplication(headroom: 8, displayHeadroom: 3)
      let expected = 1 + (factor - 1) / 7 * 2
      #expect(try abs(Self.apply(less, base: 1, samples: [v]).x - expected) < 3e-6)
    }
    for (v, g) in [(Float(0.25), Float(0.0781539)), (0.5, 0.2595894), (0.75, 0.5635222)] {
      #expect(abs(AppleGainMapApplication.fraction(SIMD8(repeating: v))[3] - g) < 1e-6)
    }
    #expect(AppleGainMapApplication(headroom: 8, displayHeadroom: 1).isIdentity)
    #expect(AppleGainMapApplication(headroom: .nan, displayHeadroom: 8).isIdentity)
  }

  @Test func weightZeroReturnsTheBaseBitForBit() throws {
    for (base, alternate, display) in [(0.0, 2.0, 1.0), (2, 0, 4), (1, 1, 8)] {
      let rows = GainMapApplication(
        try GainMapMetadata.example(base: base, alternate: alternate),
        displayHeadroom: display)
      #expect(rows.isIdentity)
      #expect(try Self.apply(rows, base: 0.1234567, samples: [0.7]) == SIMD3(repeating: 0.1234567))
    }
  }

  @Test func backwardUndoesForward() throws {
    // The high rendition with the same map, and offsets the other way round, gives the standard
    // one.
    func metadata(_ base: Double, _ alternate: Double, _ k: (Double, Double)) throws
      -> GainMapMetadata
    {
      try GainMapMetadata(
        channels: [
          .init(
            minimumStops: -1, maximumStops: 3, gamma: 1.7, baseOffset: k.0, alternateOffset: k.1)
        ],
        baseHeadroomStops: base, alternateHeadroomStops: alternate)
    }
    let up = GainMapApplication(try metadata(0, 3, (0.02, 0.01)), displayHeadroom: 8)
    let down = GainMapApplication(try metadata(3, 0, (0.01, 0.02)), displayHeadroom: 1)
    for base in [Float(0), 0.01, 0.18, 0.9] {
      for v in [Float(0), 0.1, 0.5, 1] {
        let high = try Self.apply(up, base: base, samples: [v]).x
        let expected = (base + 0.02) * Float(exp2(-1 + 4 * pow(Double(v), 1 / 1.7))) - 0.01
        #expect(abs(high - expected) < 1e-5 * max(expected, 0.1))
        #expect(try abs(Self.apply(down, base: high, samples: [v]).x - base) < 1e-5)
      }
    }
  }

  @Test func threeChannelsAreThreeGains() throws {
    let channels = try [1.0, 2, 3].map { try GainMapMetadata.Channel(maximumStops: $0) }
    let three = GainMapApplication(
      try GainMapMetadata(channels: channels, alternateHeadroomStops: 3), displayHeadroom: 8)
    let one = try Self.apply(three, base: 1, samples: [1])
    let offset = Float(1.0 / 64)
    for (i, gain) in [Float(2), 4, 8].enumerated() {
      #expect(abs(one[i] - ((1 + offset) * gain - offset)) < 1e-5)
    }
    let uniform = GainMapApplication(
      try GainMapMetadata.example(), displayHeadroom: 4)
    let rgb = try Self.apply(uniform, base: 1, samples: [0, 0.5, 1])
    for (i, gain) in [Float(1), 2, 4].enumerated() {
      #expect(abs(rgb[i] - ((1 + offset) * gain - offset)) < 1e-5)
    }
  }

  @Test func isMonotoneInDisplayAndSample() throws {
    var last: Float = 0
    for step in 0...400 {
      let value = try Self.applied(0.5, 0.8, stops: Double(step) / 100)
      #expect(value >= last)
      last = value
    }
    for gamma in [0.3, 1, 4] {
      let metadata = try GainMapMetadata(
        channels: [.init(minimumStops: -1, maximumStops: 2, gamma: gamma)],
        alternateHeadroomStops: 2)
      let rows = GainMapApplication(metadata, displayHeadroom: 4)
      last = 0
      for step in 0...255 {
        let value = try Self.apply(rows, base: 0.5, samples: [Float(step) / 255]).x
        #expect(value >= last - 1e-6)
        last = value
      }
    }
  }

  @Test func extremeParametersStayFinite() throws {
    for stops in [64.0, 40, 1] {
      for gamma in [0x1p-10, 1, 0x1p10] {
        let metadata = try GainMapMetadata(
          channels: [.init(minimumStops: -stops, maximumStops: stops, gamma: gamma)],
          alternateHeadroomStops: stops)
        let rows = GainMapApplication(metadata, displayHeadroom: .infinity)
        for v in [Float(0), 0.5, 1, .nan, .infinity, -1] {
          let found = try Self.apply(rows, base: 1, samples: [v])
          #expect(found.x.isFinite && found.x <= rows.bound(1))
        }
        #expect(rows.bound(1).isFinite)
      }
    }
  }

  @Test func theBoundHolds() throws {
    for (low, high) in [(-2.0, 3.0), (-3, -1), (0, 4)] {
      for display in [1.5, 3, 16] {
        let rows = GainMapApplication(
          try GainMapMetadata.example(low, high), displayHeadroom: display)
        for step in 0...100 {
          let found = try Self.apply(rows, base: 1, samples: [Float(step) / 100]).x
          #expect(found <= rows.bound(1))
        }
      }
    }
  }
}
