import Synchronization
import Testing

@testable import ImageCore

@Suite struct RowWindowTests {
  /// Pixels that say where they are, and the rows that have been read.
  private final class Positions: PixelSource {
    typealias State = CameraRGB
    let size = PixelSize(width: 90, height: 400)
    let bandHeight = 16
    let reads = Mutex<[PixelRect]>([])
    var info: CameraRGB.Info { CameraRGB.Info() }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      reads.withLock { $0.append(rect) }
      try buffer.reshape(rect.size)
      for plane in 0..<3 {
        for y in 0..<rect.height {
          for x in 0..<rect.width {
            buffer.row(plane, y)[x] = Float(3 * (x + rect.x) + 300 * (y + rect.y) + plane)
          }
        }
      }
    }
  }

  /// Each row is read once, however high the first rectangle is.
  @Test(arguments: [1, 7, 16, 50], [0, 5, 30])
  func movesDownWithoutReadingARowAgain(step: Int, halo: Int) throws {
    let (picture, window) = (Positions(), RowWindow())
    var end = 0
    for top in stride(from: 0, to: picture.size.height, by: step) {
      let rect = PixelRect(x: 3, y: top - halo, width: 80, height: step + 2 * halo)
        .intersection(PixelRect(picture.size))
      let fresh = try window.slide(to: rect, of: picture, step: step, most: step + 2 * halo)
      #expect(fresh.y == end && fresh.endY == rect.endY)
      end = rect.endY
      for y in rect.y..<rect.endY {
        #expect(window.rows(y).green[79] == Float(3 * 82 + 300 * y + 1))
      }
    }
    let reads = picture.reads.withLock { $0 }
    #expect(reads.map(\.height).reduce(0, +) == picture.size.height)
    #expect(reads.count <= picture.size.height / step + 2)
  }

  /// On a lane it asks for as few rows as the picture prefers, but at the ends always for as many.
  @Test(arguments: [0, 5, 30]) func lanesReadFewRowsAtATime(halo: Int) throws {
    struct Windowed: PixelSource {
      typealias State = CameraRGB
      let picture: Positions
      let window = UncheckedWindow()
      let halo: Int
      var size: PixelSize { picture.size }
      var info: CameraRGB.Info { CameraRGB.Info() }
      func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
        let around = PixelRect(
          x: rect.x, y: rect.y - halo, width: rect.width, height: rect.height + 2 * halo
        ).intersection(PixelRect(size))
        try window.rows.slide(to: around, of: picture, step: 64, most: 64 + 2 * halo)
        for y in rect.y..<rect.endY {
          #expect(window.rows.rows(y).green[79] == Float(3 * 82 + 300 * y + 1))
        }
      }
    }
    let (picture, lane) = (Positions(), ReadingLane())
    let source = Windowed(picture: picture, halo: halo)
    let buffer = PlanarBuffer()
    for top in stride(from: 0, to: picture.size.height, by: 64) {
      let height = min(64, picture.size.height - top)
      try lane.read(PixelRect(x: 3, y: top, width: 80, height: height), of: source, into: buffer)
    }
    let heights = picture.reads.withLock { $0 }.map(\.height)
    #expect(heights.reduce(0, +) == picture.size.height && heights.max() == 16)
    #expect(heights.count <= picture.size.height / 16 + 2)
  }

  private final class UncheckedWindow: @unchecked Sendable {
    let rows = RowWindow()
  }

  @Test func beginsAnewElsewhere() throws {
    let (picture, window) = (Positions(), RowWindow())
    for rect in [(3, 40, 30), (3, 20, 30), (4, 20, 30), (4, 90, 30), (4, 100, 90), (4, 100, 20)] {
      let rect = PixelRect(x: rect.0, y: rect.1, width: 60, height: rect.2)
      let reaches = window.reaches(rect)
      #expect(!reaches)
      try window.slide(to: rect, of: picture, step: 10, most: 30)
      #expect(
        window.rows(rect.endY - 1).blue[1] == Float(3 * (rect.x + 1) + 300 * (rect.endY - 1) + 2))
    }
  }

  @Test func planesSlideLikewise() throws {
    let plane = TilePlane()
    for top in stride(from: -8, to: 200, by: 12) {
      let rect = PixelRect(x: -4, y: top, width: 40, height: 30)
      let fresh = try plane.slide(to: rect, most: 30)
      #expect(top == -8 ? fresh == rect : fresh.height == 12)
      for y in fresh.y..<fresh.endY { for x in 0..<40 { plane.row(y)[x] = Float(100 * y + x) } }
      for y in rect.y..<rect.endY { #expect(plane.row(y)[39] == Float(100 * y + 39)) }
    }
    plane.clear()
    #expect(!plane.reaches(PixelRect(x: -4, y: 190, width: 40, height: 30)))
  }

  /// Rows that go on move to the beginning and lie in order, in memory that grows where it must.
  @Test(arguments: [[12, 12, 30, 1], [1, 40, 3]])
  func planesScrollInOrder(heights: [Int]) throws {
    let plane = TilePlane()
    var rect = PixelRect(x: -4, y: -8, width: 40, height: 30)
    for step in 0..<12 {
      let fresh = try plane.scroll(to: rect, continues: step > 0)
      #expect(step == 0 ? fresh == rect : fresh.height == heights[(step - 1) % heights.count])
      for y in fresh.y..<fresh.endY { for x in 0..<40 { plane.row(y)[x] = Float(100 * y + x) } }
      for y in rect.y..<rect.endY {
        #expect(plane.row(y)[39] == Float(100 * y + 39))
        #expect(plane.row(rect.y)[(y - rect.y) * plane.stride] == Float(100 * y))
      }
      let end = rect.endY
      rect = rect.below(end - 5)
      rect.height = 5 + heights[step % heights.count]
    }
  }
}
