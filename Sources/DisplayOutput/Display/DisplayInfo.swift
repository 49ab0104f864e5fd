public import HDRRender

/// What is known of a display: its greatest headroom and its present one.
///
/// A display's headroom changes with its brightness, the ambient light and its power. The caller
/// asks the system and passes the answer here. Without a display, use ``headless``.
public struct DisplayInfo: Sendable, Hashable, Codable {
  /// The display's name, such as `iPhone 14`.
  public let name: String
  /// The greatest headroom it ever has, as a ratio to reference white, ≥ 1.
  public let potentialHeadroom: Double
  /// The headroom it has now, 1…`potentialHeadroom`.
  public let currentHeadroom: Double
  /// Whether it has a reference mode.
  public let isReferenceModeSupported: Bool
  /// Whether reference mode is switched on.
  public let isReferenceModeEnabled: Bool

  /// Headrooms below 1, and NaN, are treated as 1; `currentHeadroom` defaults to the potential
  /// headroom and is limited to it. An unsupported reference mode is never enabled.
  public init(
    name: String = "", potentialHeadroom: Double, currentHeadroom: Double? = nil,
    isReferenceModeSupported: Bool = false, isReferenceModeEnabled: Bool = false
  ) {
    func held(_ ratio: Double) -> Double { ratio > 1 ? ratio : 1 }
    self.name = name
    self.potentialHeadroom = held(potentialHeadroom)
    self.currentHeadroom = min(held(currentHeadroom ?? potentialHeadroom), self.potentialHeadroom)
    self.isReferenceModeSupported = isReferenceModeSupported
    self.isReferenceModeEnabled = isReferenceModeSupported && isReferenceModeEnabled
  }

  /// No display, or one of which nothing is known: SDR.
  public static let headless = DisplayInfo(name: "headless", potentialHeadroom: 1)

  /// Displays by name with the largest headroom that Apple published for them in 2023. The 400 of
  /// the Pro Display XDR is the number given in the talk, unchanged. Apple names only the iPad Pro
  /// as having Reference Mode.
  public static let known: [DisplayInfo] = [
    DisplayInfo(name: "iPhone 14", potentialHeadroom: 8),
    DisplayInfo(
      name: "iPad Pro 12.9", potentialHeadroom: 16, isReferenceModeSupported: true),
    DisplayInfo(name: "MacBook Pro", potentialHeadroom: 16),
    DisplayInfo(name: "Pro Display XDR", potentialHeadroom: 400),
    DisplayInfo(name: "other", potentialHeadroom: 2),
    headless,
  ]

  /// The display of ``known`` named `name`, ignoring case; nil if not listed.
  public static func known(_ name: String) -> DisplayInfo? {
    known.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The same display with another current headroom.
  public func showing(currentHeadroom: Double) -> DisplayInfo {
    DisplayInfo(
      name: name, potentialHeadroom: potentialHeadroom, currentHeadroom: currentHeadroom,
      isReferenceModeSupported: isReferenceModeSupported,
      isReferenceModeEnabled: isReferenceModeEnabled)
  }

  /// Whether HDR renditions are worth making: at its best, the display shows more than `threshold`
  /// times reference white.
  public func showsHighRange(above threshold: Double = 1) -> Bool { potentialHeadroom > threshold }

  /// Whether the display shows what reference rendering promises.
  public var referenceStatus: ReferenceMode.Status {
    ReferenceMode.status(
      isSupported: isReferenceModeSupported, isEnabled: isReferenceModeEnabled,
      displayHeadroom: currentHeadroom)
  }
}

extension DisplayRendering {
  /// `dynamicRange` at the current headroom of `display`.
  public init(_ dynamicRange: DynamicRange, on display: DisplayInfo) {
    self.init(dynamicRange, displayHeadroom: display.currentHeadroom)
  }
}
