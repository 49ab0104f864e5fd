public import HDRRender

/// The dynamic range that a picture is exported in.
public enum ExportPreset: String, Sendable, Hashable, CaseIterable {
  /// The source's own.
  case preserve
  /// Standard range, tone-mapped.
  case sdr
  /// Hybrid log-gamma.
  case hlg
  /// PQ with mastering display and light levels.
  case hdr10

  /// The range that a source of `source` gets.
  public func dynamicRange(of source: DynamicRangeMix) -> DynamicRangeMix {
    switch self {
    case .preserve: source
    case .sdr: .sdr
    case .hlg: .hlg
    case .hdr10: .hdr10
    }
  }
}
