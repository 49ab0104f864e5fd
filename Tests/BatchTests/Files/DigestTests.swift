import Develop
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Vectors of FIPS 180-4 and of NIST's SHA-256 examples.
@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
        + "klmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]) func publishedVectors(text: String, digest: String) {
    #expect(Digest.of(text) == digest)
    #expect(Digest.of(Array(text.utf8)) == digest)
  }

  @Test func filesLongerThanTheBuffer() throws {
    // Longer than what is read at once, and not a multiple of it.
    let folder = try TestFolder()
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    let path = try TestFolder.write(letters, to: FilePath(bytes: folder.root.bytes + [0x2F, 0xFE]))
    #expect(
      try Digest.of(file: path)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    let long = [UInt8](repeating: 7, count: (1 << 21) + 3)
    #expect(try Digest.of(file: try TestFolder.write(long, to: path)) == Digest.of(long))
  }

  @Test func unreadableFilesAreNamed() throws {
    let folder = try TestFolder()
    for path in [folder.at("none"), folder.root] {
      let error = #expect(throws: BatchError.self) { try Digest.of(file: path) }
      #expect(error?.code == .cannotRead && error?.path == path)
    }
  }
}
