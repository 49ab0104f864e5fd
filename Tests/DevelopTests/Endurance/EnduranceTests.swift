import Foundation
import ImageCore
import TestSupport
import Testing

/// Requirements of a service that develops all day: neither memory nor open files grow with the
/// number of pictures.
///
/// `RAWDEV_DEVELOPMENTS=10000` makes as many developments; usual are some hundreds. They have a
/// process of their own, whose memory is theirs alone, and are made in rounds, ``EnduranceRound``.
/// Between two rounds nothing is at work, and there the process is measured, ``ProcessUse``. What
/// has been loaded once, and heaps that have found their size, belong to the first tenth; of the
/// rest the second half is compared with the first. Resident memory of a round is off by 6 %, as
/// blocks of threads lie in other pages each time, so it is judged where there are many.
@Suite struct EnduranceTests {
  /// The maximum growth of memory, as a fraction of resident memory.
  private static let maxGrowth = 0.01
  /// Rounds from which on resident memory is judged.
  private static let many = 100

  private static let developments =
    ProcessInfo.processInfo.environment["RAWDEV_DEVELOPMENTS"].flatMap { Int($0) }
    ?? max(115, Damage.count(460))

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
    let settled = uses.dropFirst(uses.count / 10)
    let resident = Growth(settled.map(\.residentBytes))
    let heap = Growth(settled.map(\.heapBytes))
    let most = maxGrowth * resident.before
    for (name, growth) in [("resident", resident), ("heap", heap)] {
      print("\(name) bytes after the first tenth: \(growth)")
    }
    #expect(heap.bytes <= most, "blocks are not given back: \(heap)")
    if uses.count >= many {
      #expect(resident.bytes <= most + 3 * resident.error, "resident memory grows: \(resident)")
    }
    print(
      "\(round.developed) developments, \(round.converted) conversions, \(round.refused) damaged",
      "raws, \(uses.count) rounds")
    #expect(Set(settled.map(\.descriptors)).count == 1, "open files differ")
    #expect(uses.allSatisfy { $0.mappedFiles == 0 }, "inputs or outputs are still mapped")
    #expect(Set(settled.map(\.pixelBytes)).count == 1, "pixels are leaked")
    for (index, use) in uses.enumerated() { print(index, use) }
  }
}

/// How the second half of a row of numbers differs from the first.
private struct Growth: CustomStringConvertible {
  /// The means of both halves.
  let before: Double, after: Double
  /// The standard error of their difference.
  let error: Double
  var bytes: Double { after - before }

  init(_ values: [Int]) {
    let half = values.count / 2
    func statistics(_ part: ArraySlice<Int>) -> (mean: Double, variance: Double) {
      let count = Double(part.count)
      let mean = part.reduce(0) { $0 + Double($1) } / count
      let squares = part.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      return (mean, squares / (count - 1) / count)
    }
    let (first, second) = (statistics(values[..<half]), statistics(values[half...]))
    (before, after) = (first.mean, second.mean)
    error = (first.variance + second.variance).squareRoot()
  }

  var description: String {
    "from \(Int(before)) to \(Int(after)), by \(Int(bytes)) ± \(Int(error))"
  }
}
