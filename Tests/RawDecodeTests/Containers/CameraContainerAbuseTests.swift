import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode

/// Truncated and damaged camera raws: a picture or one error, no crash, no memory beyond the
/// limits. Each sample has its own process, since LibRaw may crash; the current variant is saved in
/// `rawdev-container-NUMBER.txt` of the temporary folder, for that case.
@Suite struct CameraContainerAbuseTests {
  private static let limits = DecodeLimits(
    maxFileBytes: 8 << 20, maxPixels: 1 << 20, maxDecodeBytes: 16 << 20)

  @Test(arguments: CameraSample.all.indices) func damageIsOneError(_ index: Int) async {
    await #expect(processExitsWith: .success) { [index = index as Int] in
      try Self.check(CameraSample.all[index], index)
    }
  }

  private static func check(_ sample: CameraSample, _ index: Int) throws {
    let bytes = try sample.busy().written().bytes
    let note = URL(filePath: NSTemporaryDirectory()).appending(
      path: "rawdev-container-\(index).txt")
    var refused = 0
    // Fewer may leave a container unchanged.
    for round in 0..<max(30, Damage.count(60)) {
      let seed = Damage.seed(index * 1000) + UInt64(round)
      try? Data("\(sample) \(seed)\n".utf8).write(to: note)
      let damaged =
        round % 2 == 0
        ? Damage.damaged(bytes, seed: seed)
        : Damage.damaged(bytes, tables: 0..<2048, anywhere: 5, seed: seed)
      do {
        let file = try RawFile.open(bytes: damaged, limits: limits)
        _ = file.preview()
        _ = try file.decode()
      } catch {
        #expect(!error.message.isEmpty && !error.message.contains("\n"))
        refused += 1
      }
    }
    #expect(refused > 0)
    try? FileManager.default.removeItem(at: note)
  }

  /// The samples are at the end of most containers.
  @Test(arguments: CameraSample.all) func cutFilesAreRefused(_ sample: CameraSample) throws {
    let bytes = try sample.busy().written().bytes
    for part in 1..<8 {
      #expect(throws: RAWError.self, "\(part)/8") {
        try RawFile.open(bytes: Array(bytes.prefix(bytes.count * part / 8))).decode()
      }
    }
  }
}
