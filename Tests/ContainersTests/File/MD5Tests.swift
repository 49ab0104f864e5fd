import Testing

@testable import Containers

@Suite struct MD5Tests {
  /// RFC 1321, A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func givesThePublishedDigests(text: String, digest: String) {
    #expect(MD5.text(MD5.digest(Array(text.utf8))) == digest)
  }

  @Test func doesNotDependOnTheChunks() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let expected = MD5.digest(bytes)
    for chunk in [1, 7, 63, 64, 65, 128, 999] {
      var sum = MD5()
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes { sum.add($0) }
      }
      #expect(sum.digest() == expected)
    }
  }
}
