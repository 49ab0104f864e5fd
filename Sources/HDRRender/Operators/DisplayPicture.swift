public import ImageCore

/// A picture to be displayed, and what is known of its range.
public struct DisplayPicture: Sendable {
  /// Where the pixels come from.
  public enum Content: Sendable {
    /// Linear values, 1.0 = reference white.
    case pixels(any PixelSource<DisplayReferred>)
    /// A base with a gain map.
    case gainMap(GainMapPicture)
  }

  /// Where the pixels come from.
  public let content: Content
  /// The largest value, as a ratio to reference white; 1 for SDR.
  public let contentHeadroom: Double
  /// The headroom that the tone curve for a darker display is made for, at most
  /// ``contentHeadroom``: brighter values reach the peak of that display.
  public let toneHeadroom: Double
  /// The average of max(R, G, B) over the picture, 1.0 = reference white; nil when unknown.
  public let averageLightLevel: Double?
  /// Whether values are relative to 203 cd/m², as in PQ and hybrid log-gamma, instead of the white
  /// of the current display.
  public let isAbsolute: Bool
  /// What was left out because its pixels are damaged, such as a gain map; one line each.
  public package(set) var notes: [String] = []

  /// Whether values above reference white occur, with the gain map applied.
  public var isHighDynamicRange: Bool { contentHeadroom > 1 }

  /// The headroom with which no value is scaled, however far they are from what any display shows:
  /// for floats.
  package var reach: Double {
    if case .pixels(let pixels) = content {
      return max(contentHeadroom, Double(pixels.info.headroom))
    }
    return contentHeadroom
  }

  /// Columns and rows; for a gain-map picture, of its base.
  public var size: PixelSize {
    switch content {
    case .pixels(let pixels): pixels.size
    case .gainMap(let picture): picture.base.size
    }
  }

  /// A picture of linear values. `contentHeadroom` defaults to the headroom of its info, an upper
  /// bound; `toneHeadroom` defaults to the same; `isAbsolute` defaults to true where the headroom
  /// exceeds 1.
  public init(
    _ pixels: any PixelSource<DisplayReferred>, contentHeadroom: Double? = nil,
    toneHeadroom: Double? = nil, averageLightLevel: Double? = nil, isAbsolute: Bool? = nil
  ) {
    let headroom = contentHeadroom ?? Double(pixels.info.headroom)
    content = .pixels(pixels)
    self.contentHeadroom = headroom > 1 ? headroom : 1
    self.toneHeadroom = min(max(toneHeadroom ?? self.contentHeadroom, 1), self.contentHeadroom)
    self.averageLightLevel = averageLightLevel
    self.isAbsolute = isAbsolute ?? (headroom > 1)
  }

  /// A picture with a gain map, relative to its display's white.
  public init(_ picture: GainMapPicture, averageLightLevel: Double? = nil) {
    content = .gainMap(picture)
    contentHeadroom = picture.headrooms.upperBound
    toneHeadroom = contentHeadroom
    self.averageLightLevel = averageLightLevel
    isAbsolute = false
  }
}
