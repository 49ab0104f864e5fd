import Foundation
import Testing

@testable import Recipes

struct AdobeCropTests {
  /// The values that Lightroom wrote for one box, level and rotated, from Adobe's forum.
  @Test func aTurnedBoxIsWhatItWasBefore() throws {
    let crop = try #require(
      try AdobeCrop(
        left: 0.374965, top: 0.36916, right: 0.925035, bottom: 0.73084, angle: -10,
        aspect: 1.5056, orientation: 1))
    for (value, wanted) in zip(crop.crop, [0.4, 0.3, 0.9, 0.8]) {
      #expect(abs(value - wanted) < 2e-5)
    }
    #expect(crop.angle == 10)
    #expect(!crop.isReduced)
  }

  @Test(arguments: 1...8) func aLevelCropIsTurnedWithThePicture(orientation: Int) throws {
    let crop = try #require(
      try AdobeCrop(
        left: 0.1, top: 0.2, right: 0.5, bottom: 0.9, angle: 0, aspect: nil,
        orientation: orientation))
    let wanted: [[Double]] = [
      [0.1, 0.2, 0.5, 0.9], [0.5, 0.2, 0.9, 0.9], [0.5, 0.1, 0.9, 0.8], [0.1, 0.1, 0.5, 0.8],
      [0.2, 0.1, 0.9, 0.5], [0.1, 0.1, 0.8, 0.5], [0.1, 0.5, 0.8, 0.9], [0.2, 0.5, 0.9, 0.9],
    ]
    #expect(crop.crop == wanted[orientation - 1])
    #expect(crop.angle == 0)
  }

  /// The corners of the output, mapped back by the formula of `crop` and orientation, are
  /// the two corners in the sidecar.
  @Test(arguments: 1...8, [-20.0, -3.5, 1, 12]) func theOutputsCornersAreTheSidecars(
    orientation: Int, angle: Double
  ) throws {
    let (width, height) = (6000.0, 4000.0)
    // A box of 2400 x 1800 pixels around (3300, 1900), rotated clockwise.
    let turn = angle * .pi / 180
    let corner = (
      1200 * cos(turn) - 900 * sin(turn), 1200 * sin(turn) + 900 * cos(turn)
    )
    let (first, second) = (
      (3300 - corner.0, 1900 - corner.1), (3300 + corner.0, 1900 + corner.1)
    )
    let crop = try #require(
      try AdobeCrop(
        left: first.0 / width, top: first.1 / height, right: second.0 / width,
        bottom: second.1 / height, angle: angle, aspect: width / height, orientation: orientation))
    let swaps = orientation > 4
    let (w, h) = swaps ? (height, width) : (width, height)
    let box = crop.crop
    let size = ((box[2] - box[0]) * w, (box[3] - box[1]) * h)
    #expect(abs(size.0 - (swaps ? 1800 : 2400)) < 0.05)
    #expect(abs(size.1 - (swaps ? 2400 : 1800)) < 0.05)
    let (cosine, sine) = (cos(crop.angle * .pi / 180), sin(crop.angle * .pi / 180))
    var stored: [(Double, Double)] = []
    for (i, j) in [(0.0, 0.0), (size.0, 0), (0, size.1), (size.0, size.1)] {
      let (u, v) = (i - size.0 / 2, j - size.1 / 2)
      let x = (box[0] + box[2]) / 2 * w + cosine * u + sine * v
      let y = (box[1] + box[3]) / 2 * h - sine * u + cosine * v
      switch orientation {
      case 2: stored.append((width - x, y))
      case 3: stored.append((width - x, height - y))
      case 4: stored.append((x, height - y))
      case 5: stored.append((y, x))
      case 6: stored.append((y, height - x))
      case 7: stored.append((width - y, height - x))
      case 8: stored.append((width - y, x))
      default: stored.append((x, y))
      }
    }
    for wanted in [first, second] {
      #expect(stored.contains { hypot($0.0 - wanted.0, $0.1 - wanted.1) < 0.05 })
    }
    if orientation == 1 { #expect(hypot(stored[0].0 - first.0, stored[0].1 - first.1) < 0.05) }
  }

  @Test func theFullPictureIsNoCrop() throws {
    let crop = try AdobeCrop(
      left: 0, top: 0, right: 1, bottom: 1, angle: 0, aspect: nil, orientation: 6)
    #expect(crop == nil)
  }

  @Test func aLongStripAtTheBorderIsReducedToStayInside() throws {
    // 5900 x 200 pixels, rotated by 20°: level it would extend beyond the picture.
    let turn = 20 * Double.pi / 180
    let (x, y) = (2950 * cos(turn) - 100 * sin(turn), 2950 * sin(turn) + 100 * cos(turn))
    let crop = try #require(
      try AdobeCrop(
        left: (2800 - x) / 6000, top: (2000 - y) / 4000, right: (2800 + x) / 6000,
        bottom: (2000 + y) / 4000, angle: 20, aspect: 1.5, orientation: 1))
    #expect(crop.isReduced)
    #expect(crop.crop.allSatisfy { (0...1).contains($0) })
    #expect(abs(crop.crop[0] + crop.crop[2] - 2 * 2800 / 6000) < 1e-5)
  }

  @Test func whatIsNoCropIsRefused() {
    let cases: [(Double, Double, Double, Double, Double, Double?, AdobeCrop.Failure)] = [
      (0.5, 0, 0.5, 1, 0, nil, .empty), (0.9, 0, 0.1, 1, 0, nil, .empty),
      (-0.2, 0, 1, 1, 0, nil, .outside), (0, 0, 1e300, 1, 0, nil, .outside),
      (.nan, 0, 1, 1, 0, nil, .outside), (0.2, 0.2, 0.8, 0.8, 46, 1.5, .angle),
      (0.2, 0.2, 0.8, 0.8, .nan, 1.5, .angle), (0.2, 0.2, 0.8, 0.8, 3, nil, .aspect),
      (0.2, 0.2, 0.8, 0.8, 3, 0, .aspect), (0.2, 0.2, 0.8, 0.3, 40, 1.5, .empty),
    ]
    for (left, top, right, bottom, angle, aspect, failure) in cases {
      #expect(throws: failure) {
        try AdobeCrop(
          left: left, top: top, right: right, bottom: bottom, angle: angle, aspect: aspect,
          orientation: 1)
      }
    }
  }
}
