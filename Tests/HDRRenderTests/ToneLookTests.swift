import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct ToneLookTests {
  private static func look(paling: Float) -> ToneLook {
    ToneLook(contrast: 1.1, pivot: 1, shoulder: 2, bleaching: 0.25, saturating: 0, paling: paling)
  }

  /// What the curve of a scene of up to 8 makes of `color`.
  private static func toned(
    _ color: SIMD3<Float>, _ look: ToneLook, amount: Double = 0, boost: Double = 1
  ) -> SIMD3<Float> {
    let curve = ToneCurve(peak: 8, headroom: 8, amount: amount, boost: boost, look: look)
    return OneColorRow.run(color) { ToneTable(curve, look: look, boost: boost).apply($0) }
  }

  private static func chromaAndHue(_ color: SIMD3<Float>) -> (chroma: Double, hue: Double) {
    let lab = Oklab.lab(SIMD3<Double>(color))
    return ((lab.y * lab.y + lab.z * lab.z).squareRoot(), atan2(lab.z, lab.y) * 180 / .pi)
  }

  /// The brighter a blue lamp is, the more chroma it loses, at its hue and largest channel, at
  /// every amount of headroom.
  @Test func blueLampsPaleAsTheyBrighten() {
    for lamp in [SIMD3<Float>(0.06, 0.1, 1), SIMD3(0, 0, 1), SIMD3(0.3, 0, 1), SIMD3(0, 0.2, 1)] {
      for amount in [0, 0.5, 1.0] {
        var last = 1.0
        for level in [Float(0.05), 0.15, 0.3, 0.5, 0.8, 2] {
          let plain = Self.toned(lamp * level, Self.look(paling: 0), amount: amount)
          let pale = Self.toned(lamp * level, Self.look(paling: 0.4), amount: amount)
          let (before, after) = (Self.chromaAndHue(plain), Self.chromaAndHue(pale))
          #expect(abs(after.hue - before.hue) < 0.1, "\(lamp * level)")
          #expect(abs(pale.max() / plain.max() - 1) < 1e-5)
          #expect(level > 0.1 || pale == plain)
          let ratio = after.chroma / before.chroma * pow(Double(pale.max() / plain.max()), -1 / 3)
          #expect(ratio <= last + 1e-4, "\(lamp * level)")
          last = ratio
        }
        #expect(last < 0.85, "\(lamp)")
      }
    }
  }

  /// Grays, skies and lamps of other hues are the same bit for bit, and so is everything without a
  /// curve.
  @Test func otherColorsStay() {
    let others: [SIMD3<Float>] = [
      SIMD3(1, 1, 1), SIMD3(1, 0.02, 0.01), SIMD3(1, 0.5, 0), SIMD3(0, 1, 0.1), SIMD3(0.1, 0.9, 1),
      SIMD3(0.3, 0.44, 1), SIMD3(1, 0, 0.6), SIMD3(-0.1, -0.1, -0.2), SIMD3(0, 0, 0),
    ]
    for color in others {
      for level in [Float(0.1), 0.5, 1, 4] {
        let plain = Self.toned(color * level, Self.look(paling: 0))
        #expect(Self.toned(color * level, Self.look(paling: 0.4)) == plain, "\(color)")
      }
    }
    let lamp = SIMD3<Float>(0, 0.1, 1)
    #expect(
      Self.toned(lamp, Self.look(paling: 0.4), boost: 0)
        == Self.toned(lamp, Self.look(paling: 0), boost: 0))
  }

  /// A lamp with less white is never drawn with less chroma.
  @Test func chromaGrowsWithSaturation() {
    for hue in [SIMD3<Float>(0, 0, 1), SIMD3(0, 0.15, 1), SIMD3(0.3, 0, 1), SIMD3(0.1, 0.1, 1)] {
      for level in [Float(0.2), 0.4, 1, 3] {
        let chromas = (0...50).map { step in
          let white = 1 - Float(step) / 50
          return Self.chromaAndHue(
            Self.toned(
              (hue + (1 - hue) * white) * level, Self.look(paling: ToneLook.standard.paling))
          ).chroma
        }
        for (less, more) in zip(chromas, chromas.dropFirst()) {
          #expect(more > less - 1e-4, "\(hue) at \(level)")
        }
      }
    }
  }
}
