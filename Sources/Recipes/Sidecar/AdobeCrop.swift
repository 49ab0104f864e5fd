import Foundation

/// Camera Raw's crop as `crop` and `straightenAngle` of the development.
///
/// `PictureFrame` in RawFilter defines them.
///
/// **Camera Raw's definition.** CropLeft, CropTop and CropRight, CropBottom are two opposite
/// corners, upper left and lower right, of a box rotated by CropAngle θ about its center, clockwise
/// positive, in fractions of the picture as stored, that is before tiff:Orientation; the rotation
/// is in pixels, not in fractions. Sources:
/// - J. Ellis, "SDK: Computing the corners of a crop rectangle", Adobe community 12995794 (2022):
///   stored pixels, both corners;
/// - "What is the formula for converting crop coordinates when a photo gets angled?", Adobe's
///   Photoshop family forum: 0.4, 0.3, 0.9, 0.8 at 0° becomes 0.374965, 0.36916, 0.925035, 0.73084
///   at −10°, which is this formula for a picture of 1.5056 : 1 (in the tests).
///
/// So with the aspect ratio A = width / height as stored and d half the diagonal, upper left to
/// lower right, in heights, the box's half width and height are d rotated by −θ. Orientation then
/// moves the center, swaps the sides for quarter turns, and changes the sign of the angle where it
/// mirrors; φ = −θ for orientations that do not mirror.
///
/// Known limits: the fractions refer to the picture that Camera Raw makes of this raw, whose
/// margins may differ by a few pixels from those here for files other than DNG. The other two
/// corners of the rotated box may be outside the picture unless Camera Raw was set to prevent that.
/// A box that would leave 0…1 (a strip longer than cot(φ/2) times its width, close to a border) is
/// reduced about its center.
struct AdobeCrop: Sendable, Hashable {
  /// left, top, right, bottom in fractions of the upright picture.
  let crop: [Double]
  /// Clockwise rotation in degrees.
  let angle: Double
  /// Whether the box was reduced to stay inside.
  let isReduced: Bool

  /// Why a crop cannot be applied.
  enum Failure: Error { case outside, empty, angle, aspect }

  /// Nil for the full picture without rotation.
  init?(
    left: Double, top: Double, right: Double, bottom: Double, angle: Double,
    aspect: Double?, orientation: Int
  ) throws(Failure) {
    guard abs(angle) <= 45 else { throw .angle }
    // Tolerance for Camera Raw's own rounding.
    guard [left, top, right, bottom].allSatisfy({ (-0.001...1.001).contains($0) }) else {
      throw .outside
    }
    var half = ((right - left) / 2, (bottom - top) / 2)
    if angle != 0 {
      guard let aspect, aspect.isFinite, aspect > 0 else { throw .aspect }
      let (x, y) = (half.0 * aspect, half.1)
      let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
      half = ((x * cosine + y * sine) / aspect, y * cosine - x * sine)
    }
    guard half.0 > 0.0005, half.1 > 0.0005 else { throw .empty }
    let center = Self.upright((left + right) / 2, (top + bottom) / 2, orientation)
    if center.swapsSides { half = (half.1, half.0) }
    let room = min(
      1, min(center.x, 1 - center.x) / half.0, min(center.y, 1 - center.y) / half.1)
    isReduced = room < 1 - 0.002
    half = (half.0 * room, half.1 * room)
    func rounded(_ value: Double) -> Double { min(max((value * 1e6).rounded() / 1e6, 0), 1) }
    crop = [
      rounded(center.x - half.0), rounded(center.y - half.1),
      rounded(center.x + half.0), rounded(center.y + half.1),
    ]
    let turned = center.isMirrored ? angle : -angle
    self.angle = turned == 0 ? 0 : turned
    if crop == [0, 0, 1, 1], angle == 0 { return nil }
  }

  /// The position of a point of the stored picture in the upright one, in fractions.
  private static func upright(
    _ x: Double, _ y: Double, _ orientation: Int
  ) -> (x: Double, y: Double, swapsSides: Bool, isMirrored: Bool) {
    switch orientation {
    case 2: (1 - x, y, false, true)
    case 3: (1 - x, 1 - y, false, false)
    case 4: (x, 1 - y, false, true)
    case 5: (y, x, true, true)
    case 6: (1 - y, x, true, false)
    case 7: (1 - y, 1 - x, true, true)
    case 8: (y, 1 - x, true, false)
    default: (x, y, false, false)
    }
  }
}
