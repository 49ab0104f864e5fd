public import DisplayOutput
public import Readers

/// How a picture file is opened; named after Apple's options where there are any. Raws have their
/// headroom in `high`, and SDR else.
public struct LoadOptions: Sendable, Hashable {
  /// The rendition that is wanted; nil for `high` where the display can show more than white, else
  /// `standard`.
  public var rendition: StillImage.Rendition?
  /// The display that decides where no rendition is given.
  public var display: DisplayInfo

  /// Without a rendition and a display, pictures are loaded in SDR.
  public init(_ rendition: StillImage.Rendition? = .asStored, display: DisplayInfo = .headless) {
    self.rendition = rendition
    self.display = display
  }

  /// `high` (decodeToHDR).
  public static let expandToHDR = LoadOptions(.high)
  /// `standard` (decodeToSDR).
  public static let toneMapHDRtoSDR = LoadOptions(.standard)

  /// The rendition; by default, chosen for the display.
  var resolved: StillImage.Rendition {
    rendition ?? (display.showsHighRange() ? .high : .standard)
  }
}
