import Containers
import ImageCore
import TestSupport
import Testing

@testable import RawDecode

/// Hostile files of every compression: a picture or a typed error, quickly, without a trap.
@Suite struct StoredPictureAbuseTests {
  static let limits = DecodeLimits(maxPixels: 4_000_000, maxDecodeBytes: 64 << 20)

  /// One file of each kind.
  func kinds() throws -> [StoredFile] {
    var numbers = TestNumbers(state: 31)
    var kinds = [
      StoredFile(bits: 12), StoredFile(bits: 24, isFloat: true, tile: nil),
      StoredFile(samplesPerPixel: 3, compression: 7), StoredFile(compression: 8, predictor: 34892),
      StoredFile(bits: 32, isFloat: true, compression: 8, predictor: 34895),
      StoredFile(samplesPerPixel: 3, bits: 10, compression: 52546),
      StoredFile(isFloat: true, compression: 52546, rowFields: 2, columnFields: 2),
      StoredFile(bits: 8, compression: 34892, block: PixelSize(width: 4, height: 4)),
      StoredFile(
        size: PixelSize(width: 40, height: 36), compression: 9,
        tile: PixelSize(width: 40, height: 36),
        tags: [262: [32803], 33421: [2, 2], 33422: [0, 1, 1, 2]]),
    ]
    for i in kinds.indices { kinds[i].fill(&numbers) }
    return kinds
  }

  func failure(_ bytes: [UInt8]) -> RAWError? {
    do {
      _ = try RawFile.open(bytes: bytes, limits: Self.limits).decode()
      return nil
    } catch { return error }
  }

  @Test func cutPartsAreDamage() throws {
    for kind in try kinds() {
      for tenths in [0, 1, 2, 5, 9] {
        let bytes = try kind.bytes { chunks in
          chunks[0] = Array(chunks[0].prefix(chunks[0].count * tenths / 10))
        }
        let error = try #require(failure(bytes), "compression \(kind.compression), \(tenths)")
        #expect(error.code == .damaged && error.stage == .decode)
      }
    }
  }

  /// Some cameras count only visible bytes, some programs none; the true number is computed.
  @Test(arguments: [12, 16]) func countsOfALoneStripDoNotMatter(bits: Int) throws {
    var numbers = TestNumbers(state: 7)
    var file = StoredFile(bits: bits, tile: nil, rowsPerStrip: 19)
    file.fill(&numbers)
    for count in [0, 1, 500] {
      file.tags = [279: [count]]
      let raw = try RawFile.open(bytes: file.bytes(), limits: Self.limits)
      let same = try raw.decode().allNumbers == file.expected
      #expect(same, "\(count)")
    }
    #expect(failure(try file.bytes().dropLast())?.code == .damaged)
    // With several strips some may be short.
    var strips = StoredFile(bits: bits, tile: nil)
    strips.fill(&numbers)
    strips.tags = [279: [500, 500, 3]]
    #expect(failure(try strips.bytes())?.code == .damaged)
  }

  /// libjpeg decodes them, in a time that their length does not bound.
  @Test func progressiveAndArithmeticTilesAreRefused() throws {
    var file = StoredFile(bits: 8, compression: 34892)
    file.codes = [UInt32](repeating: 93, count: file.size.area)
    let size = PixelSize(width: 16, height: 8)
    let progressive = try StoredEncoder.jpeg(
      [UInt8](repeating: 93, count: size.area), size, samples: 1, isProgressive: true)
    var arithmetic = try StoredEncoder.jpeg(
      [UInt8](repeating: 93, count: size.area), size, samples: 1)
    let frame = try #require(
      arithmetic.indices.dropLast().first { arithmetic[$0] == 0xFF && arithmetic[$0 + 1] == 0xC0 })
    arithmetic[frame + 1] = 0xC9
    let sound = try file.bytes()
    #expect(failure(sound) == nil)
    for tile in [progressive, arithmetic] {
      let first = try file.bytes { $0[0] = tile }
      #expect(failure(first)?.code == .unsupported)
      let last = try file.bytes { $0[$0.count - 1] = tile }
      #expect(failure(last)?.code == .damaged)
    }
  }

  /// The metadata can be read, the pixels cannot.
  @Test func cutFilesOpen() throws {
    for kind in try kinds() {
      let bytes = try kind.bytes()
      let chunks = try kind.chunks.reduce(0) { $0 + $1.count }
      for missing in [1, chunks / 2, chunks] {
        let file = try RawFile.open(bytes: Array(bytes.dropLast(missing)))
        #expect(file.info.size == kind.size)
        do {
          _ = try file.decode()
          Issue.record("decoded without its last \(missing) bytes")
        } catch {
          #expect(error.code == .damaged && error.message.contains("beyond the end of the file"))
        }
      }
    }
  }

  @Test func changedBytesNeverTrap() throws {
    let rounds = Damage.count(150)
    var numbers = TestNumbers(state: 32)
    for kind in try kinds() {
      let bytes = try kind.bytes()
      var refused = 0
      for round in 0..<rounds {
        var changed = bytes
        // Every third round in the directory.
        let range = round % 3 == 0 ? 0..<600 : 600..<bytes.count
        for _ in 0...numbers.next(4) {
          changed[range.lowerBound + numbers.next(range.count)] = UInt8(numbers.next(256))
        }
        if failure(changed) != nil { refused += 1 }
      }
      #expect(refused > 0)
      print("changed bytes, compression", kind.compression, "refused", refused, "of", rounds)
    }
  }

  /// Sizes that only the directory declares allocate no memory.
  @Test func declaredSizesAreCheckedBeforeAllocation() throws {
    let claims: [([UInt16: [Int]], RAWError.Code)] = [
      ([256: [1 << 23], 257: [1 << 23]], .tooLarge), ([256: [5000], 257: [5000]], .tooLarge),
      ([256: [1_100_000], 257: [3], 322: [1_100_000], 323: [3]], .tooLarge),
      ([256: [3000], 257: [1333]], .damaged), ([322: [1 << 24], 323: [1 << 24]], .unsupported),
      ([322: [2048], 323: [2048]], .damaged), ([277: [5]], .unsupported),
      ([50975: [0]], .unsupported), ([50975: [1 << 30]], .unsupported),
      ([50974: [0, 0]], .unsupported), ([50974: [3, 5]], .unsupported),
      ([258: [0]], .unsupported), ([258: [40]], .unsupported), ([317: [9]], .unsupported),
    ]
    for (tags, code) in claims {
      var kind = StoredFile(compression: 8, tile: PixelSize(width: 16, height: 16))
      kind.codes = [UInt32](repeating: 7, count: kind.size.area)
      kind.tags = tags
      let error = try #require(failure(try kind.bytes()), "\(tags)")
      #expect(error.code == code, "\(tags): \(error)")
      #expect(!error.message.contains("\n"))
    }
  }

  /// Each part of a picture starts within the timeout, or decoding stops.
  @Test func timeIsExact() throws {
    for kind in try kinds() {
      let time = TestTime()
      let file = try time.asClock {
        try RawFile.open(bytes: kind.bytes(), limits: DecodeLimits(maxSeconds: 10))
      }
      time.set(.seconds(10))
      #expect(throws: Never.self, "\(kind.compression)") { try file.decode() }
      time.set(.milliseconds(10_001))
      let error = #expect(throws: RAWError.self, "\(kind.compression)") { try file.decode() }
      #expect(error?.code == .tooLarge && error?.stage == .decode)
      #expect(error?.message.contains("after 10.0 s") == true)
    }
  }

  /// Decoding of a single lossless JPEG stops at the next row; each takes a second.
  @Test func rowsOfOneStripStopSoon() throws {
    var numbers = TestNumbers(state: 5)
    var kind = StoredFile(
      size: PixelSize(width: 16, height: 400), compression: 7,
      tile: PixelSize(width: 16, height: 400))
    kind.fill(&numbers)
    let time = TestTime(step: .seconds(1))
    let error = #expect(throws: RAWError.self) {
      try time.asClock {
        _ = try RawFile.open(bytes: kind.bytes(), limits: DecodeLimits(maxSeconds: 20)).decode()
      }
    }
    #expect(error?.code == .tooLarge && time.readings > 15 && time.readings < 60)
  }

  @Test func limitsCountFloatsAsFour() throws {
    for (isFloat, bits, bytes) in [(false, 16, 2), (true, 16, 4), (false, 32, 4)] {
      var kind = StoredFile(bits: bits, isFloat: isFloat)
      kind.codes = [UInt32](repeating: 7, count: kind.size.area)
      let file = try kind.bytes()
      var limits = DecodeLimits(maxDecodeBytes: kind.size.area * bytes)
      #expect(throws: Never.self) { try RawFile.open(bytes: file, limits: limits).decode() }
      limits.maxDecodeBytes -= 1
      #expect(throws: RAWError.self) { try RawFile.open(bytes: file, limits: limits) }
    }
  }

  @Test func unsupportedStorageIsRefusedAtOpening() throws {
    let cases: [([UInt16: [Int]], String)] = [
      ([259: [9]], "VC-5"), ([50707: [1, 7, 2, 0]], "newer"), ([50711: [4]], "staggered"),
      ([259: [34713]], "compression 34713"),
    ]
    for (tags, part) in cases {
      var kind = StoredFile()
      kind.codes = [UInt32](repeating: 7, count: kind.size.area)
      kind.tags = tags
      do {
        _ = try RawFile.open(bytes: try kind.bytes())
        Issue.record("\(part) was opened")
      } catch let error as RAWError {
        #expect(error.code == .unsupported && error.stage == .open)
        #expect(error.message.contains(part) && error.message.contains("DNG Converter"))
      }
    }
  }

  /// Tiles that tenths a long stream, tiles much larger than the picture, and very many tiles.
  @Test func tilesThatMultiplyAreRefused() throws {
    var file = StoredFile(
      size: PixelSize(width: 64, height: 64), compression: 8,
      tile: PixelSize(width: 1, height: 1))
    var numbers = TestNumbers(state: 5)
    file.fill(&numbers)
    var length = 0
    var bytes = try file.bytes { chunks in
      chunks[chunks.count - 1] += [UInt8](repeating: 0, count: 100_000)
      length = chunks[chunks.count - 1].count
    }
    // All tiles are the last one.
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    for (tag, value) in [(324, bytes.count - length), (325, length)] as [(UInt16, Int)] {
      let start = try #require(tiff.first[tag]?.offset)
      let word = UInt32(value).bytes(bigEndian: false)
      let words = (0..<64 * 64).flatMap { _ in word }
      bytes.replaceSubrange(start..<start + words.count, with: words)
    }
    #expect(failure(bytes)?.message.contains("overlap in the file") == true)

    let tall = StoredFile(
      size: PixelSize(width: 64, height: 1), compression: 8,
      tile: PixelSize(width: 1, height: 1), tags: [323: [1 << 20]],
      codes: [UInt32](repeating: 0, count: 64))
    #expect(failure(try tall.bytes())?.code == .unsupported)

    let limits = DecodeLimits(maxItems: 4000)
    let error = #expect(throws: RAWError.self) {
      try RawFile.open(bytes: file.bytes(), limits: limits).decode()
    }
    #expect(error?.code == .tooLarge && error?.message.contains("strips or tiles") == true)
  }

  /// Blocks are stored outside their tile: an omitted one would leave a hole in the picture.
  @Test func partsWithBlocksAreComplete() throws {
    let narrow = PixelSize(width: 24, height: 16)
    for compression in [34892, 52546] {
      var file = StoredFile(
        size: narrow, bits: 8, compression: compression, tile: PixelSize(width: 32, height: 16),
        block: PixelSize(width: 2, height: 2))
      file.codes = [UInt32](repeating: 93, count: narrow.area)
      #expect(failure(try file.bytes()) == nil)
      let visible =
        compression == 34892
        ? try StoredEncoder.jpeg([UInt8](repeating: 93, count: narrow.area), narrow, samples: 1)
        : try StoredEncoder.jpegXL(file.codes, narrow, samples: 1, bits: 8)
      #expect(failure(try file.bytes { $0[0] = visible })?.code == .damaged)
      file.block = PixelSize(width: 1, height: 1)
      #expect(failure(try file.bytes { $0[0] = visible }) == nil)
    }
    let size = PixelSize(width: 32, height: 32)
    var tall = StoredFile(
      size: size, bits: 8, compression: 34892, tile: PixelSize(width: 32, height: 128),
      block: PixelSize(width: 1, height: 128))
    tall.codes = [UInt32](repeating: 93, count: size.area)
    let quarter = try StoredEncoder.jpeg(tall.codes.map { UInt8($0) }, size, samples: 1)
    #expect(failure(try tall.bytes()) == nil)
    #expect(failure(try tall.bytes { $0[0] = quarter })?.code == .damaged)

    var strips = StoredFile(
      size: PixelSize(width: 8, height: 12), tile: nil, rowsPerStrip: 8,
      block: PixelSize(width: 1, height: 8))
    strips.codes = [UInt32](repeating: 93, count: strips.size.area)
    let visibleRows = try strips.bytes { $0[1] = Array($0[1].prefix(8 * 4 * 2)) }
    #expect(failure(visibleRows)?.code == .damaged)
  }

  /// Tile buffers count in addition to the result; fewer workers if not all fit.
  @Test func tilesCountAsWorkingMemory() throws {
    let size = PixelSize(width: 64, height: 64)
    for (rows, minBytes) in [(64, 16384), (16, 8192 + 2048)] {
      var file = StoredFile(
        size: size, compression: 8, tile: PixelSize(width: 64, height: rows))
      file.codes = [UInt32](repeating: 7, count: size.area)
      let bytes = try file.bytes()
      let fitting = try RawFile.open(bytes: bytes, limits: DecodeLimits(maxDecodeBytes: minBytes))
      #expect(try fitting.decode(workers: 4).allNumbers == file.expected)
      let other = try RawFile.open(bytes: bytes, limits: DecodeLimits(maxDecodeBytes: minBytes - 1))
      let error = #expect(throws: RAWError.self) { try other.decode(workers: 4) }
      #expect(error?.code == .tooLarge && error?.message.contains("raise the limit") == true)
    }
    var tile = StoredFile(compression: 8, tile: PixelSize(width: 32, height: 32))
    tile.codes = [UInt32](repeating: 7, count: tile.size.area)
    tile.tags = [256: [1100], 257: [1100], 322: [2200], 323: [2200]]
    let large = try #require(failure(try tile.bytes()))
    #expect(large.code == .tooLarge && large.message.contains("a tile of"))
  }

  /// libjpeg would decode each completely.
  @Test func lossyTilesAreNoLargerThanTheirs() throws {
    let size = PixelSize(width: 80, height: 80)
    var file = StoredFile(size: size, bits: 8, compression: 34892, tile: size)
    file.codes = [UInt32](repeating: 93, count: size.area)
    for (side, isDecoded) in [(96, true), (97, false), (160, false)] {
      let stream = try StoredEncoder.jpeg(
        [UInt8](repeating: 93, count: side * side), PixelSize(width: side, height: side),
        samples: 1)
      #expect((failure(try file.bytes { $0[0] = stream }) == nil) == isDecoded, "\(side)")
    }
  }

  /// Headers and tables of very small tiles take longer than their pixels.
  @Test func verySmallTilesAreRefused() throws {
    for (compression, height, code) in [
      (8, 128, .damaged), (8, 129, .unsupported), (7, 129, .unsupported),
      (34892, 129, .unsupported), (1, 129, .damaged),
    ] as [(Int, Int, RAWError.Code)] {
      var file = StoredFile(bits: 8, tile: PixelSize(width: 32, height: 32))
      file.codes = [UInt32](repeating: 7, count: file.size.area)
      file.tags = [256: [128], 257: [height], 259: [compression], 322: [1], 323: [1]]
      #expect(failure(try file.bytes())?.code == code, "\(compression), \(height)")
    }
  }
}
