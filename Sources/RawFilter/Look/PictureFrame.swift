import Foundation
import ImageCore

/// The part of the upright picture that will be kept: a box that may be turned about its center.
package struct PictureFrame: Sendable, Hashable {
  /// Left, top, right and bottom edge as fractions 0…1; nil for the largest box of the picture's
  /// aspect ratio that lies inside at `angle`.
  var crop: [Double]?
  /// Clockwise rotation of the picture under the box, in degrees.
  var angle: Double

  /// `crop` holds four edges; by default the whole picture.
  package init(crop: [Double]? = nil, angle: Double = 0) {
    self.crop = crop?.count == 4 ? crop : nil
    self.angle = angle
  }

  /// Center and half of the sides in pixels of a picture of `size`.
  func box(in size: PixelSize) -> (center: SIMD2<Double>, half: SIMD2<Double>) {
    let whole = SIMD2(Double(size.width), Double(size.height))
    if let crop {
      return (
        whole * SIMD2(crop[0] + crop[2], crop[1] + crop[3]) / 2,
        whole * SIMD2(crop[2] - crop[0], crop[3] - crop[1]) / 2
      )
    }
    let turn = angle * .pi / 180
    let ratio = max(whole.x / whole.y, whole.y / whole.x)
    return (whole / 2, whole / 2 / (abs(cos(turn)) + abs(sin(turn)) * ratio))
  }
}
