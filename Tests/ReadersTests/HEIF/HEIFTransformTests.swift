import Foundation
import ImageCore
import Testing

@testable import Readers

@Suite struct HEIFTransformTests {
  private static let coded = try? TestHEIF.Coded(PixelSize(width: 40, height: 24))

  private func codes(_ steps: [[UInt8]]) throws -> (PixelSize, [UInt16]) {
    var file = TestHEIF.plain(try #require(Self.coded))
    for step in steps { file.add(1, step) }
    let still = try StillImage(file.bytes())
    #expect(still.orientation == .up)
    return (still.size, try TestHEIF.codes(still))
  }

  private static let turn = TestHEIF.box("irot", [1])
  private static let crop = TestHEIF.crop([10, 1, 6, 1, -8, 1, 5, 1])

  /// ISO/IEC 23008-12:2022: quarter turns counter-clockwise; axis 0 exchanges top and bottom; steps
  /// act in the order of their association.
  @Test(arguments: [
    ([], Orientation.up), ([TestHEIF.box("irot", [1])], .left),
    ([TestHEIF.box("irot", [2])], .down), ([TestHEIF.box("irot", [3])], .right),
    ([TestHEIF.box("imir", [0])], .downMirrored), ([TestHEIF.box("imir", [1])], .upMirrored),
    ([turn, TestHEIF.box("imir", [0])], .leftMirrored),
    ([TestHEIF.box("imir", [0]), turn], .rightMirrored),
    ([TestHEIF.box("imir", [1]), turn], .leftMirrored), ([turn, turn], .down),
  ])
  func turns(steps: [[UInt8]], orientation: Orientation) throws {
    let (stored, plain) = try codes([])
    let (size, turned) = try codes(steps)
    #expect(size == orientation.upright(stored))
    var wanted: [UInt16] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let from = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: stored)
        let at = 3 * (from.y * stored.width + from.x)
        wanted += plain[at..<at + 3]
      }
    }
    #expect(turned == wanted)
  }

  /// 10 × 6 around the center moved by (−8, 5): columns 7..<17, rows 14..<20.
  @Test func crops() throws {
    let (stored, plain) = try codes([])
    let (size, part) = try codes([Self.crop])
    #expect(size == PixelSize(width: 10, height: 6))
    var wanted: [UInt16] = []
    for y in 14..<20 {
      let row = 3 * y * stored.width
      wanted += plain[row + 21..<row + 51]
    }
    #expect(part == wanted)
    // Cropping the upright picture is turning the crop.
    let (turnedSize, turned) = try codes([Self.turn, TestHEIF.crop([6, 1, 10, 1, 5, 1, 8, 1])])
    #expect(turnedSize == PixelSize(width: 6, height: 10))
    #expect(try codes([Self.crop, Self.turn]).1 == turned)
  }

  @Test func cropsOutsideAreRefused() throws {
    for numbers in [
      [41, 1, 6, 1, 0, 1, 0, 1], [10, 0, 6, 1, 0, 1, 0, 1], [10, 1, 6, 1, 16, 1, 0, 1],
      [0, 1, 6, 1, 0, 1, 0, 1], [1 << 31, 1, 1 << 31, 1, 0, 1, 0, 1],
      [10, 1, 6, 1, -2_147_483_648, 1, 0, 1],
    ] {
      #expect(throws: ReadError.self) { try codes([TestHEIF.crop(numbers)]) }
    }
  }
}
