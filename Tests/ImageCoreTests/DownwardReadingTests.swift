import ImageCore
import Synchronization
import Testing

@Suite struct DownwardReadingTests {
  private struct Black: PixelSource {
    typealias State = CameraRGB
    let size: PixelSize
    var info: CameraRGB.Info { CameraRGB.Info() }
    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try buffer.reshape(rect.size)
    }
  }

  private static let size = PixelSize(width: 100, height: 400)

  /// What is said after each of `rects`, by column, row, width and height.
  private static func said(_ rects: [(Int, Int, Int, Int)]) throws -> [Int] {
    let rows = Mutex<[Int]>([])
    let picture = DownwardReading(Black(size: size)) { row in rows.withLock { $0.append(row) } }
    let buffer = PlanarBuffer()
    for (x, y, width, height) in rects {
      try picture.read(PixelRect(x: x, y: y, width: width, height: height), into: buffer)
    }
    return rows.withLock { $0 }
  }

  @Test func saysHowFarTheSlowestLaneIs() throws {
    #expect(try Self.said([(0, 0, 100, 64), (0, 64, 100, 64)]) == [64, 128])
    #expect(
      try Self.said([(0, 0, 60, 64), (0, 64, 60, 64), (60, 0, 40, 64), (60, 64, 40, 64)])
        == [64, 128])
  }

  @Test func saysNothingMoreWhereItIsReadOtherwise() throws {
    // Again, with a row between, in other columns, in a second section.
    #expect(try Self.said([(0, 0, 100, 64), (0, 0, 100, 64), (0, 64, 100, 64)]) == [64])
    #expect(try Self.said([(0, 0, 100, 64), (0, 65, 100, 64), (0, 129, 100, 64)]) == [64])
    #expect(try Self.said([(0, 0, 100, 64), (0, 64, 50, 64), (50, 64, 50, 64)]) == [64])
    #expect(try Self.said([(0, 0, 100, 64), (50, 200, 50, 64), (0, 64, 100, 64)]) == [64])
    #expect(try Self.said([(0, 200, 100, 64), (0, 0, 100, 64)]).isEmpty)
  }

  @Test(arguments: [1, 2]) func bandsAreReadSo(workers: Int) throws {
    let size = PixelSize(width: 4000, height: 3000)
    let passed = Mutex(0)
    let picture = DownwardReading(Black(size: size)) { row in
      passed.withLock { $0 = max($0, row) }
    }
    try PictureBands(picture, workers: workers).forEach { band, _ in
      band.rect.endY
    } consume: { _, end in
      // All lanes of a band have been made when it is consumed.
      #expect(passed.withLock { $0 } >= end)
    }
    #expect(passed.withLock { $0 } == size.height)
  }
}
