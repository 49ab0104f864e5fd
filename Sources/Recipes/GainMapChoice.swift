public import HDRRender

/// How the gain map of an output is made; nil for what is usual.
public struct GainMapChoice: Sendable, Hashable, Codable {
  /// The picture that readers without gain maps show. The raw value is the name on the command
  /// line.
  public enum Base: String, Sendable, Hashable, Codable, CaseIterable {
    /// The standard rendition; the map leads up. Usual.
    case sdr
    /// The high rendition in PQ; the map leads down. HEIF and AVIF.
    case pq
    /// The high rendition in HLG, where it is no brighter than 1000 cd/m². HEIF and AVIF.
    case hlg
  }

  /// The picture that readers without gain maps show.
  public var base: Base?
  /// 1, a gain of luminance (usual), or 3, one of each color.
  public var channels: Int?
  /// Half the picture's size (usual), or all of it.
  public var scale: GainMapCreation.Scale?

  /// What is usual.
  public init() {}

  /// How the light of that picture is coded.
  public var transfer: DynamicRangeMix.Transfer {
    base == .pq ? .pq : base == .hlg ? .hlg : .standard
  }
}
