import Foundation
import Testing

/// The targets as a fuzzer runs them, on inputs that lead a careless parser astray, found by
/// fuzzing or made by hand. One at a time: some write files of the same name.
@Suite(.serialized) struct FuzzTargetTests {
  private static let hostile = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/hostile")

  /// Each file below the folder of its target's name.
  @Test(arguments: FuzzTarget.allCases) func knownInputsReturn(_ target: FuzzTarget) throws {
    try target.run([])
    let folder = Self.hostile.appendingPathComponent(target.rawValue)
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try target.run([UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  /// No file is left out because its folder has another name.
  @Test func everyFolderIsATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.hostile.path)
    for folder in folders {
      #expect(FuzzTarget(rawValue: folder) != nil, "\(folder)")
    }
  }
}
