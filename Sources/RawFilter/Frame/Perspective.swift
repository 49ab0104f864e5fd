import Foundation
import ImageFilters

/// The view of a camera that is turned back, so that lines which converge become parallel.
///
/// Source: a plane seen by a camera that turns about its own center is mapped by the homography
/// K R K⁻¹ (Hartley and Zisserman, "Multiple View Geometry", 2nd ed., 8.4.2). K is that of a normal
/// lens, whose focal length is the picture's diagonal f, whatever lens was used: so an angle means
/// the same in every file, and is that of the camera where the lens is a normal one. R turns by
/// `vertical` about the horizontal axis and by `horizontal` about the vertical one. The center of
/// the picture stays where it is, and keeps its area. Units: degrees; positions in pixels from the
/// center of the upright picture, y down. Known limit: the scale of both axes is that of a normal
/// lens, too: a wide one leaves squares a little tall or wide, which cropping cannot mend.
struct Perspective: Sendable, Hashable {
  /// Positive: the camera looked up, and verticals converge towards the top.
  let vertical: Double
  /// Positive: the camera looked right, and horizontals converge towards the right.
  let horizontal: Double

  /// Degrees that are taken: with both at the end, no part of a picture is behind the camera.
  static let angles: ClosedRange<Float> = -40...40

  var isNeutral: Bool { vertical == 0 && horizontal == 0 }

  /// From positions of the corrected picture to those of the picture, both from the center, on a
  /// picture of these sides.
  func map(width: Double, height: Double) -> ProjectiveMap {
    guard !isNeutral else { return .identity }
    let f = (width * width + height * height).squareRoot()
    let (up, right) = (vertical * .pi / 180, horizontal * .pi / 180)
    let (cu, su, cr, sr) = (cos(up), sin(up), cos(right), sin(right))
    // From directions of the level camera, whose axes are right, down, ahead, to its own.
    let turn = ProjectiveMap([cr, 0, -sr], [0, 1, 0], [sr, 0, cr])
    let tilt = ProjectiveMap([1, 0, 0], [0, cu, su], [0, -su, cu])
    let view = tilt.after(turn)
    let lens = ProjectiveMap([f, 0, 0], [0, f, 0])
    // The direction that the camera looked at: the last row of its rotation, as it was turned.
    let ahead = view.scale
    let area = pow(ahead.z, 1.5)
    let plane = ProjectiveMap(
      [1 / (f * area), 0, ahead.x / ahead.z], [0, 1 / (f * area), ahead.y / ahead.z])
    return lens.after(view).after(plane)
  }
}
