import ImageCore
import Synchronization
import Testing

@testable import RawSensor

@Suite struct BrightestSearchTests {
  /// Blocks in a row, each with a value and an upper bound of it.
  private static func blocks(_ values: [Float], slack: Float) -> [BrightestSearch.Block] {
    values.enumerated().map { index, value in
      BrightestSearch.Block(
        index: index, rect: PixelRect(x: index, y: 0, width: 1, height: 1),
        limit: value + slack * Float(index % 5))
    }
  }

  /// The largest of all, however good the bounds are and whichever thread comes first.
  @Test(arguments: [Float(0), 0.01, 10], [1, 4])
  func isTheLargestOfAll(slack: Float, workers: Int) throws {
    let values = (0..<500).map { Float(($0 * 7919) % 1009) / 1009 - 0.5 }
    let search = BrightestSearch(Self.blocks(values, slack: slack))
    try search.search(search.blocks.indices, workers: workers) { values[$0.x] }
    #expect(search.highest == values.max())
    for (index, found) in search.found.enumerated() {
      #expect(found == values[index] || found == .infinity)
    }
  }

  /// Blocks whose bound is not above the maximum so far are not measured, in any part.
  @Test func whatCannotHoldItIsSkipped() throws {
    let values: [Float] = [0.1, 0.9, 0.3, 0.9, 0.2]
    let search = BrightestSearch(Self.blocks(values, slack: 0))
    #expect(search.blocks.map(\.index) == [1, 3, 2, 4, 0])
    let measured = Mutex<[Int]>([])
    func measure(_ part: Range<Int>) throws {
      try search.search(part, workers: 1) { rect in
        measured.withLock { $0.append(rect.x) }
        return values[rect.x]
      }
    }
    try measure(0..<1)
    #expect(search.highest == 0.9)
    try measure(1..<5)
    #expect(measured.withLock { $0 } == [1] && search.highest == 0.9)
  }

  @Test func nothingIsZero() throws {
    let search = BrightestSearch([])
    try search.search(0..<0, workers: 2) { _ in .infinity }
    #expect(search.highest == 0 && search.found.isEmpty)
  }

  @Test func failuresPassThrough() throws {
    let search = BrightestSearch(Self.blocks([0.5], slack: 0))
    #expect(throws: PixelError.cancelled) {
      try search.search(0..<1, workers: 1) { _ throws(PixelError) in throw .cancelled }
    }
  }
}
