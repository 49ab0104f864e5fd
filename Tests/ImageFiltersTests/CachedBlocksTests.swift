import ImageCore
import Synchronization
import Testing

@testable import ImageFilters

@Suite struct CachedBlocksTests {
  /// A picture that counts how often each of its rows is computed.
  final class Counted: PixelSource {
    typealias State = DisplayReferred
    let size: PixelSize
    let info = DisplayReferred.Info(primaries: .bt2020, headroom: 1)
    let computed = Mutex(0)

    init(_ size: PixelSize) { self.size = size }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      computed.withLock { $0 += rect.size.area }
      try buffer.reshape(rect.size)
      for plane in 0..<3 {
        for y in 0..<rect.height {
          let row = buffer.row(plane, y)
          for x in 0..<rect.width {
            row[x] = Float((rect.x + x) * 3 + (rect.y + y) * 1000 + plane)
          }
        }
      }
    }
  }

  static func differences(_ source: Counted, _ cached: CachedBlocks<DisplayReferred>) throws -> Int
  {
    let tiles = PixelRect(source.size).tiles(width: 200, height: 90)
    return try Parallel.map(count: tiles.count, workers: 4) { index throws(PixelError) in
      let tile = tiles[index].expanded(by: 17).intersection(PixelRect(source.size))
      let (a, b) = (try PlanarBuffer(size: tile.size), try PlanarBuffer(size: tile.size))
      try source.read(tile, into: a)
      try cached.read(tile, into: b)
      return (0..<tile.height).reduce(0) { count, y in
        count
          + (0..<tile.width).filter { x in (0..<3).contains { a.row($0, y)[x] != b.row($0, y)[x] }
          }
          .count
      }
    }.reduce(0, +)
  }

  @Test(arguments: [1, 3, 100]) func pixelsEqualTheSource(limit: Int) throws {
    let source = Counted(PixelSize(width: 1300, height: 700))
    #expect(try Self.differences(source, CachedBlocks(source, limit: limit)) == 0)
  }

  @Test func cachedBlocksAreComputedOnce() throws {
    let (source, plain) = (
      Counted(PixelSize(width: 1300, height: 700)), Counted(PixelSize(width: 1300, height: 700))
    )
    #expect(try Self.differences(plain, CachedBlocks(source, limit: 100)) == 0)
    #expect(source.computed.withLock { $0 } == source.size.area)
  }
  /// A block that could not be made is made by the next who needs it, also by one that waited.
  @Test func failuresKeepNobodyWaiting() async throws {
    struct FailsOnce: PixelSource {
      typealias State = DisplayReferred
      let counted = Counted(PixelSize(width: 100, height: 90))
      var size: PixelSize { counted.size }
      var info: DisplayReferred.Info { counted.info }

      func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
        let isFirst = counted.computed.withLock { $0 == 0 }
        try counted.read(rect, into: buffer)
        if isFirst { throw .cancelled }
      }
    }
    let source = FailsOnce()
    let cached = CachedBlocks(source, limit: 1)
    let read = { @Sendable () throws(PixelError) in
      let buffer = try PlanarBuffer(size: source.size)
      try cached.read(PixelRect(source.size), into: buffer)
      return buffer.row(0, 7)[5]
    }
    async let first = Cancellation.ofTask { Result(catching: read) }
    async let second = Cancellation.ofTask { Result(catching: read) }
    let ends = await [first, second]
    #expect(ends.contains(.failure(.cancelled)) && ends.contains(.success(7015)))
    #expect(try read() == 7015)
  }
}
