public import HDRRender

/// How the gain map of an output is made; nil means the default.
public struct GainMapChoice: Sendable, Hashable, Codable {
  /// The rendition that readers without gain map support show. The raw value is the name on the
  /// command line.
  public enum Base: String, Sendable, Hashable, Codable, CaseIterable {
    /// The SDR rendition, from which the map leads to HDR. The default.
    case sdr
    /// The HDR rendition in PQ, from which the map leads to SDR. Not in JPEG.
    case pq
    /// The HDR rendition in HLG, which holds up to 1000 cd/m². Not in JPEG.
    case hlg
  }

  /// The rendition that readers without gain map support show; nil for SDR.
  public var base: Base?
  /// Channels of the map: 1 for luminance, 3 for one of each color; nil for 1.
  public var channels: Int?
  /// Size of the map relative to the picture; nil for half.
  public var scale: GainMapCreation.Scale?

  /// The defaults.
  public init() {}

  /// Transfer function of the base.
  public var transfer: DynamicRangeMix.Transfer {
    base == .pq ? .pq : base == .hlg ? .hlg : .standard
  }
}
