import Foundation
import ImageCore
import Testing

@testable import RawDecode

@Suite struct CorrelatedColorTemperatureTests {
  /// Chromaticities of black bodies, CIE 1931 observer, c2 = 1.4388 (Wyszecki & Stiles 1982).
  static let blackBodies: [(temperature: Double, x: Double, y: Double)] = [
    (2000, 0.52669, 0.41331), (2500, 0.47701, 0.41368), (3000, 0.43694, 0.40407),
    (3500, 0.40529, 0.39073), (4000, 0.38045, 0.37676), (5000, 0.34510, 0.35161),
    (6000, 0.32208, 0.33180), (6500, 0.31352, 0.32363), (10000, 0.28063, 0.28828),
  ]

  @Test func blackBodiesHaveTheirTemperatureAndNoTint() {
    for body in Self.blackBodies {
      let balance = CorrelatedColorTemperature(Chromaticity(x: body.x, y: body.y))
      print("black body", body.temperature, balance.temperature, balance.tint)
      #expect(abs(1e6 / balance.temperature - 1e6 / body.temperature) < 0.5)
      #expect(abs(balance.tint) < 0.5)
      let back = CorrelatedColorTemperature(temperature: body.temperature, tint: 0).chromaticity
      #expect(abs(back.x - body.x) < 3e-4 && abs(back.y - body.y) < 3e-4)
    }
  }

  /// Published: illuminant A lies on the locus at 2856 K; D50 and D65 have 5003 K and 6504 K.
  @Test func standardIlluminantsHaveTheirTemperatures() {
    let a = CorrelatedColorTemperature(Chromaticity(x: 0.44757, y: 0.40745))
    #expect(abs(a.temperature - 2856) < 4)
    #expect(abs(a.tint) < 1)
    #expect(abs(CorrelatedColorTemperature(.d50).temperature - 5003) < 5)
    #expect(abs(CorrelatedColorTemperature(.d65).temperature - 6504) < 5)
    // Daylight lies on the green side of the locus.
    #expect(CorrelatedColorTemperature(.d65).tint > 5)
  }

  @Test func chromaticityAndBackIsTheSame() {
    for temperature in [2000.0, 2850, 3077, 4000, 5003, 6504, 9999, 25000, 50000] {
      for tint in [-150.0, -40, 0, 10, 150] {
        // Far from the locus the isotherms of the hottest and coldest illuminants meet.
        if abs(tint) > 100, temperature > 20000 || temperature < 2500 { continue }
        let balance = CorrelatedColorTemperature(temperature: temperature, tint: tint)
        let back = CorrelatedColorTemperature(balance.chromaticity)
        #expect(abs(back.temperature / temperature - 1) < 2e-3, "\(temperature) K, tint \(tint)")
        #expect(abs(back.tint - tint) < 0.2, "\(temperature) K, tint \(tint)")
      }
    }
  }

  @Test func greenerLightHasMoreTint() {
    let neutral = CorrelatedColorTemperature(temperature: 5000, tint: 0).chromaticity
    let green = CorrelatedColorTemperature(temperature: 5000, tint: 50).chromaticity
    #expect(green.y > neutral.y)
  }
}
