import Formats
import Foundation
import ImageCore
import RawFilter
import Readers
import Recipes
import Synchronization
import TestSupport
import Testing

@testable import Develop

/// Concurrent use of the library by a host program.
///
/// 100 jobs at once, within a budget of 300 MB: equal outputs, the raw itself as output, a full
/// disk, no memory, cancelled at any time. Each ends by a report or an error; files are complete or
/// unchanged, the raws are unchanged, no temporary files remain, and the budget is free again.
///
/// This is repeated in a process of its own, whose memory and open files are the same afterwards.
/// The first repetition loads everything that is loaded once.
@Suite struct LibraryStressTests {
  @Test func nothingIsLostOrLeft() async throws {
    let ended = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      PixelMemory.shareHeap()
      let raw = try SmallRaw()
      var uses: [ProcessUse] = []
      for seed in 1...4 {
        try await Self.stress(raw, seed: UInt64(seed))
        uses.append(try ProcessUse(filesIn: raw.folder))
        print(uses[seed - 1])
      }
      for use in uses.dropFirst(2) {
        #expect(use.pixelBytes == uses[1].pixelBytes, "pixels are leaked")
        #expect(use.heapBytes - uses[1].heapBytes < 1 << 20, "blocks are not given back")
        #expect(use.descriptors == uses[1].descriptors && use.mappedFiles == 0)
      }
    }
    print(String(decoding: ended?.standardOutputContent ?? [], as: UTF8.self))
  }

  private static func stress(_ raw: SmallRaw, seed: UInt64) async throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: raw.path))
    let budget = MemoryBudget(bytes: 300 << 20)
    let ended = Ends()
    await withTaskGroup(of: Void.self) { group in
      var random = SeededRandom(seed: seed)
      for index in 0..<100 {
        let format = OutputFormat.allCases.randomElement(using: &random) ?? .tiff
        let output = output(raw, index, format, &random)
        let refused =
          Int.random(in: 0..<4, using: &random) == 0
          ? Int.random(in: 0..<60, using: &random) : Int.max
        let cancels =
          Int.random(in: 0..<3, using: &random) == 0
          ? Double.random(in: 0...1, using: &random) : 2
        group.addTask {
          let code = await develop(
            raw.path, format, to: output, within: budget, refusingAllocation: refused,
            cancellingAt: cancels)
          ended.counts.withLock { $0[code, default: 0] += 1 }
        }
      }
    }
    let ends = ended.counts.withLock { $0 }
    #expect(ends.values.reduce(0, +) == 100)
    for code in ["written", "cancelled", "isInput", "outOfMemory"] {
      #expect(ends[code, default: 0] > 0, "\(ends)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: raw.path)) == before)
    #expect(budget.usedBytes == 0 && budget.peakBytes <= 300 << 20)
    for name in raw.names where name != "small.dng" {
      #expect(!name.contains("rawdev-tmp"), "\(name)")
      #expect(isComplete(raw.file(name)), "\(name)")
    }
  }

  private static func output(
    _ raw: SmallRaw, _ index: Int, _ format: OutputFormat, _ random: inout SeededRandom
  ) -> OutputDestination {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .replacing(raw.path)
    case 1: return .replacing("/dev/full")
    case 2...5: return .replacing(raw.file("equal.\(format.pathExtension)"))
    default: return .replacing(raw.file("\(index).\(format.pathExtension)"))
    }
  }

  /// How a development ended.
  private static func develop(
    _ input: String, _ format: OutputFormat, to output: OutputDestination,
    within budget: MemoryBudget, refusingAllocation refused: Int, cancellingAt limit: Double
  ) async -> String {
    var recipe = Recipe()
    recipe.output.format = format
    var developer = Developer(recipe: recipe, workers: 2)
    developer.budget = budget
    let asked = Counter()
    let code: String? = await Cancellation.ofTask { [developer] in
      let cancellation = Cancellation { _ in
        asked.value.add(1, ordering: .relaxed).oldValue == refused
      }
      return cancellation.run {
        do throws(DevelopError) {
          _ = try developer.develop(input, to: output) { progress in
            if case .rendering(let fraction) = progress, fraction >= limit { cancellation.cancel() }
          }
          return "written"
        } catch {
          return error.codeName
        }
      }
    }
    return code ?? ""
  }

  private final class Ends: Sendable {
    let counts = Mutex([String: Int]())
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  /// Whether the file can be read to its end.
  private static func isComplete(_ path: String) -> Bool {
    if path.hasSuffix(".dng") { return (try? Developer.open(path).outputImage()) != nil }
    let url = URL(fileURLWithPath: path)
    guard ["heic", "jpg", "tif", "png", "avif", "jxl"].contains(url.pathExtension) else {
      return (try? Data(contentsOf: url).count) ?? 0 > 0
    }
    guard let picture = try? StillImage(contentsOf: url).base() else { return false }
    return (try? Image(rendering: picture)) != nil
  }
}
