public import HDRRender

/// The dynamic range that a picture is exported in.
public enum ExportPreset: String, Sendable, Hashable, CaseIterable {
  /// The range of the source.
  case preserve
  /// SDR, tone-mapped.
  case sdr
  /// Hybrid log-gamma.
  case hlg
  /// PQ with mastering display and content light level.
  case hdr10

  /// The range in which a source of range `source` is exported.
  public func dynamicRange(of source: DynamicRangeMix) -> DynamicRangeMix {
    switch self {
    case .preserve: source
    case .sdr: .sdr
    case .hlg: .hlg
    case .hdr10: .hdr10
    }
  }
}
