// The electro-electrical transfer function (EETF): highlights of a brighter rendering rolled off to
// a darker peak. Source: ITU-R BT.2390-10 section 5.4.1, black at 0: in PQ signal divided by the
// signal of the source peak, maxLum = PQ(target)/PQ(source), knee KS = 1.5 maxLum - 0.5, identity
// below it, above it a Hermite spline that ends at maxLum with slope 0. Applied to max(R, G, B),
// and the three channels are scaled alike: ratios, hence hue, are preserved. Domain: linear values,
// 1.0 = 203 cd/m²; values above the source peak are clipped to the target's. The gain is tabulated
// in 4096 steps over knee…source peak, interpolated linearly: error below 1e-4 of the gain. Pixels
// below the knee are untouched, bit for bit. Check values, cd/m²: 1000→203: 100→99.361,
// 400→193.609; 10000→1000: 1000→713.332.

import CVector
package import ImageCore

/// Rolls highlights off from one peak to a lower one.
package struct BT2390: Sendable {
  private let sourceSignal: Double
  private let maxLum: Double
  private let knee: Double
  private let kneeValue: Float
  private let peakValue: Float
  private let gains: [Float]
  private static let steps = 4096

  /// The note in reports when highlights were rolled off.
  package static func note(peakNits: Double) -> String {
    "the format ends at \(Int(peakNits)) cd/m²; brighter highlights were rolled off (BT.2390)"
  }

  /// From a rendering of up to `sourceNits` to a display of `targetNits`; nil when the target is at
  /// least as bright as the source.
  package init?(sourceNits: Double, targetNits: Double) {
    guard sourceNits > targetNits, targetNits > 0 else { return nil }
    sourceSignal = PQ.signal(nits: sourceNits)
    maxLum = PQ.signal(nits: targetNits) / sourceSignal
    knee = max(1.5 * maxLum - 0.5, 0)
    let kneeNits = PQ.nits(signal: knee * sourceSignal)
    let curve = (sourceSignal, maxLum, knee)
    gains = (0...Self.steps).map { step in
      let nits = kneeNits + (sourceNits - kneeNits) * Double(step) / Double(Self.steps)
      guard step > 0, nits > 0 else { return 1 }
      return Float(Self.mapped(nits, curve) / nits)
    }
    kneeValue = Float(kneeNits / ReferenceWhite.nits)
    peakValue = Float(sourceNits / ReferenceWhite.nits)
  }

  private static func mapped(_ nits: Double, _ curve: (Double, Double, Double)) -> Double {
    let (source, maxLum, knee) = curve
    let e1 = min(PQ.signal(nits: nits) / source, 1)
    if e1 < knee { return nits }
    let t = (e1 - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let e2 =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maxLum
    return PQ.nits(signal: e2 * source)
  }

  /// Display luminance for a source luminance, both in cd/m².
  package func nits(_ source: Double) -> Double {
    Self.mapped(source, (sourceSignal, maxLum, knee))
  }

  /// Maps each pixel of `rows`.
  package func apply(_ rows: RGBRows) {
    let stepsPerValue = Float(Self.steps) / (peakValue - kneeValue)
    let peak = SIMD8(repeating: peakValue)
    gains.withUnsafeBufferPointer { table in
      for x in vectors(rows.count) {
        let rgb = rows.lanes(x)
        let top = rgb.highest
        if any(top .> kneeValue) {
          let position = cv_max8((cv_min8(top, peak) - kneeValue) * stepsPerValue, .zero)
          var gain = SIMD8<Float>(repeating: 1)
          for lane in 0..<8 where top[lane] > kneeValue {
            let at = min(Int(position[lane]), Self.steps - 1)
            let fraction = position[lane] - Float(at)
            gain[lane] = table[at] + (table[at + 1] - table[at]) * fraction
            if top[lane] > peakValue { gain[lane] *= peakValue / top[lane] }
          }
          rows.setLanes(x, rgb * gain)
        }
      }
    }
  }
}
