/// The dynamic range of a picture or format, and of a mix of several.
///
/// Rules, as Apple states them for video made of several clips: any HDR source makes the
/// result HDR; hybrid log-gamma wins over PQ; a format with metadata wins over one without.
/// They are read here as one order, transfer first and metadata second, so the result is the
/// largest source, for any number of them, in any order and grouping.
public struct DynamicRangeMix: Sendable, Hashable, Comparable {
  /// Which of SDR, PQ and HLG a picture is, whatever its curve in SDR.
  public enum Transfer: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// SDR, relative to a display's white.
    case standard
    /// SMPTE ST 2084, absolute.
    case pq
    /// Hybrid log-gamma.
    case hlg

    /// In order of precedence in a mix.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The HDR metadata stored with the pixels.
  public enum Metadata: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing.
    case none
    /// Static: mastering display and content light levels, as in HDR10.
    case fixed
    /// Dynamic: changes from picture to picture, as in Dolby Vision.
    case changing

    /// In order of precedence in a mix.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The transfer function.
  public let transfer: Transfer
  /// The HDR metadata; none for SDR.
  public let metadata: Metadata

  /// Metadata has no meaning for SDR and is dropped there.
  public init(_ transfer: Transfer, metadata: Metadata = .none) {
    self.transfer = transfer
    self.metadata = transfer == .standard ? .none : metadata
  }

  /// SDR.
  public static let sdr = DynamicRangeMix(.standard)
  /// PQ without metadata.
  public static let pq = DynamicRangeMix(.pq)
  /// PQ with static metadata.
  public static let hdr10 = DynamicRangeMix(.pq, metadata: .fixed)
  /// Hybrid log-gamma without metadata.
  public static let hlg = DynamicRangeMix(.hlg)

  /// In order of precedence in a mix.
  public static func < (a: Self, b: Self) -> Bool {
    (a.transfer, a.metadata) < (b.transfer, b.metadata)
  }

  /// The range of a result made of all `sources`; SDR for none.
  public static func result(of sources: some Sequence<DynamicRangeMix>) -> DynamicRangeMix {
    sources.reduce(.sdr, max)
  }
}
