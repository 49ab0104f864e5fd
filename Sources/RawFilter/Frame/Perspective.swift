import Foundation
import ImageFilters

/// Perspective correction: rotates the camera's view so that converging lines become parallel.
///
/// Source: rotating a camera about its center maps pictures by the homography K R K⁻¹ (Hartley and
/// Zisserman, "Multiple View Geometry", 2nd ed., 8.4.2). K is the matrix of a normal lens, whose
/// focal length is the picture's diagonal f, for every lens: so an angle has the same effect on
/// every file, and is the camera's angle for a normal lens. R rotates by `vertical` about the
/// horizontal axis and by `horizontal` about the vertical one. The position and scale of the
/// picture's center are preserved. Units: degrees; positions in pixels from the center of the
/// upright picture, y down. Known limit: the scale of both axes is also for a normal lens: with a
/// wide one squares become slightly tall or wide.
struct Perspective: Sendable, Hashable {
  /// Positive: the camera looked up, and verticals converge towards the top.
  let vertical: Double
  /// Positive: the camera looked right, and horizontals converge towards the right.
  let horizontal: Double

  /// Range in degrees: with both at the limit, no part of a picture is behind the camera.
  static let angles: ClosedRange<Float> = -40...40

  var isNeutral: Bool { vertical == 0 && horizontal == 0 }

  /// Maps positions of the corrected picture to positions of the picture, both from the center, for
  /// a picture with these sides.
  func map(width: Double, height: Double) -> ProjectiveMap {
    guard !isNeutral else { return .identity }
    let f = (width * width + height * height).squareRoot()
    let (up, right) = (vertical * .pi / 180, horizontal * .pi / 180)
    let (cu, su, cr, sr) = (cos(up), sin(up), cos(right), sin(right))
    // From directions of the level camera, with axes right, down and ahead, to the camera's own.
    let turn = ProjectiveMap([cr, 0, -sr], [0, 1, 0], [sr, 0, cr])
    let tilt = ProjectiveMap([1, 0, 0], [0, cu, su], [0, -su, cu])
    let view = tilt.after(turn)
    let lens = ProjectiveMap([f, 0, 0], [0, f, 0])
    // The direction of the optical axis: the last row of the rotation.
    let ahead = view.scale
    let area = pow(ahead.z, 1.5)
    let plane = ProjectiveMap(
      [1 / (f * area), 0, ahead.x / ahead.z], [0, 1 / (f * area), ahead.y / ahead.z])
    return lens.after(view).after(plane)
  }
}
