import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct ReferenceWhiteToneMappingTests {
  static func mapping(_ content: Double, _ target: Double) -> ReferenceWhiteToneMapping {
    ReferenceWhiteToneMapping(contentHeadroom: exp2(content), displayHeadroom: exp2(target))
  }

  /// A color through the vector loop.
  static func map(_ mapping: ReferenceWhiteToneMapping, _ color: SIMD3<Float>) -> SIMD3<Float> {
    OneColorRow.run(color) { mapping.apply($0) }
  }

  @Test func publishedValues() {
    let h = log2(1000.0 / 203)
    let published: [(Double, Double, Double, Double)] = [
      (2, 0, 0.5, 0.282651), (2, 0, 1, 0.565302), (2, 0, 2, 0.815278), (2, 0, 4, 1),
      (2, 1, 1, 0.898755), (2, 1, 2, 1.471569), (2, 1, 4, 2),
      (2, 1.23023, 1, 1), (2, 1.23023, 2, 1.685886), (2, 1.23023, 4, 2.34604),
      (2, log2(3), 2, 1.823991), (2, log2(3), 4, 3),
      (h, 0, 1, 0.5), (h, 0, 2, 0.74516), (h, 0, exp2(h), 1), (h, 1, 1, 0.81603),
    ]
    for (content, target, value, expected) in published {
      let mapping = Self.mapping(content, target)
      #expect(
        abs(mapping(value) - expected) < 6e-6, "\(content) \(target) \(value): \(mapping(value))")
      let gray = Self.map(mapping, SIMD3(repeating: Float(value)))
      #expect(abs(Double(gray.y) - expected) < 3e-5 * expected + 5e-6)
    }
  }

  /// The second rendition, in which white is just preserved, has 1.415037 stops for contents of
  /// 1000 cd/m² and more, and 0.6151138 for contents of one stop.
  @Test func whiteIsPreservedFromTheSecondRenditionOn() {
    for (content, second) in [(log2(1000.0 / 203), 1.415037), (3.5, 1.415037), (1, 0.6151138)] {
      #expect(abs(Self.mapping(content, second)(1) - 1) < 1e-6)
      #expect(Self.mapping(content, second - 0.01)(1) < 1 - 1e-4)
      #expect(abs(Self.mapping(content, second + 0.01)(1) - 1) < 1e-6)
    }
  }

  @Test func theTableFollowsTheFormula() {
    for content in [0.05, 1, 2.3, 4, 7] {
      for target in [0, 0.3, 1, 2.2] where target < content {
        let mapping = Self.mapping(content, target)
        for step in 0...500 {
          let value = exp2(-3 + Double(step) / 500 * (content + 4))
          let found = Double(Self.map(mapping, SIMD3(repeating: Float(value))).x)
          #expect(abs(found / mapping(value) - 1) < ((1...4.5).contains(content) ? 6e-5 : 3e-4))
        }
      }
    }
  }

  @Test func isMonotoneInValueAndDisplay() {
    for content in [0.02, 0.5, 1, 2, log2(1000.0 / 203), 4, 6] {
      var below: [Double]?
      for target in stride(from: 0, through: content + 0.2, by: 0.05) {
        let mapping = Self.mapping(content, target)
        let values = (0...300).map { exp2(-4 + Double($0) / 300 * (content + 5)) }
        let mapped = values.map { mapping($0) }
        for (a, b) in zip(mapped, mapped.dropFirst()) { #expect(b >= a * (1 - 1e-12)) }
        if let below {
          for (a, b) in zip(below, mapped) { #expect(b >= a * (1 - 1e-12)) }
        }
        if target < content { #expect((mapped.max() ?? 0) <= exp2(target) * (1 + 1e-12)) }
        below = mapped
      }
    }
  }

  @Test func whatFitsComesBackBitForBit() {
    for (content, target) in [(0.0, 0.0), (0, 3), (2, 2), (2, 5)] {
      let mapping = Self.mapping(content, target)
      #expect(mapping.isIdentity)
      for value in [Float(0), -0.5, 0.123456, 3.9] {
        #expect(Self.map(mapping, SIMD3(value, 0.1, 2)) == SIMD3(value, 0.1, 2))
      }
    }
  }

  @Test func hueStaysAndTheDriveIsInBT2020() {
    let mapping = Self.mapping(2, 0)
    let color = SIMD3<Float>(0.5, 2, 1)
    let mapped = Self.map(mapping, color)
    for i in 0..<3 { #expect(abs(mapped[i] / color[i] - 0.815278 / 2) < 1e-5) }
    let narrow = ReferenceWhiteToneMapping(
      contentHeadroom: 4, displayHeadroom: 1, primaries: .displayP3)
    let wide = Primaries.displayP3.conversion(to: .bt2020) * SIMD3<Double>(color)
    let same = SIMD3<Float>(
      Primaries.bt2020.conversion(to: .displayP3)
        * SIMD3<Double>(Self.map(mapping, SIMD3<Float>(wide))))
    let difference = Self.map(narrow, color) - same
    #expect(max(difference.max(), -difference.min()) < 1e-5)
  }

  @Test func hostileInputStaysFinite() {
    for content in [Double.nan, .infinity, -1, 1e300] {
      for target in [Double.nan, .infinity, 0, 1] {
        let mapping = ReferenceWhiteToneMapping(contentHeadroom: content, displayHeadroom: target)
        for value in [Float.nan, .infinity, -.infinity, 1e30, -1e30] where !mapping.isIdentity {
          let mapped = Self.map(mapping, SIMD3(value, 0.5, value))
          #expect(!mapped.y.isNaN)
        }
      }
    }
  }
}
