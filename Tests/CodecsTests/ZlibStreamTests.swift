import Testing

@testable import Codecs

@Suite struct ZlibStreamTests {
  @Test(arguments: [0, 1, 7, 300, 70_000, 300_000])
  func whatGoesInComesOut(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3 &* 41) }
    let stream = try #require(ZlibStream.deflate(bytes))
    #expect(ZlibStream.inflate(stream[...], maxBytes: count) == bytes)
    if count > 0 { #expect(ZlibStream.inflate(stream[...], maxBytes: count - 1) == nil) }
  }

  @Test func damageIsNoticed() throws {
    let stream = try #require(ZlibStream.deflate([UInt8](repeating: 7, count: 5000)))
    for cut in 0..<stream.count {
      #expect(ZlibStream.inflate(stream[..<cut], maxBytes: 5000) == nil)
    }
    var changed = stream
    changed[stream.count - 1] ^= 1
    #expect(ZlibStream.inflate(changed[...], maxBytes: 5000) == nil)
  }
}
