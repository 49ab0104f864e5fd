import Foundation
import TestSupport
import Testing

@testable import Readers

@Suite struct StillImageTests {
  /// By another program, once it is open: one error.
  @Test(arguments: [
    "pq_canon_93FG5564.hif", "iso_uhdr_vearutop.jpg", "apple_greyhounds.heic", "hlg_hdr_room.png",
  ]) func aFileThatBecomesShorterIsOneError(_ name: String) throws {
    let folder = try TestFolder()
    let path = try folder.write(SharedFiles.bytes("hdr/\(name)"), to: "picture")
    let still = try StillImage(contentsOf: URL(filePath: path))
    #expect(truncate(path, 4096) == 0)
    func isLoss(_ error: any Error) -> Bool {
      (error as? ReadError)?.code == .cannotRead && "\(error)".contains("shorter")
    }
    #expect { try still.base() } throws: { isLoss($0) }
    if still.gainMap != nil {
      #expect { try still.gainMapImage() } throws: { isLoss($0) }
    }
  }

  /// ITU-T H.265 E.3.1: without a word on the range it is limited.
  @Test func aRangeThatIsNotDeclaredIsLimited() throws {
    let still = try StillImage(SharedFiles.bytes("more/hdr/heif_conformance_C053.heic"))
    let codes = try TestHEIF.codes(still)
    // Full range would leave 16 to 236.
    #expect(codes.min() == 0 && codes.max() == 255)
    #expect(abs(Double(codes.reduce(0) { $0 + Int($1) }) / Double(codes.count) - 58) < 0.5)
  }
}
