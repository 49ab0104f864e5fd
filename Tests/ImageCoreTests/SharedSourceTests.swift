import ImageCore
import Synchronization
import Testing

@Suite struct SharedSourceTests {
  /// Pixels that say where they are, and which rectangles were made.
  private struct Positions: PixelSource {
    typealias State = CameraRGB
    let size = PixelSize(width: 90, height: 70)
    var info: CameraRGB.Info { CameraRGB.Info() }
    let made = Made()

    final class Made: Sendable {
      let rects = Mutex<[PixelRect]>([])
    }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      made.rects.withLock { $0.append(rect) }
      try buffer.reshape(rect.size)
      for plane in 0..<3 {
        for y in 0..<rect.height {
          for x in 0..<rect.width {
            buffer.row(plane, y)[x] = Float((rect.x + x) + 100 * (rect.y + y) + 10_000 * plane)
          }
        }
      }
    }
  }

  private static func isRight(_ buffer: PlanarBuffer, _ rect: PixelRect) throws -> Bool {
    let wanted = try PlanarBuffer(size: rect.size)
    try Positions().read(rect, into: wanted)
    return buffer.size == rect.size
      && (0..<3).allSatisfy { plane in
        (0..<rect.height).allSatisfy { y in
          (0..<rect.width).allSatisfy { wanted.row(plane, y)[$0] == buffer.row(plane, y)[$0] }
        }
      }
  }

  private let rects = [
    PixelRect(x: 0, y: 0, width: 40, height: 20), PixelRect(x: 40, y: 0, width: 50, height: 20),
    PixelRect(x: 0, y: 19, width: 40, height: 21), PixelRect(x: 3, y: 50, width: 1, height: 1),
  ]

  @Test(arguments: [1, 2, 4]) func madeOnceForTwoReaders(atOnce: Int) throws {
    let positions = Positions()
    let (shared, lane) = (SharedSource(positions), ReadingLane())
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for first in stride(from: 0, to: rects.count, by: atOnce) {
      for _ in 0..<2 {
        for rect in rects[first..<min(first + atOnce, rects.count)] {
          try lane.read(rect, of: shared, into: buffer)
          #expect(try Self.isRight(buffer, rect))
        }
      }
    }
    #expect(positions.made.rects.withLock { $0 } == rects)
  }

  @Test func rowsOfAnotherBufferAreFilledInPlace() throws {
    let shared = SharedSource(Positions())
    let rect = PixelRect(x: 5, y: 6, width: 20, height: 4)
    let owner = try PlanarBuffer(size: PixelSize(width: 20, height: 9))
    let rows = PlanarBuffer(rows: 3..<7, of: owner)
    for _ in 0..<3 {
      try shared.read(rect, into: rows)
      #expect(try Self.isRight(rows, rect))
      #expect(owner.row(2, 3)[0] == rows.row(2, 0)[0])
    }
  }

  @Test func anyOrderGivesTheSamePixelsWithinTheLimit() throws {
    let positions = Positions()
    let (shared, lane) = (SharedSource(positions), ReadingLane())
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    let order = [0, 1, 1, 3, 0, 2, 3, 2, 0]
    for index in order {
      try lane.read(rects[index], of: shared, into: buffer)
      #expect(try Self.isRight(buffer, rects[index]))
    }
    // Odd readings of a rectangle make it.
    #expect(positions.made.rects.withLock { $0 } == [0, 1, 3, 2, 0].map { rects[$0] })
  }
}
