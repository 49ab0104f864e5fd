import Foundation
import Testing

@testable import Containers

@Suite struct NameUUIDTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// FIPS 180-4's examples, and lengths around a block.
  @Test func digests() {
    func digest(_ text: String) -> String { hexadecimal(SHA1.digest(Array(text.utf8))) }
    #expect(digest("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(digest("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(
      digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(
      digest(String(repeating: "a", count: 1_000_000))
        == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    #expect(
      digest(String(repeating: "a", count: 64)) == "0098ba824b5c16427bd7a1122a5a442a25ec644d")
  }

  @Test func versionAndVariant() throws {
    let uuid = NameUUID.text(Array("example".utf8))
    let parts = uuid.split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12] && parts[2].first == "5")
    #expect("89ab".contains(try #require(parts[3].first)))
    #expect(UUID(uuidString: uuid) != nil)
    #expect(NameUUID.text(["ab", "c"]) != NameUUID.text(["a", "bc"]))
  }

  @Test func filesByTheirContent() throws {
    for count in [1, 4096, 64 * 4096, 64 * 4096 + 1, 3_000_000] {
      var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
      let uuid = try FileBytes(bytes).contentUUID
      #expect(try FileBytes(bytes).contentUUID == uuid)
      bytes[count - 1] ^= 1
      #expect(try FileBytes(bytes).contentUUID != uuid)
      #expect(try FileBytes(bytes + [0]).contentUUID != uuid)
    }
  }
}
