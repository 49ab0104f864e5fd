import Containers
import ImageCore

/// All transforms combined: the crop of the coded picture, and its orientation.
struct HEIFPlacement: Hashable {
  private(set) var crop: PixelRect
  private(set) var orientation = Orientation.up

  var size: PixelSize { orientation.upright(crop.size) }

  init(_ size: PixelSize, _ transforms: [HEIFProperty.Transform]) throws(FormatError) {
    crop = PixelRect(size)
    for transform in transforms {
      switch transform {
      case .turn(let quarters): turn([.up, .left, .down, .right][quarters & 3])
      case .mirror(let leftToRight): turn(leftToRight ? .upMirrored : .downMirrored)
      case .crop(let numbers): try addCrop(numbers)
      }
    }
  }

  /// The position of coded pixel (`x`, `y`) in the upright picture; may be outside.
  func target(x: Int, y: Int) -> PixelPoint {
    orientation.inverse.storedPoint(
      of: PixelPoint(x: x - crop.x, y: y - crop.y), stored: size)
  }

  private mutating func turn(_ next: Orientation) {
    // A rectangle whose corners distinguish all eight orientations.
    let stored = PixelSize(width: 2, height: 3)
    let turned = orientation.upright(stored)
    let points = [PixelPoint(x: 0, y: 0), PixelPoint(x: 1, y: 0), PixelPoint(x: 0, y: 1)]
    let wanted = points.map {
      orientation.storedPoint(of: next.storedPoint(of: $0, stored: turned), stored: stored)
    }
    orientation =
      Orientation.allCases.first { candidate in
        candidate.swapsAxes == (orientation.swapsAxes != next.swapsAxes)
          && points.map { candidate.storedPoint(of: $0, stored: stored) } == wanted
      } ?? .up
  }

  /// ISO/IEC 14496-12:2022 12.1.4: offsets are between the centers of both rectangles.
  private mutating func addCrop(_ numbers: [Int]) throws(FormatError) {
    let refusal = FormatError.contradiction("its crop (clap) lies outside the picture")
    guard numbers.count == 8, [1, 3, 5, 7].allSatisfy({ numbers[$0] > 0 }) else { throw refusal }
    func ratio(_ index: Int) -> Double { Double(numbers[index]) / Double(numbers[index + 1]) }
    func range(_ length: Double, _ offset: Double, in side: Int) throws(FormatError) -> Range<Int> {
      let length = length.rounded(.down)
      let first = (offset + (Double(side) - length) / 2).rounded(.down)
      guard length >= 1, first >= 0, first + length <= Double(side) else { throw refusal }
      return Int(first)..<Int(first + length)
    }
    let columns = try range(ratio(0), ratio(4), in: size.width)
    let rows = try range(ratio(2), ratio(6), in: size.height)
    let part = orientation.storedRect(
      of: PixelRect(
        x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count),
      stored: crop.size)
    crop = PixelRect(
      x: crop.x + part.x, y: crop.y + part.y, width: part.width, height: part.height)
  }
}
