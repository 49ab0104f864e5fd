import Containers
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode

/// CR3s whose headers point outside the file: LibRaw 0.20 would terminate the process.
@Suite struct CRXHeadersTests {
  private func cr3() throws -> [UInt8] {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .cr3 })
    return try sample.busy().written().bytes
  }

  private func error(_ bytes: [UInt8]) -> RAWError? {
    do throws(RAWError) {
      _ = try RawFile.open(bytes: bytes).decode()
      return nil
    } catch {
      return error
    }
  }

  /// The end of the first `name` in `bytes`.
  private func end(of name: String, _ bytes: [UInt8]) throws -> Int {
    try #require(bytes.firstRange(of: Array(name.utf8))?.upperBound)
  }

  /// Lengths of planes and bands that move one outside the file, and invalid headers. The first
  /// header is the tile's; 24 bytes each follow for the planes and their bands.
  @Test func bandsMustBeInTheFile() throws {
    let bytes = try cr3()
    #expect(error(bytes) == nil)
    let start = try end(of: "mdat", bytes) + 8
    #expect(bytes[start..<start + 2] == [0xFF, 0x01])
    let changes: [(at: Int, bytes: [UInt8])] = [
      (2, [0, 7]), (2, [0xFF, 0xFF]), (8, [0, 1]), (12, [0xFF, 0x03]), (16, [0x7F]), (16, [0xFF]),
      (20, [0x10]), (28, [0x40]), (28, [0xFF, 0xFF, 0xFF, 0xFF]), (28, [0, 0, 0, 0, 0, 0, 0, 1]),
      (32, [0x10]), (24, [0xFF, 0x02]), (84, [0x20]), (100, [0, 1]), (100, [0x80]),
    ]
    for change in changes {
      var damaged = bytes
      let at = start + change.at
      damaged.replaceSubrange(at..<at + change.bytes.count, with: change.bytes)
      let error = error(damaged)
      #expect(error?.code == .damaged && error?.stage == .decode, "\(change)")
      #expect(error?.message.contains("ends before its pixel data") == true, "\(change)")
    }
  }

  /// Sizes of tiles and lengths of headers that LibRaw does not check.
  @Test func tilesMustMakeSense() throws {
    let bytes = try cr3()
    let coding = try end(of: "CMP1", bytes)
    let changes: [(at: Int, bytes: [UInt8])] = [
      (16, [0, 0, 0, 42]), (20, [0, 0, 0, 2]), (20, [0, 0, 0, 0]), (28, [0x80, 0, 0, 0]),
      (28, [0x40, 0, 0, 0]), (28, [0, 0, 0, 100]),
    ]
    for change in changes {
      var damaged = bytes
      let at = coding + change.at
      damaged.replaceSubrange(at..<at + change.bytes.count, with: change.bytes)
      #expect(error(damaged)?.code == .damaged, "\(change)")
    }
  }
}
