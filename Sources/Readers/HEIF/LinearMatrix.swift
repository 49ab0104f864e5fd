import Foundation
import ImageCore

/// From luma and chroma to R'G'B' by way of linear values: constant luminance (matrix coefficients
/// 10 and 13 of H.273) and ICtCp (14).
///
/// Source: ITU-T H.273 (2024) 8.3, equations of MatrixCoefficients 10, 13 and 14, the last two of
/// BT.2100-2 as well. All are signals, luma 0…1 and chroma -0.5…0.5. In constant luminance, blue
/// and red differ from luma by chroma times 2N below it and 2P above; green follows from the linear
/// luminance. ICtCp is a matrix over PQ or HLG signals of cone responses. Signals are clamped to
/// 0…1.
struct LinearMatrix: Sendable {
  private enum Kind {
    /// Luminance weights of red and blue, and the spans of chroma below and above luma.
    case constantLuminance(red: Double, blue: Double, below: SIMD2<Double>, above: SIMD2<Double>)
    /// From I, Ct and Cp to the signals of cones.
    case cones(Matrix3)
  }
  private let kind: Kind
  private let curve: Curve

  /// The curve between linear values and signals, both 0…1.
  private enum Curve {
    case pq, hlg, bt709, srgb

    init?(_ transfer: ColorDescription.Transfer?) {
      switch transfer {
      case .pq: self = .pq
      case .hlg: self = .hlg
      case .bt709: self = .bt709
      case .srgb: self = .srgb
      default: return nil
      }
    }

    func linear(_ signal: Double) -> Double {
      let signal = min(max(signal, 0), 1)
      return switch self {
      case .pq: PQ.nits(signal: signal) / 10_000
      case .hlg: HLG.scene(signal: signal)
      case .bt709: BT2020.exactLinear(signal: signal)
      case .srgb: SRGB.linear(signal: signal)
      }
    }

    func signal(_ linear: Double) -> Double {
      let linear = min(max(linear, 0), 1)
      return switch self {
      case .pq: PQ.signal(nits: linear * 10_000)
      case .hlg: HLG.signal(scene: linear)
      case .bt709: BT2020.exactSignal(linear: linear)
      case .srgb: SRGB.signal(linear: linear)
      }
    }
  }

  /// From linear BT.2020 to cones.
  private static let toCones = Matrix3(
    SIMD3(1688, 2146, 262) / 4096, SIMD3(683, 2951, 462) / 4096, SIMD3(99, 309, 3688) / 4096)

  /// From H.273 code points; nil for other or unknown matrices.
  init?(matrix: UInt16, primaries: UInt16, transfer: UInt16) {
    guard let curve = Curve(ColorDescription.Transfer(codePoint: transfer)) else { return nil }
    self.curve = curve
    switch (matrix, curve) {
    case (10, _), (13, _):
      guard
        let (red, blue) = matrix == 10
          ? (0.2627, 0.0593) : ColorDescription.luma(primaries: primaries)
      else { return nil }
      let (weights, one) = (SIMD2(blue, red), SIMD2(1.0, 1))
      let below = one - weights
      kind = .constantLuminance(
        red: red, blue: blue, below: SIMD2(curve.signal(below.x), curve.signal(below.y)),
        above: one - SIMD2(curve.signal(blue), curve.signal(red)))
    case (14, .pq):
      kind = .cones(
        Self.inverse(SIMD3(6610, -13613, 7003) / 4096, SIMD3(17933, -17390, -543) / 4096))
    case (14, .hlg):
      kind = .cones(Self.inverse(SIMD3(3625, -7465, 3840) / 4096, SIMD3(9500, -9212, -288) / 4096))
    default: return nil
    }
  }

  private static func inverse(_ tritan: SIMD3<Double>, _ protan: SIMD3<Double>) -> Matrix3 {
    Matrix3(SIMD3(0.5, 0.5, 0), tritan, protan).inverse ?? .identity
  }

  /// R', G' and B' of a pixel.
  func signals(_ luma: Double, _ cb: Double, _ cr: Double) -> SIMD3<Double> {
    switch kind {
    case .constantLuminance(let red, let blue, let below, let above):
      let b = luma + 2 * cb * (cb < 0 ? below.x : above.x)
      let r = luma + 2 * cr * (cr < 0 ? below.y : above.y)
      let rest = curve.linear(luma) - red * curve.linear(r) - blue * curve.linear(b)
      return SIMD3(r, curve.signal(rest / (1 - red - blue)), b)
    case .cones(let toCones):
      let cones = toCones * SIMD3(luma, cb, cr)
      let linear = SIMD3(curve.linear(cones.x), curve.linear(cones.y), curve.linear(cones.z))
      let rgb = Self.toRGB * linear
      return SIMD3(curve.signal(rgb.x), curve.signal(rgb.y), curve.signal(rgb.z))
    }
  }

  private static let toRGB = toCones.inverse ?? .identity
}
