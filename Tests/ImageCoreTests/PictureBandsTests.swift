import Foundation
import ImageCore
import Synchronization
import Testing

@Suite struct PictureBandsTests {
  private struct Stop: Error {}

  /// Pixels that say where they are; how many rows are preferred is up to the test.
  private struct Positions: PixelSource {
    typealias State = CameraRGB
    let size: PixelSize
    var bandHeight = 256
    var info: CameraRGB.Info { CameraRGB.Info() }

    static func value(_ x: Int, _ y: Int, _ plane: Int) -> Float { Float(x + 7000 * y + plane) }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try buffer.reshape(rect.size)
      for plane in 0..<3 {
        for y in 0..<rect.height {
          buffer.withRow(plane, y) { row in
            for x in 0..<rect.width { row[x] = Self.value(rect.x + x, rect.y + y, plane) }
          }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 9], [64, 256, 512])
  func holdEachPixelOnceAndInOrder(workers: Int, bandHeight: Int) throws {
    for size in [(1, 1), (300, 1500), (3400, 700), (5000, 1300)] {
      let size = PixelSize(width: size.0, height: size.1)
      let bands = PictureBands(
        Positions(size: size, bandHeight: bandHeight), unit: 8, workers: workers)
      let next = Mutex(0)
      try bands.forEach { band, worker in
        #expect(worker < workers && band.rect.y % 8 == 0)
        #expect(band.pieces.map(\.columns.lowerBound).first == 0)
        #expect(band.pieces.map(\.columns.count).reduce(0, +) == size.width)
        let copied = try PlanarBuffer(size: band.rect.size)
        try band.copy(band.rect, into: copied)
        return Self.differences(copied, band.rect)
      } consume: { index, differences in
        #expect(differences == 0)
        next.withLock {
          #expect($0 == index)
          $0 += 1
        }
      }
      #expect(next.withLock { $0 } == bands.count)
    }
  }

  @Test(arguments: [1, 2, 7])
  func haveTheRowAbove(workers: Int) throws {
    let picture = Positions(size: PixelSize(width: 3300, height: 2100))
    try PictureBands(picture, hasRowAbove: true, workers: workers).forEach { band, _ in
      guard band.rect.y > 0 else { return 0 }
      let part = PixelRect(x: 1407, y: band.rect.y - 1, width: 400, height: 3)
      let copy = try PlanarBuffer(size: part.size)
      try band.copy(part, into: copy)
      return Self.differences(copy, part)
    } consume: { _, differences in
      #expect(differences == 0)
    }
  }

  @Test(arguments: [1, 2, 5]) func firstErrorEndsTheWork(workers: Int) {
    let picture = Positions(size: PixelSize(width: 3000, height: 4000))
    let consumed = Mutex(0)
    let bands = PictureBands(picture, workers: workers)
    #expect(throws: Stop.self) {
      try bands.forEach { band, _ in
        if band.rect == bands.rect(10) { throw Stop() }
      } consume: { _, _ in
        consumed.withLock { $0 += 1 }
      }
    }
    #expect(throws: Stop.self) {
      try PictureBands(picture, workers: workers).forEach { _, _ in
      } consume: { index, _ in
        if index == 3 { throw Stop() }
      }
    }
    #expect(consumed.withLock { $0 } <= 10)
  }

  private static func differences(_ buffer: PlanarBuffer, _ rect: PixelRect) -> Int {
    var count = 0
    for plane in 0..<3 {
      for y in 0..<rect.height {
        buffer.withRow(plane, y) { row in
          for x in 0..<rect.width where row[x] != Positions.value(rect.x + x, rect.y + y, plane) {
            count += 1
          }
        }
      }
    }
    return count
  }
}
