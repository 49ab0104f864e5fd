import Codecs
import Containers
import ImageCore
import Testing

/// Laws of changes by structure: repeatable, bounded, and with lengths and checksums right.
@Suite struct MutatorTests {
  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    UInt32(content.count + 8).bytes(bigEndian: true) + type.utf8 + content
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let summed = type.utf8 + content
    let sum = summed.withUnsafeBytes { ZlibStream.crc32($0) }
    return UInt32(content.count).bytes(bigEndian: true) + summed + sum.bytes(bigEndian: true)
  }

  private static let tiff: [UInt8] = {
    let fields = [256, 257, 258, 270, 277].map { TIFFField($0, .shorts([UInt16($0), 3, 4])) }
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + TIFFDirectoryWriter().bytes(fields, at: 8)
  }()
  private static let heif: [UInt8] = {
    let hidden = box("iprp", box("ipco", box("ispe", Array(0..<12)) + box("pixi", Array(0..<8))))
    return box("ftyp", Array("heic".utf8) + [0, 0, 0, 0]) + box("meta", [0, 0, 0, 0] + hidden)
      + box("mdat", Array(0..<100))
  }()
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", Array(0..<13))
    + chunk("IDAT", Array(0..<50)) + chunk("IEND", [])
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xDA, 0, 4, 1, 2, 9, 9, 0xFF, 0, 0xFF, 0xD9]
  private static let opcodes: [UInt8] =
    [1, 0, 0, 0, 2] + [0, 0, 0, 9, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 7, 7]
    + [0, 0, 0, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  /// Inputs that were changed one to four times.
  private static func changed(_ bytes: [UInt8], _ target: FuzzTarget) -> [[UInt8]] {
    (UInt32(0)..<500).compactMap { seed in
      var random = Draws(seed: seed)
      return Mutator.mutated(bytes, for: target, limit: 4096, &random)
    }
  }

  @Test(arguments: [
    (tiff, FuzzTarget.raw), (heif, .still), (png, .png), (jpeg, .jpeg), (opcodes, .opcodes),
    (Array("raw:\n  exposure: 1\n".utf8), .recipe),
  ])
  func changesAreRepeatableAndBounded(_ bytes: [UInt8], _ target: FuzzTarget) {
    let all = Self.changed(bytes, target)
    #expect(all == Self.changed(bytes, target))
    #expect(all.allSatisfy { $0.count <= 4096 })
    #expect(Set(all).count > 50 && all.count > 300)
  }

  /// Whatever the bytes are: those of one format cut and taken for those of another one.
  @Test(arguments: FuzzTarget.allCases) func cutInputsReturn(_ target: FuzzTarget) {
    for bytes in [Self.tiff, Self.heif, Self.png, Self.jpeg, Self.opcodes, []] {
      for length in 0...bytes.count {
        var random = Draws(seed: UInt32(length))
        _ = Mutator.mutated(Array(bytes.prefix(length)), for: target, limit: 4096, &random)
      }
    }
  }

  @Test func chunksHaveTheirChecksums() {
    for bytes in Self.changed(Self.png, .png) {
      var rest = bytes.dropFirst(8)
      while rest.count >= 12 {
        let length = Int(Mutator.number(Array(rest.prefix(4)), at: 0, 4, true))
        guard rest.count >= length + 12 else { break }
        let chunk = Array(rest.prefix(length + 12))
        let type = String(decoding: chunk[4..<8], as: UTF8.self)
        #expect(chunk == Self.chunk(type, Array(chunk[8..<8 + length])))
        rest = rest.dropFirst(length + 12)
      }
    }
  }

  @Test func opcodesAreCounted() {
    for bytes in Self.changed(Self.opcodes, .opcodes) where bytes.count > 5 {
      var (count, offset) = (0, 5)
      while offset + 16 <= bytes.count {
        offset += 16 + Int(Mutator.number(bytes, at: offset + 12, 4, true))
        count += 1
      }
      #expect(count == Int(Mutator.number(bytes, at: 1, 4, true)))
    }
  }

  /// Sizes are changed as numbers, too, but seldom.
  @Test func boxesMostlyFillTheFile() {
    let whole = Self.changed(Self.heif, .still).filter { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        offset += max(8, Int(Mutator.number(bytes, at: offset, 4, true)))
      }
      return offset == bytes.count
    }
    #expect(whole.count > 300)
  }

  @Test func entriesComeAndGo() {
    let counts = Self.changed(Self.tiff, .raw).compactMap { bytes -> Int? in
      let start = Int(Mutator.number(bytes, at: 4, 4, false))
      return start + 2 <= bytes.count ? Int(Mutator.number(bytes, at: start, 2, false)) : nil
    }
    #expect(Set(counts).isSuperset(of: [4, 5, 6]))
  }
}
