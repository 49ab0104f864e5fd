import Foundation
import TestSupport
import Testing

/// The targets on what the fuzzer's mutators make of its first inputs: the same bytes in every run,
/// without libFuzzer and sanitizers. A fault that has to be searched for is Scripts/fuzz's to find.
/// One input at a time: some targets write files of the same name.
@Suite(.serialized) struct MutatedInputTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  /// What `Scripts/fuzz --seeds` makes.
  private static let seeds = package.appendingPathComponent(".build/fuzz/seeds")

  /// Whole paths take milliseconds for an input, the structure of a file a tenth of one.
  private static func count(_ target: FuzzTarget) -> Int {
    let usual =
      switch target {
      case .raw, .still, .remux, .dng, .convert: 1000
      case .losslessJPEG, .vc5, .lossyJPEG, .deflate, .jpegxlTile, .opcodes, .gainTableMap: 2000
      default: 5000
      }
    return Damage.count(usual)
  }

  @Test(arguments: FuzzTarget.allCases) func mutatedInputsReturn(_ target: FuzzTarget) throws {
    let folders = [
      Self.seeds.appendingPathComponent(target.rawValue),
      Self.package.appendingPathComponent("Fixtures/hostile/\(target.rawValue)"),
    ].filter { FileManager.default.fileExists(atPath: $0.path) }
    let files = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .sorted { $0.path < $1.path }
    }
    try #require(!files.isEmpty, "no first inputs of \(target.rawValue): run Scripts/fuzz --seeds")
    for number in 0..<Self.count(target) {
      var random = Draws(seed: UInt32(truncatingIfNeeded: Damage.seed(1)) &+ UInt32(number))
      let file = files[Int.random(in: 0..<files.count, using: &random)]
      let bytes = [UInt8](try Data(contentsOf: file))
      let changed =
        number.isMultiple(of: 2)
        ? Mutator.mutated(bytes, for: target, limit: bytes.count + 4096, &random) : nil
      try target.run(changed ?? Damage.damaged(bytes, seed: random.next()))
    }
  }
}
