import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode

/// Hostile streams: a picture or one typed error, quickly, without a trap.
@Suite struct VC5AbuseTests {
  typealias Element = VC5TestStream.Element
  static let limits = DecodeLimits(maxPixels: 4_000_000, maxDecodeBytes: 64 << 20)
  static let file = DNGWriter.vc5(.grbg)

  func failure(_ bytes: [UInt8]) -> RAWError? {
    do {
      _ = try RawFile.open(bytes: bytes, limits: Self.limits).decode(workers: 2)
      return nil
    } catch { return error }
  }

  /// The error for the stream with these changes; nil if it decodes.
  func failure(_ change: (inout [Element]) -> Void) throws -> RAWError? {
    var stream = try Self.file.vc5Stream
    change(&stream.elements)
    return failure(try Self.file.bytes(holding: stream))
  }

  func expectDamage(_ what: String, _ change: (inout [Element]) -> Void) throws {
    let error = try #require(try failure(change), "\(what)")
    #expect(error.code == .damaged && error.stage == .decode, "\(what): \(error)")
    #expect(!error.message.contains("\n"))
  }

  @Test func cutStreamsAreDamage() throws {
    let stream = try Self.file.vc5Stream.bytes
    let last = stream.count - 1
    for length in Array(0..<100) + stride(from: 100, to: last, by: 97) + [last] {
      let bytes = try Self.file.bytes(holding: Array(stream.prefix(length)), compression: 9)
      let error = try #require(failure(bytes), "\(length)")
      #expect(error.code == .damaged && error.stage == .decode, "\(length): \(error)")
    }
  }

  /// Each segment with each of these values: a picture, damage, or an unsupported feature.
  @Test func everyValueAtItsExtremes() throws {
    let stream = try Self.file.vc5Stream
    var refused = 0
    for index in stream.elements.indices {
      let usual = stream.elements[index].value
      for value in [0, 1, usual - 1, usual + 1, 2 * usual, 0x7FFF, 0x8000, 0xFFFF] {
        var other = stream
        other.elements[index].value = value & 0xFFFF
        guard let error = failure(try Self.file.bytes(holding: other)) else { continue }
        refused += 1
        #expect([.damaged, .unsupported].contains(error.code), "\(index), \(value): \(error)")
      }
    }
    #expect(refused > 400)
  }

  /// Each segment with each of these tags.
  @Test func everyTagAtItsExtremes() throws {
    let stream = try Self.file.vc5Stream
    for index in stride(from: 0, to: stream.elements.count, by: 3) {
      for tag in [0, -1, 0x7FFF, -0x8000, 0x60FF, -0x60FF, 0x4000, 0x2000, 35, 48, 53, 62, 109] {
        var other = stream
        other.elements[index].tag = tag
        if let error = failure(try Self.file.bytes(holding: other)) {
          #expect([.damaged, .unsupported].contains(error.code), "\(index), \(tag): \(error)")
        }
      }
    }
  }

  @Test func missingAndRepeatedSubbandsAreDamage() throws {
    let blocks = try Self.file.vc5Stream.elements.indices.filter {
      try Self.file.vc5Stream.elements[$0].isCodeblock
    }
    #expect(blocks.count == 40)
    for (number, index) in blocks.enumerated() {
      try expectDamage("without \(index)") { $0.remove(at: index) }
      try expectDamage("\(index) empty") { $0[index] = .codeblock([]) }
      // Nothing is read after the last one.
      guard index != blocks.last else { continue }
      try expectDamage("\(index) twice") { elements in
        let again = [Element(tag: 62, value: number / 10)] + elements[index - 2...index]
        elements.insert(contentsOf: again, at: index + 1)
      }
    }
    try expectDamage("no header") { $0.removeFirst(8) }
    try expectDamage("two widths") { $0.insert(Element(tag: 20, value: 52), at: 5) }
    try expectDamage("no channel count") { $0.remove(at: 0) }
  }

  /// Subbands whose codes do not match: runs of zeros beyond the end, too few codes, other bits.
  @Test func subbandsThatDoNotFitAreDamage() throws {
    let blocks = try Self.file.vc5Stream.elements.indices.filter {
      try Self.file.vc5Stream.elements[$0].isCodeblock
    }.enumerated().filter { $0.offset % 10 > 0 }.map(\.element)
    var runs = VC5TestStream.Bits()
    for _ in 0..<40 { runs.put(code: VC5CodeBook.runs[7].code) }
    var end = VC5TestStream.Bits()
    end.put(code: VC5CodeBook.end)
    let contents = [
      runs.bytes, end.bytes, [UInt8](repeating: 0, count: 400),
      [UInt8](repeating: 0xFF, count: 400),
      [UInt8](repeating: 0x55, count: 4000), [0],
    ]
    for index in blocks {
      for content in contents {
        try expectDamage("\(index), \(content.prefix(4))") { $0[index] = .codeblock(content) }
      }
    }
  }

  @Test func whatIsNotSupportedIsNamed() throws {
    let cases: [(String, (inout [Element]) -> Void)] = [
      ("3 channels", { $0[0].value = 3 }), ("image format 1", { $0[3].value = 1 }),
      ("a pattern side of 4", { $0[4].value = 4 }), ("2 components", { $0[6].value = 2 }),
      ("components of 10 bits", { $0[7].value = 10 }),
      ("a mosaic of 51x38", { $0[1].value = 51 }), ("a mosaic of 50x32", { $0[2].value = 32 }),
      ("band coding 1", { $0.insert(Element(tag: 200, value: 1), at: 20) }),
      ("2 layers", { $0.insert(Element(tag: 120, value: 2), at: 8) }),
      ("11 subbands", { $0.insert(Element(tag: -14, value: 11), at: 8) }),
      (
        "element 16386",
        { $0.insert(Element(tag: 0x4002, value: 1, data: [1, 0, 0, 0]), at: 8) }
      ),
      ("element 300", { $0.insert(Element(tag: 300, value: 1), at: 8) }),
    ]
    for (name, change) in cases {
      let error = try #require(try failure(change), "\(name)")
      #expect(error.code == .unsupported && error.stage == .open, "\(name): \(error)")
      #expect(error.message.contains("VC-5 with") && error.message.contains(name), "\(error)")
      #expect(error.message.contains("DNG Converter"))
    }
  }

  /// Storage formats that cannot contain such a mosaic.
  @Test func otherPicturesAreRefused() throws {
    let cases: [([UInt16: TIFFValue], String)] = [
      ([258: .shorts([10])], "10-bit integers stored as VC-5"), ([339: .shorts([3])], "floats"),
      ([262: .shorts([34892])], "Bayer mosaic"), ([33422: .bytes([0, 1, 2, 1])], "Bayer mosaic"),
      ([50975: .shorts([2])], "subtile blocks"), ([50974: .shorts([2, 2])], "subtile blocks"),
    ]
    for (tags, part) in cases {
      var file = Self.file
      file.additionalFields.merge(tags) { $1 }
      let error = try #require(failure(try file.bytes), "\(part)")
      #expect(error.code == .unsupported && error.message.contains(part), "\(error)")
    }
  }

  /// A stream for another size than its tile.
  @Test func otherSizesAreDamage() throws {
    for (width, height) in [(48, 38), (50, 36), (52, 38), (50, 40), (100, 76)] {
      let other = DNGWriter.vc5(.grbg, size: PixelSize(width: width, height: height))
      let bytes = try Self.file.bytes(holding: other.vc5Stream)
      #expect(failure(bytes)?.code == .damaged, "\(width)x\(height)")
    }
  }

  /// Sizes without data allocate no memory, and no stream takes long.
  @Test func claimsAreCheckedFirst() throws {
    var file = Self.file
    file.additionalFields = [
      256: .longs([2000]), 257: .longs([2000]), 278: .longs([2000]), 50719: .longs([0, 0]),
      50720: .longs([2000, 2000]),
    ]
    var stream = try file.vc5Stream
    (stream.elements[1].value, stream.elements[2].value) = (2000, 2000)
    #expect(failure(try file.bytes(holding: stream))?.code == .damaged)
    try expectDamage("many elements") {
      $0.insert(contentsOf: [Element](repeating: Element(tag: -9, value: 0), count: 5000), at: 0)
    }
    var small = Self.limits
    small.maxDecodeBytes = 50 * 38 * 6 - 1
    do {
      _ = try RawFile.open(bytes: try Self.file.bytes, limits: small)
      Issue.record("opened beyond the limit")
    } catch { #expect((error as? RAWError)?.code == .tooLarge) }
  }

  /// Small tiles count as 128 × 128, and share the powers of their curve.
  @Test func smallTilesCount() throws {
    var numbers = TestNumbers(state: 6)
    var file = StoredFile(
      size: PixelSize(width: 68, height: 34), compression: 9,
      tile: PixelSize(width: 34, height: 34),
      tags: [262: [32803], 33421: [2, 2], 33422: [0, 1, 1, 2]])
    file.fill(&numbers)
    let bytes = try file.bytes()
    let maxPixels = 2 * 128 * 128
    let sound = try RawFile.open(bytes: bytes, limits: DecodeLimits(maxPixels: maxPixels))
    #expect(throws: Never.self) { try sound.decode() }
    let small = try RawFile.open(bytes: bytes, limits: DecodeLimits(maxPixels: maxPixels - 1))
    let error = #expect(throws: RAWError.self) { try small.decode() }
    #expect(
      error?.code == .tooLarge && error?.message.contains("2 strips or tiles in VC-5") == true)

    let mosaics = VC5Mosaics(CFA(width: 2, height: 2, channels: [0, 1, 1, 2]), white: 65535)
    func curve(_ bits: Int) throws -> UnsafePointer<UInt16>? {
      try #require(mosaics.mosaic(bits: bits)).curve.withUnsafeBufferPointer { $0.baseAddress }
    }
    #expect(try curve(16) == curve(16))
    #expect(try curve(16) != curve(12))
  }

  @Test func changedBytesNeverTrap() throws {
    var numbers = TestNumbers(state: Damage.seed(81))
    let bytes = try Self.file.bytes
    var refused = 0
    let rounds = Damage.count(1500)
    for round in 0..<rounds {
      var changed = bytes
      for _ in 0...numbers.next(4) {
        // The complete file, the stream, its last codes.
        let from = [0, 800, bytes.count - 500][round % 3]
        changed[from + numbers.next(bytes.count - from)] = UInt8(numbers.next(256))
      }
      if failure(changed) != nil { refused += 1 }
    }
    #expect(refused > 0 && refused < rounds)
    print("changed bytes of VC-5: refused", refused, "of", rounds)
  }
}
