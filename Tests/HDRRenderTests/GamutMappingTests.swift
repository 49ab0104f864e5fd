import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct GamutMappingTests {
  static func map(
    _ color: SIMD3<Float>, into primaries: Primaries = .bt2020, headroom: Float = 1
  ) -> SIMD3<Float> {
    let mapping = GamutMapping(primaries: primaries, headroom: headroom)
    return OneColorRow.run(color) { mapping.apply($0) }
  }

  /// Oklab of linear values of `primaries`.
  static func lab(_ color: SIMD3<Float>, _ primaries: Primaries) -> SIMD3<Double> {
    Oklab.lab(primaries.conversion(to: .bt2020) * SIMD3<Double>(color))
  }

  /// Colors over a coarse lattice that reaches outside the gamut on every side.
  static let lattice: [SIMD3<Float>] = {
    let steps = stride(from: Float(-0.3), through: 1.5, by: 0.15).map { $0 }
    return steps.flatMap { r in steps.flatMap { g in steps.map { b in SIMD3(r, g, b) } } }
  }()

  /// Colors of BT.2020 and a little outside, with their cones' signals positive, in `primaries`.
  static func visible(_ primaries: Primaries) -> [SIMD3<Float>] {
    let steps = stride(from: -0.04, through: 0.96, by: 0.1).map { $0 }
    let colors = steps.flatMap { r in steps.flatMap { g in steps.map { b in SIMD3(r, g, b) } } }
    return colors.filter { color in
      let lms = Oklab.toLMS * color
      let minimum = SIMD3(0.021, 0.081, 0.021) * lms.max()
      return (lms - minimum).min() > 0
    }.map { SIMD3<Float>(Primaries.bt2020.conversion(to: primaries) * $0) }
  }

  @Test(arguments: [Primaries.srgb, .displayP3, .bt2020])
  func insideStaysBitForBit(primaries: Primaries) {
    let steps = stride(from: Float(0), through: 1, by: 0.05).map { $0 }
    for r in steps {
      for g in steps {
        for b in steps where min(r, g, b) >= 0.0501 * max(r, g, b) {
          #expect(Self.map(SIMD3(r, g, b), into: primaries) == SIMD3(r, g, b))
        }
      }
    }
  }

  /// By the rule of finished pictures: inside bit for bit, all else inside, and without a step.
  @Test(arguments: [Primaries.srgb, .displayP3, .bt2020])
  func finishedPicturesAreLeftAloneInside(primaries: Primaries) {
    let mapping = GamutMapping(primaries: primaries, headroom: 1, keepsInside: true)
    func map(_ color: SIMD3<Float>) -> SIMD3<Float> { OneColorRow.run(color) { mapping.apply($0) } }
    for color in Self.lattice {
      let mapped = map(color)
      #expect(mapped.min() >= 0 && mapped.max() <= 1)
      if color.min() >= 0, color.max() <= 1 { #expect(mapped == color) }
      let cut = color.clamped(lowerBound: .zero, upperBound: .one)
      // As little outside as rounding puts it.
      let near = map(cut - SIMD3(0.0005, -0.0005, 0.0005)) - cut
      #expect(max(abs(near.x), abs(near.y), abs(near.z)) <= 0.0006)
    }
    var last = map(SIMD3(0.8, 0.4, 0.01))
    for i in 0...2000 {
      let color = map(SIMD3(0.8, 0.4, 0.01 - Float(i) * 0.0001))
      #expect(abs(color.x - last.x) + abs(color.y - last.y) + abs(color.z - last.z) < 0.002)
      last = color
    }
  }

  @Test func everythingEndsInside() {
    for headroom in [Float(1), 1.3] {
      for c in Self.lattice {
        let m = Self.map(c, headroom: headroom)
        #expect(m.min() >= 0 && m.max() <= headroom, "\(c) became \(m)")
      }
    }
  }

  @Test(arguments: [Primaries.srgb, .displayP3, .adobeRGB, .bt2020])
  func hueAndLightnessStay(primaries: Primaries) {
    for c in Self.visible(primaries) {
      let (before, after) = (
        Self.lab(c, primaries), Self.lab(Self.map(c, into: primaries), primaries)
      )
      guard before.x < 0.999 else { continue }
      // Beside the blue primary a channel that lacks 3 % is cut.
      #expect(abs(after.x - before.x) < 0.015, "lightness of \(c)")
      let chroma = hypot(before.y, before.z)
      let turn = (before.y * after.z - before.z * after.y) / chroma
      #expect(abs(turn) <= 0.09, "hue of \(c)")
      #expect(hypot(after.y, after.z) <= chroma + 2e-4, "chroma of \(c)")
    }
  }

  /// At constant hue and lightness the order of chroma is preserved, and neighbors stay neighbors.
  @Test(arguments: [Primaries.srgb, .displayP3, .bt2020])
  func saturationIsMonotoneAndWithoutSteps(primaries: Primaries) {
    let toTarget = Primaries.bt2020.conversion(to: primaries)
    for degrees in stride(from: 0.0, to: 360, by: 7.5) {
      for lightness in [0.25, 0.45, 0.7, 0.9] {
        var last: (chroma: Double, color: SIMD3<Float>)?
        for chroma in stride(from: 0, through: 0.36, by: 0.001) {
          let angle = degrees * .pi / 180
          let lab = SIMD3(lightness, chroma * cos(angle), chroma * sin(angle))
          let roots = Oklab.fromLab * lab
          guard (roots - SIMD3(0.272, 0.432, 0.272) * roots.max()).min() > 0 else { break }
          let color = Self.map(SIMD3<Float>(toTarget * Oklab.rgb(lab)), into: primaries)
          let found = Self.lab(color, primaries)
          let drawn = hypot(found.y, found.z)
          if let last {
            #expect(drawn > last.chroma - 1e-4, "\(degrees)°, L \(lightness), C \(chroma)")
            let step = color - last.color
            #expect(max(abs(step.x), abs(step.y), abs(step.z)) < 0.02)
          }
          last = (drawn, color)
        }
      }
    }
  }

  @Test func isContinuousAcrossTheSurface() {
    // From inside to far outside: no step anywhere.
    var last = Self.map(SIMD3(0.8, 0.4, 0.1))
    for i in 0...2000 {
      let m = Self.map(SIMD3(0.8, 0.4, 0.1 - Float(i) * 0.0005))
      #expect(abs(m.x - last.x) + abs(m.y - last.y) + abs(m.z - last.z) < 0.003)
      last = m
    }
  }

  @Test func blackStaysBlackAndBlueDoesNotTurnBlack() {
    #expect(Self.map(SIMD3(0, 0, 0)) == SIMD3(0, 0, 0))
    #expect(Self.map(SIMD3(-0.2, -0.1, -0.3)) == SIMD3(0, 0, 0))
    #expect(Self.map(SIMD3(-0.2, -0.05, 0.5)).z > 0.2)
  }
}
