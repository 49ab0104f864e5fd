public import DisplayOutput

/// How a picture file is opened, under the names of Apple's options where there are any.
public struct LoadOptions: Sendable, Hashable {
  /// How much of the range is wanted.
  public enum DynamicRange: String, Sendable, Hashable, CaseIterable {
    /// All of it where the display can show more than white, else standard range.
    case auto
    /// All that the file holds: gain maps in full, PQ and HLG as they are, raws with their headroom
    /// (expandToHDR, decodeToHDR).
    case hdr
    /// Nothing above white (toneMapHDRtoSDR, decodeToSDR).
    case sdr
    /// As stored: the base of a gain map, PQ and HLG as they are, raws in their standard look.
    case asStored
  }

  /// How much of the range is wanted.
  public var dynamicRange: DynamicRange
  /// The display that `auto` asks.
  public var display: DisplayInfo

  /// Options. Without a display `auto` is standard range.
  public init(_ dynamicRange: DynamicRange = .asStored, display: DisplayInfo = .headless) {
    self.dynamicRange = dynamicRange
    self.display = display
  }

  /// `.hdr`.
  public static let expandToHDR = LoadOptions(.hdr)
  /// `.sdr`.
  public static let toneMapHDRtoSDR = LoadOptions(.sdr)

  /// The range without the question.
  var settled: DynamicRange {
    dynamicRange != .auto ? dynamicRange : display.showsHighRange() ? .hdr : .sdr
  }
}
