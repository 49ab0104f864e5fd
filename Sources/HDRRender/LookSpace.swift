import Foundation
package import ImageCore

/// The signals that a color look-up table is defined over, input and output.
public enum LookSpace: String, Sendable, Hashable, Codable, CaseIterable {
  /// sRGB, as in most looks for photographs.
  case srgb
  /// Display P3: its primaries, the curve of sRGB.
  case displayP3
  /// BT.709 on a display of BT.1886, a power of 2.4, as in most looks for video.
  case bt709
  /// BT.2020 with the perceptual quantizer of BT.2100: the only one that says what is above white.
  case pq

  /// Primaries of the signals.
  package var primaries: Primaries {
    switch self {
    case .srgb, .bt709: .srgb
    case .displayP3: .displayP3
    case .pq: .bt2020
    }
  }

  /// The linear value, 1.0 = reference white, of signal 1.
  package var peak: Double { self == .pq ? PQ.peakNits / ReferenceWhite.nits : 1 }

  /// The signal of a fraction 0…1 of the peak.
  package func signal(_ fraction: Double) -> Double {
    switch self {
    case .srgb, .displayP3: SRGB.signal(linear: fraction)
    case .bt709: pow(fraction, 1 / 2.4)
    case .pq: PQ.signal(nits: fraction * PQ.peakNits)
    }
  }

  /// The fraction of the peak of a signal 0…1.
  package func fraction(_ signal: Double) -> Double {
    switch self {
    case .srgb, .displayP3: SRGB.linear(signal: signal)
    case .bt709: pow(signal, 2.4)
    case .pq: PQ.nits(signal: signal) / PQ.peakNits
    }
  }
}
