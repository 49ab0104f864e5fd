import Testing

@testable import Codecs

@Suite struct ZstandardStreamTests {
  /// The checksum finds any byte that differs.
  @Test func damageIsNoticed() throws {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
    let compressor = try ZstdCompressor(level: 3)
    var stream = [UInt8](repeating: 0, count: compressor.bound(bytes.count))
    let count = try bytes.withUnsafeBytes { source throws in
      try stream.withUnsafeMutableBytes { try compressor.compress(source, into: $0) }
    }
    stream.removeLast(stream.count - count)
    var out = [UInt8](repeating: 0, count: bytes.count)
    func decompressed(_ stream: [UInt8]) -> Int? {
      stream.withUnsafeBytes { source in
        out.withUnsafeMutableBytes { ZstandardStream.decompress(source, into: $0) }
      }
    }
    #expect(decompressed(stream) == bytes.count && out == bytes)
    for index in stride(from: 0, to: count, by: 3) {
      var changed = stream
      changed[index] ^= 1
      // A bit of the header may be of no use.
      let made = decompressed(changed)
      #expect(made == nil || out == bytes, "byte \(index)")
    }
    #expect(decompressed(stream.dropLast()) == nil)
  }
}
