import ImageCore
import Testing

@Suite struct OrientationTests {
  static let stored = PixelSize(width: 5, height: 3)

  @Test(arguments: Orientation.allCases) func showsEachStoredPixelOnce(orientation: Orientation) {
    let upright = orientation.upright(Self.stored)
    var seen: Set<PixelPoint> = []
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let p = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: Self.stored)
        #expect((0..<5).contains(p.x) && (0..<3).contains(p.y))
        seen.insert(p)
      }
    }
    #expect(seen.count == Self.stored.area)
  }

  @Test(arguments: Orientation.allCases) func theInverseLeadsBack(orientation: Orientation) {
    let upright = orientation.upright(Self.stored)
    #expect(orientation.inverse.upright(upright) == Self.stored)
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let point = PixelPoint(x: x, y: y)
        let p = orientation.storedPoint(of: point, stored: Self.stored)
        #expect(orientation.inverse.storedPoint(of: p, stored: upright) == point)
      }
    }
  }

  /// Exif 2.32: which side of the upright picture the stored first row and first column lie on.
  @Test func followsTheExifDefinition() {
    let corners: [(Orientation, PixelPoint)] = [
      (.up, .init(x: 0, y: 0)), (.upMirrored, .init(x: 4, y: 0)), (.down, .init(x: 4, y: 2)),
      (.downMirrored, .init(x: 0, y: 2)), (.leftMirrored, .init(x: 0, y: 0)),
      (.right, .init(x: 0, y: 2)), (.rightMirrored, .init(x: 4, y: 2)), (.left, .init(x: 4, y: 0)),
    ]
    for (orientation, topLeft) in corners {
      #expect(
        orientation.storedPoint(of: PixelPoint(x: 0, y: 0), stored: Self.stored) == topLeft)
    }
    // 6: the stored first column is the upright top row, read from below.
    let next = Orientation.right.storedPoint(of: PixelPoint(x: 1, y: 0), stored: Self.stored)
    #expect(next == PixelPoint(x: 0, y: 1))
  }

  @Test(arguments: Orientation.allCases) func rectanglesFollowTheirPixels(orientation: Orientation)
  {
    let upright = orientation.upright(Self.stored)
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let rect = PixelRect(x: x, y: y, width: upright.width - x, height: upright.height - y)
        let stored = orientation.storedRect(of: rect, stored: Self.stored)
        #expect(stored.size.area == rect.size.area)
        for point in [
          PixelPoint(x: rect.x, y: rect.y), PixelPoint(x: rect.endX - 1, y: rect.endY - 1),
        ] {
          let p = orientation.storedPoint(of: point, stored: Self.stored)
          #expect(stored.contains(PixelRect(x: p.x, y: p.y, width: 1, height: 1)))
        }
      }
    }
  }
}
