import Foundation

/// The perceptual quantizer of SMPTE ST 2084 and ITU-R BT.2100: display luminance of 0…10,000 cd/m²
/// to a signal of 0…1. Check values: 100 cd/m² → 0.508078, 203 → 0.580689, 1000 → 0.751827.
public enum PQ {
  /// Luminance of signal 1.0, cd/m².
  public static let peakNits = 10_000.0
  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

  /// The signal (0…1) of a luminance in cd/m², clamped to 0…10,000.
  public static func signal(nits: Double) -> Double {
    let y = pow(min(max(nits, 0), peakNits) / peakNits, m1)
    return pow((c1 + c2 * y) / (1 + c3 * y), m2)
  }

  /// The luminance in cd/m² of a signal, clamped to 0…1.
  public static func nits(signal: Double) -> Double {
    let n = pow(min(max(signal, 0), 1), 1 / m2)
    return peakNits * pow(max(n - c1, 0) / (c2 - c3 * n), 1 / m1)
  }
}
