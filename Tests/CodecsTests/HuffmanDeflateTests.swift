import Testing

@testable import Codecs

@Suite struct HuffmanDeflateTests {
  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: HuffmanDeflate.bound(bytes.count)) { target, count in
      count = bytes.withUnsafeBytes {
        HuffmanDeflate.compress($0, into: UnsafeMutableRawBufferPointer(target))
      }
    }
  }

  /// Noise whose small values are frequent, as differences of samples are.
  private static func noise(_ count: Int, spread: UInt64) -> [UInt8] {
    var state: UInt64 = 7
    return (0..<count).map { _ in
      var sum: UInt64 = 0
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sum &+= (state >> 40) % spread
      }
      return UInt8(truncatingIfNeeded: sum &- 2 &* spread)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 255, 1000, 131_071, 131_072, 131_073, 400_000])
  func whatGoesInComesOut(count: Int) {
    let kinds: [[UInt8]] = [
      [UInt8](repeating: 0, count: count), [UInt8](repeating: 200, count: count),
      (0..<count).map { UInt8(truncatingIfNeeded: $0) }, Self.noise(count, spread: 5),
      Self.noise(count, spread: 64),
    ]
    for bytes in kinds {
      let stream = Self.compressed(bytes)
      #expect(stream.count + 8 <= HuffmanDeflate.bound(count))
      #expect(ZlibStream.inflate(stream[...], maxBytes: count) == bytes)
    }
  }

  /// Counts like Fibonacci's numbers give the longest codes: the limit must leave them complete.
  @Test(arguments: 2...24) func longCodesAreShortened(symbols: Int) {
    var (bytes, a, b): ([UInt8], Int, Int) = ([], 1, 1)
    for symbol in 0..<symbols {
      bytes += [UInt8](repeating: UInt8(symbol), count: a)
      (a, b) = (b, a + b)
    }
    let stream = Self.compressed(bytes)
    #expect(ZlibStream.inflate(stream[...], maxBytes: bytes.count) == bytes)
  }

  @Test func noiseIsAsSmallAsByLibdeflate() throws {
    for spread: UInt64 in [4, 16, 64] {
      let bytes = Self.noise(300_000, spread: spread)
      let other = try DeflateCompressor(level: 2)
      var target = [UInt8](repeating: 0, count: other.bound(bytes.count))
      let size = try bytes.withUnsafeBytes { source in
        try target.withUnsafeMutableBytes { try other.compress(source, into: $0) }
      }
      #expect(Double(Self.compressed(bytes).count) < 1.01 * Double(size))
    }
  }

  /// Level 1 takes what is smaller: codes alone for noise, repetitions for patterns.
  @Test func patternsAreLeftToLibdeflate() throws {
    let compressor = try DeflateCompressor(level: 1)
    for (bytes, ratio) in [
      ((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }, 0.02),
      (Self.noise(300_000, spread: 8), 0.7),
    ] {
      var target = [UInt8](repeating: 0, count: compressor.bound(bytes.count))
      let size = try bytes.withUnsafeBytes { source in
        try target.withUnsafeMutableBytes { try compressor.compress(source, into: $0) }
      }
      #expect(Double(size) < ratio * Double(bytes.count))
      #expect(ZlibStream.inflate(target[..<size], maxBytes: bytes.count) == bytes)
    }
  }
}
