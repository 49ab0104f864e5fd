import Foundation
public import HDRRender
public import ImageCore
public import ImageFilters

extension Recipe {
  /// What is done to the developed picture as a whole: its headroom, its frame.
  public struct Rendering: Sendable, Hashable, Codable {
    /// Maximum luminance as a multiple of reference white, 1 or more; nil for no limit.
    public var headroomLimit: Float?
    /// Left, top, right and bottom edge of the part to keep, as fractions 0…1 of the upright
    /// picture; nil for all of it.
    ///
    /// With an ``angle`` this frame is then rotated about its own center; see ``frame(of:)``.
    public var crop: [Double]?
    /// Clockwise rotation of the picture in degrees, −45…45.
    public var angle: Double = 0

    /// The whole picture at all its headroom.
    public init() {}

    /// Reads the settings; absent keys keep their default.
    public init(from decoder: any Decoder) throws { try self.init(settingsFrom: decoder) }

    /// Writes the settings; those that are nil are left out.
    public func encode(to encoder: any Encoder) throws { try encodeSettings(to: encoder) }

    /// Throws for the first setting that cannot have its value; the error's key is its name.
    public func validate() throws(RecipeError) { try validateSettings() }

    /// The edits that frame an upright picture of `size`: none, a crop, or a rotation with its
    /// crop.
    ///
    /// The point (u, v) of the result, in pixels from its center, shows the point (c u + s v, −s u
    /// + c v) of the picture, from the center of the crop, where c and s are cosine and sine of
    /// ``angle``. An angle without a crop keeps the largest frame of the picture's aspect ratio.
    public func frame(of size: PixelSize) throws(OperatorError) -> [any ImageFilter] {
      guard let crop else {
        return angle == 0 ? [] : [try AffineFilter(straightenedBy: angle)]
      }
      let (width, height) = (Double(size.width), Double(size.height))
      let rect = PixelRect(
        x: Int((crop[0] * width).rounded()), y: Int((crop[1] * height).rounded()),
        width: max(1, Int(((crop[2] - crop[0]) * width).rounded())),
        height: max(1, Int(((crop[3] - crop[1]) * height).rounded())))
      if angle == 0 {
        let kept = rect.intersection(PixelRect(size))
        return kept == PixelRect(size) ? [] : [try CropFilter(kept)]
      }
      let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
      // The whole pixels within the frame.
      let inside = PixelSize(
        width: max(1, Int((crop[2] - crop[0]) * width + 1e-6)),
        height: max(1, Int((crop[3] - crop[1]) * height + 1e-6)))
      let (u, v) = (Double(inside.width) / 2, Double(inside.height) / 2)
      return [
        try AffineFilter(
          size: inside,
          toSource: [
            c, s, (crop[0] + crop[2]) / 2 * width - c * u - s * v,
            -s, c, (crop[1] + crop[3]) / 2 * height + s * u - c * v,
          ])
      ]
    }
  }
}

extension Recipe.Rendering: RecipeSection {
  package static let settings: [RecipeSetting<Self>] = [
    RecipeSetting(
      "headroomLimit", ifSet: \.headroomLimit, from: 1, unit: "times reference white",
      standard: "no limit", "Maximum luminance of the picture",
      "1 is standard dynamic range. The lower of this and an output's own holds.",
      refusal: { limit, _ in refusal(headroomLimit: limit) }),
    RecipeSetting(
      "crop", ifSet: \.crop, 0...1, count: 4, standard: "the whole picture",
      "Left, top, right and bottom edge of the part to keep, as fractions of the upright picture",
      "With an angle, fractions of the unrotated picture along axes that rotate with the frame.",
      refusal: { crop, _ in
        guard crop.count == 4, crop.allSatisfy({ (0...1).contains($0) }), crop[0] < crop[2],
          crop[1] < crop[3]
        else { return "crop is \(crop); it takes left, top, right and bottom, 0 to 1" }
        return nil
      }),
    RecipeSetting(
      "angle", \.angle, in: -45...45, unit: "degrees", "Clockwise rotation about the center",
      "Without a crop the largest frame of the picture's aspect ratio is kept."),
  ]

  /// Why the headroom cannot have this limit.
  static func refusal(headroomLimit limit: Float) -> String? {
    guard !(limit >= 1) || !limit.isFinite else { return nil }
    return "headroomLimit is \(limit); it takes 1 (no light above reference white) and more"
  }
}
