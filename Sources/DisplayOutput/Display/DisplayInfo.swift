public import HDRRender

/// What is known of a display: how far above white it can go, and how far it goes now.
///
/// A display's headroom changes with its brightness, the light in the room and its power; asking
/// the system is for the caller, who puts the answer in here. Without a display it is ``headless``.
public struct DisplayInfo: Sendable, Hashable, Codable {
  /// What it is called.
  public let name: String
  /// The most that it can ever show, a ratio to reference white; 1 and more.
  public let potentialHeadroom: Double
  /// What it can show now, 1…`potentialHeadroom`.
  public let currentHeadroom: Double
  /// Whether it has a reference mode.
  public let isReferenceModeSupported: Bool
  /// Whether that is switched on.
  public let isReferenceModeEnabled: Bool

  /// A display. Headrooms below 1, and no-numbers, count as 1; without `currentHeadroom`, or with
  /// one above it, the potential one is taken. A mode that is not supported is not enabled.
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

  /// No display, or one of which nothing is known: standard range.
  public static let headless = DisplayInfo(name: "headless", potentialHeadroom: 1)

  /// Displays by name with the largest headroom that Apple stated of them in 2023; 400 of the Pro
  /// Display XDR is what was said aloud, and is kept as such. Of Reference Mode Apple names the
  /// iPad Pro only.
  public static let known: [DisplayInfo] = [
    DisplayInfo(name: "iPhone 14", potentialHeadroom: 8),
    DisplayInfo(
      name: "iPad Pro 12.9", potentialHeadroom: 16, isReferenceModeSupported: true),
    DisplayInfo(name: "MacBook Pro", potentialHeadroom: 16),
    DisplayInfo(name: "Pro Display XDR", potentialHeadroom: 400),
    DisplayInfo(name: "other", potentialHeadroom: 2),
    headless,
  ]

  /// The display of ``known`` that is called `name`, whatever its case.
  public static func known(_ name: String) -> DisplayInfo? {
    known.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The same display with another headroom now.
  public func showing(currentHeadroom: Double) -> DisplayInfo {
    DisplayInfo(
      name: name, potentialHeadroom: potentialHeadroom, currentHeadroom: currentHeadroom,
      isReferenceModeSupported: isReferenceModeSupported,
      isReferenceModeEnabled: isReferenceModeEnabled)
  }

  /// Whether a picture of high range is worth its work: the display can, at its best, show more
  /// than `threshold` times white.
  public func showsHighRange(above threshold: Double = 1) -> Bool { potentialHeadroom > threshold }

  /// The state of its reference mode.
  public var referenceStatus: ReferenceMode.Status {
    ReferenceMode.status(
      isSupported: isReferenceModeSupported, isEnabled: isReferenceModeEnabled,
      displayHeadroom: currentHeadroom)
  }
}

extension DisplayRendering {
  /// `dynamicRange` on `display` as it is now.
  public init(_ dynamicRange: DynamicRange, on display: DisplayInfo) {
    self.init(dynamicRange, displayHeadroom: display.currentHeadroom)
  }
}
