import Develop
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Texts of FIPS 180-4 of all the lengths that XXH3 treats apart (to 16, 128, 240 bytes and above);
/// digests by `xxh128sum` 0.8.1.
@Suite struct DigestTests {
  @Test(arguments: [
    ("", "99aa06d3014798d86001c324468d497f"),
    ("abc", "06b05ab6733a618578af5f94892f3950"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "3d62d22a5169b016c0d894fd4828a1a7"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
        + "klmnopqrlmnopqrsmnopqrstnopqrstu",
      "97d535cb0c62bf199c12d0b7e499edb8"
    ),
  ]) func publishedVectors(text: String, digest: String) {
    #expect(Digest.of(text) == digest)
    #expect(Digest.of(Array(text.utf8)) == digest)
  }

  @Test func filesLongerThanTheBuffer() throws {
    // Longer than one read, and not a multiple of it.
    let folder = try TestFolder()
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    let path = try TestFolder.write(letters, to: FilePath(bytes: folder.root.bytes + [0x2F, 0xFE]))
    #expect(try Digest.of(file: path) == "a545df8e384a9579b1fd6fae5285c4eb")
    let long = [UInt8](repeating: 7, count: (1 << 21) + 3)
    #expect(try Digest.of(file: try TestFolder.write(long, to: path)) == Digest.of(long))
  }

  @Test func unreadableFilesAreNamed() throws {
    let folder = try TestFolder()
    for path in [folder.at("none"), folder.root, "/dev/null"] {
      let error = #expect(throws: BatchError.self) { try Digest.of(file: path) }
      #expect(error?.code == .cannotRead && error?.path == path)
    }
  }

  @Test func longFilesAreNotRead() throws {
    let folder = try TestFolder()
    let path = try TestFolder.write(Array("abc".utf8), to: folder.at("a"))
    #expect(try Digest.of(file: path, longest: 3) == Digest.of("abc"))
    let error = #expect(throws: BatchError.self) { try Digest.of(file: path, longest: 2) }
    #expect(error?.code == .cannotRead && error?.path == path)
  }
}
