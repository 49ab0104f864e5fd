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
}
