import Foundation
public import HDRRender
public import ImageCore
public import ImageFilters

extension Recipe {
  /// What is done to the developed picture as a whole: its brightest light, its frame.
  public struct Rendering: Sendable, Hashable, Codable {
    /// The brightest light as a multiple of reference white, 1 or more; nil for all that is opened.
    public var headroomLimit: Float?
    /// Left, top, right and bottom of the part to keep, shares 0…1 of the upright picture; nil for
    /// all.
    ///
    /// With an ``angle`` the frame is drawn so and then turned about its own center against the
    /// picture; see ``frame(of:)``.
    public var crop: [Double]?
    /// Degrees by which the picture is turned clockwise, −45…45.
    public var angle: Double = 0

    /// The whole picture with all its light.
    public init() {}

    /// Reads the settings; absent keys keep their default.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      headroomLimit = try values.decodeIfPresent(Float.self, forKey: .headroomLimit)
      crop = try values.decodeIfPresent([Double].self, forKey: .crop)
      angle = try values.decodeIfPresent(Double.self, forKey: .angle) ?? angle
    }

    /// Throws for the first setting outside its range.
    public func validate() throws(RecipeError) {
      try Self.check(headroomLimit)
      guard abs(angle) <= 45 else {
        throw RecipeError(
          .badSetting, "angle is \(angle); it takes -45 to 45 degrees",
          key: RecipePath(keys: "angle"))
      }
      guard let crop else { return }
      guard crop.count == 4, crop.allSatisfy({ (0...1).contains($0) }), crop[0] < crop[2],
        crop[1] < crop[3]
      else {
        throw RecipeError(
          .badSetting, "crop is \(crop); it takes left, top, right and bottom, 0 to 1",
          key: RecipePath(keys: "crop"))
      }
    }

    /// Throws where a bound on the headroom is below reference white.
    static func check(_ headroomLimit: Float?) throws(RecipeError) {
      if let limit = headroomLimit, !(limit >= 1) || !limit.isFinite {
        throw RecipeError(
          .badSetting,
          "headroomLimit is \(limit); it takes 1 (no light above reference white) and more",
          key: RecipePath(keys: "headroomLimit"))
      }
    }

    /// The edits that frame an upright picture of `size`: none, a crop, or one turn with its crop.
    ///
    /// A place (u, v) of the result, in pixels from its center, is the place (c u + s v, −s u + c
    /// v) of the picture from the center of the crop, with c and s the cosine and sine of
    /// ``angle``. An angle without a crop keeps the largest frame of the picture's shape.
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
      // Whole pixels that do not reach beyond the frame, about its center.
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
