import Foundation
import ImageCore
import Testing

/// What a service that develops all day depends on: neither memory nor open files grow with the
/// number of pictures.
///
/// `RAWDEV_DEVELOPMENTS=10000` makes as many developments; usual are some hundreds. They have a
/// process of their own, whose memory is theirs alone, and are made in rounds, ``EnduranceRound``.
/// Between two rounds nothing is at work, and there the process is measured, ``ProcessUse``. What
/// has been loaded once, and heaps that have found their size, belong to the first tenth.
@Suite struct EnduranceTests {
  /// The largest growth of memory, as a part of what it is after the first tenth.
  private static let mostGrowth = 0.01

  private static let developments =
    ProcessInfo.processInfo.environment["RAWDEV_DEVELOPMENTS"].flatMap { Int($0) } ?? 460

  @Test func memoryAndOpenFilesStayTheSame() async throws {
    let ended = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      try await Self.develop()
    }
    print(String(decoding: ended?.standardOutputContent ?? [], as: UTF8.self))
  }

  private static func develop() async throws {
    PixelMemory.shareHeap()
    var round = try EnduranceRound()
    var uses: [ProcessUse] = []
    while round.developed < developments {
      try await round.run()
      uses.append(try ProcessUse(filesIn: round.folder))
    }
    try #require(uses.count >= 20, "a tenth is not two rounds")
    let tenth = uses.count / 10
    let (early, late) = (uses[tenth..<2 * tenth], uses.suffix(tenth))
    let numbers = [
      ("resident bytes", \ProcessUse.residentBytes), ("heap bytes", \ProcessUse.heapBytes),
    ]
    for (name, number) in numbers {
      let before = mean(early.map { $0[keyPath: number] })
      let after = mean(late.map { $0[keyPath: number] })
      print("\(name): \(before) after the first tenth, \(after) in the last")
      #expect(after <= before * (1 + mostGrowth), "\(name) grew from \(before) to \(after)")
    }
    print(
      "\(round.developed) developments, \(round.converted) conversions, \(round.refused) damaged",
      "raws, \(uses.count) rounds")
    #expect(Set(uses.dropFirst(tenth).map(\.descriptors)).count == 1, "open files differ")
    #expect(uses.allSatisfy { $0.mappedFiles == 0 }, "inputs or outputs are still mapped")
    #expect(Set(uses.dropFirst(tenth).map(\.pixelBytes)).count == 1, "pixels are kept")
    for (index, use) in uses.enumerated() { print(index, use) }
  }

  private static func mean(_ values: [Int]) -> Double {
    Double(values.reduce(0, +)) / Double(values.count)
  }
}
