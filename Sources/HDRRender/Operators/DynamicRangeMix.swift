/// The dynamic range of a picture or format, and which one a mix of several takes.
///
/// Rules, as Apple states them for video made of several clips: any high-range source makes the
/// result high-range; hybrid log-gamma wins over PQ; a format with metadata wins over one without.
/// They are read here as one order, transfer first and metadata second, so the result is the
/// largest source, for any number of them, in any order and grouping.
public struct DynamicRangeMix: Sendable, Hashable, Comparable {
  /// How light is coded.
  public enum Transfer: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Standard range; light relative to a display's white.
    case standard
    /// SMPTE ST 2084, absolute.
    case pq
    /// Hybrid log-gamma.
    case hlg

    /// By which of two wins.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// What is told beside the pixels.
  public enum Metadata: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing.
    case none
    /// One set for the whole: mastering display and light levels, as in HDR10.
    case fixed
    /// A set that changes with the picture, as in Dolby Vision.
    case changing

    /// By which of two wins.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// How light is coded.
  public let transfer: Transfer
  /// What is told beside the pixels; nothing for standard range.
  public let metadata: Metadata

  /// A format. Metadata has no meaning for standard range and is dropped there.
  public init(_ transfer: Transfer, metadata: Metadata = .none) {
    self.transfer = transfer
    self.metadata = transfer == .standard ? .none : metadata
  }

  /// Standard range.
  public static let sdr = DynamicRangeMix(.standard)
  /// PQ without metadata.
  public static let pq = DynamicRangeMix(.pq)
  /// PQ with static metadata.
  public static let hdr10 = DynamicRangeMix(.pq, metadata: .fixed)
  /// Hybrid log-gamma without metadata.
  public static let hlg = DynamicRangeMix(.hlg)

  /// By which of two wins.
  public static func < (a: Self, b: Self) -> Bool {
    (a.transfer, a.metadata) < (b.transfer, b.metadata)
  }

  /// What a result of all `sources` should be; standard range for none.
  public static func result(of sources: some Sequence<DynamicRangeMix>) -> DynamicRangeMix {
    sources.reduce(.sdr, max)
  }
}
