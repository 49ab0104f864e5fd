public import ImageFilters

/// Crop, rotation and perspective. `init()` changes nothing.
public struct FrameSettings: Sendable, Hashable {
  /// The crop of the upright picture in native pixels; nil for the largest without empty corners.
  /// With an angle it is rotated about its own center.
  public var crop: CropArea?
  /// Aspect ratio, width to height, of the largest such part of ``crop``; nil for any.
  public var cropAspect: AspectRatio?
  /// Whether a crop that the rotated picture does not fill is reduced until it does.
  public var isCropConstrained = true
  /// Clockwise rotation of the picture in degrees, −45…45.
  public var straightenAngle: Float = 0
  /// Degrees by which the camera looked up, −40…40, which are corrected.
  public var verticalPerspective: Float = 0
  /// Degrees by which the camera looked to the right, −40…40, which are corrected.
  public var horizontalPerspective: Float = 0

  /// The whole picture.
  public init() {}
}

/// The width of a picture as a multiple of its height.
public struct AspectRatio: Sendable, Hashable, Codable, CustomStringConvertible {
  /// 1 and more for landscape, less for portrait.
  public let value: Double
  /// As it was written: `3:2` or `1.5`.
  public let description: String

  /// The ratio that `text` names: two numbers with a colon between them, or one. nil for other
  /// texts, and for ratios beyond 1:100 and 100:1.
  public init?(_ text: String) {
    // No valid ratio is longer.
    guard text.utf8.count <= 64 else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.filter { $0 != " " }) }
    guard numbers.count == parts.count, (1...2).contains(numbers.count),
      numbers.allSatisfy({ $0.isFinite && $0 > 0 })
    else { return nil }
    let ratio = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
    guard (0.01...100).contains(ratio) else { return nil }
    (value, description) = (ratio, text)
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let ratio = AspectRatio(text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "cropAspect is \(text.prefix(40)); it takes a ratio as 3:2, 1:1, 1.5"))
    }
    self = ratio
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}

extension FrameSettings {
  static let adjustments: [Adjustment] = [
    Adjustment(
      RAWProperty(
        "crop", .name, example: "10%,0%,80%,100%", neutral: "none", standard: "none",
        "Part to keep, x,y,width,height in pixels of the upright picture or in percent of its side",
        interplay: "As 10%,0,80%,100%. With an angle it is rotated about its own center."),
      ifSet: \.frame.crop, .other, .frame),
    Adjustment(
      RAWProperty(
        "cropAspect", .name, example: "3:2", neutral: "none",
        standard: "as crop, else as the picture",
        "Width to height of the part to keep, as 3:2, 1:1, 1.5",
        interplay: "The largest such part of crop, else of the picture."),
      ifSet: \.frame.cropAspect, .other, .frame),
    .toggle(
      "isCropConstrained", \.frame.isCropConstrained, \.isCropConstrained, .frame,
      "Reduce a crop that the rotated picture does not fill",
      interplay: "About its own center. If off, empty corners are black."),
    .number(
      "straightenAngle", \.frame.straightenAngle, \.straightenAngle, -45...45, unit: "degrees",
      options: ["straighten-angle", "straighten"], .frame, "Clockwise rotation of the picture",
      interplay: "Without crop, the largest part without empty corners is kept."),
    .number(
      "verticalPerspective", \.frame.verticalPerspective, \.verticalPerspective,
      Perspective.angles, unit: "degrees", .frame,
      "Make verticals parallel: by how much the camera looked up",
      interplay: """
        In degrees of a normal lens. Without crop, the largest part without empty corners is kept.
        """),
    .number(
      "horizontalPerspective", \.frame.horizontalPerspective, \.horizontalPerspective,
      Perspective.angles, unit: "degrees", .frame,
      "Make horizontals parallel: by how much the camera looked to the right",
      interplay: "See verticalPerspective."),
  ].map { $0.part(of: "frame") }
}

extension RAWFilter {
  /// The crop of the upright picture, in native pixels or in percent; nil, the default, for the
  /// largest without empty corners. A crop that exceeds the picture makes `outputImage()` throw.
  public var crop: CropArea? {
    get { settings.frame.crop }
    set { settings.frame.crop = newValue }
  }

  /// Aspect ratio, width to height, of the crop; nil, the default, for any.
  public var cropAspect: AspectRatio? {
    get { settings.frame.cropAspect }
    set { settings.frame.cropAspect = newValue }
  }

  /// Whether a crop that the rotated picture does not fill is reduced until it does; default on.
  public var isCropConstrained: Bool {
    get { settings.frame.isCropConstrained }
    set { settings.frame.isCropConstrained = newValue }
  }

  /// Clockwise rotation of the picture in degrees, −45…45; default 0.
  public var straightenAngle: Float {
    get { settings.frame.straightenAngle }
    set { set(\.frame.straightenAngle, newValue) }
  }

  /// Degrees by which the camera looked up, −40…40, which are corrected; default 0.
  public var verticalPerspective: Float {
    get { settings.frame.verticalPerspective }
    set { set(\.frame.verticalPerspective, newValue) }
  }

  /// Degrees by which the camera looked to the right, −40…40, which are corrected; default 0.
  public var horizontalPerspective: Float {
    get { settings.frame.horizontalPerspective }
    set { set(\.frame.horizontalPerspective, newValue) }
  }
}
