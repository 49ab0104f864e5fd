public import DisplayOutput

/// How a picture file is opened; named after Apple's options where there are any.
public struct LoadOptions: Sendable, Hashable {
  /// The rendition that is wanted.
  public enum DynamicRange: String, Sendable, Hashable, CaseIterable {
    /// `hdr` where the display can show more than white, else `sdr`.
    case auto
    /// The full range of the file: gain maps applied, PQ and HLG unchanged, raws with their
    /// headroom (expandToHDR, decodeToHDR).
    case hdr
    /// Nothing above white (toneMapHDRtoSDR, decodeToSDR).
    case sdr
    /// As stored: the base of a gain map, PQ and HLG unchanged, raws in standard range.
    case asStored
  }

  /// The rendition that is wanted.
  public var dynamicRange: DynamicRange
  /// The display that decides for `auto`.
  public var display: DisplayInfo

  /// Without a display, `auto` is standard range.
  public init(_ dynamicRange: DynamicRange = .asStored, display: DisplayInfo = .headless) {
    self.dynamicRange = dynamicRange
    self.display = display
  }

  /// `.hdr`.
  public static let expandToHDR = LoadOptions(.hdr)
  /// `.sdr`.
  public static let toneMapHDRtoSDR = LoadOptions(.sdr)

  /// The range with `auto` resolved.
  var settled: DynamicRange {
    dynamicRange != .auto ? dynamicRange : display.showsHighRange() ? .hdr : .sdr
  }
}
