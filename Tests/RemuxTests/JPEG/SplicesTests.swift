import Testing

@testable import Containers
@testable import Remux

@Suite struct SplicesTests {
  private func text(_ splices: Splices, _ source: String) throws -> String {
    String(decoding: splices.bytes(of: try FileBytes(Array(source.utf8))), as: UTF8.self)
  }

  /// In any order, with several insertions at one offset in the order of arrival.
  @Test func editsApplyInAnyOrder() throws {
    var splices = Splices()
    splices.replace(6..<8, with: Array("GHI".utf8))
    splices.replace(3..<3, with: Array("1".utf8))
    splices.replace(0..<2, with: [])
    splices.replace(3..<3, with: Array("23".utf8))
    #expect(splices.areApart && !splices.isEmpty)
    #expect(try text(splices, "abcdefghij") == "c123defGHIij")
    // After insertions, and at the last of them.
    #expect(splices.offset(3) == 4 && splices.offset(of: 3..<3) == 2)
    #expect(splices.offset(2) == 0 && splices.offset(6) == 7 && splices.offset(8) == 10)
    #expect(splices.offset(of: 6..<8) == 7 && splices.offset(of: 9..<9) == 11)
    splices.replace(7..<9, with: [])
    #expect(!splices.areApart)
  }

  /// A replacement of a range follows earlier insertions there, and precedes later ones.
  @Test func insertionsAtAReplacedRange() throws {
    var splices = Splices()
    splices.replace(2..<2, with: Array("1".utf8))
    splices.replace(2..<4, with: Array("CD".utf8))
    #expect(splices.offset(of: 2..<4) == 3)
    #expect(try text(splices, "abcdef") == "ab1CDef")
  }

  /// One for each segment of a file, from the last to the first.
  @Test func manyEditsAreMade() throws {
    let count = 200_000
    var splices = Splices()
    for index in (0..<count).reversed() {
      splices.replace(2 * index..<2 * index + 1, with: [1, 2])
    }
    #expect(splices.areApart)
    let out = splices.bytes(of: try FileBytes([UInt8](repeating: 0, count: 2 * count)))
    #expect(out.count == 3 * count && out.prefix(6) == [1, 2, 0, 1, 2, 0])
    #expect(splices.offset(2 * count) == 3 * count)
  }
}
