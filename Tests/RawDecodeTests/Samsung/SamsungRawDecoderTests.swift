import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode
@testable import SyntheticRaw

@Suite struct SamsungRawDecoderTests {
  /// A raw of an NX1 with `sample` at each position.
  private func raw(_ sample: (_ x: Int, _ y: Int) -> Int) throws -> CameraContainer {
    var raw = try #require(CameraSample.all.first { $0.raw.coding == .srw3 }).busy()
    raw.samples = (0..<raw.size.area).map {
      UInt16(sample($0 % raw.size.width, $0 / raw.size.width))
    }
    return raw
  }

  /// Slopes in several directions, some steep, with noise; 3000 to 13000.
  private func uneven() throws -> CameraContainer {
    var noise = SeededRandom(seed: 5)
    return try raw { x, y in
      let slope = x / 64 & 1 == 0 ? 9 * (x & 63) : 7 * (y & 63)
      let edge = (x + 2 * y) / 90 & 1 == 0 ? 0 : 6000
      return 3500 + slope + edge + Int(noise.next() % 401)
    }
  }

  private func isOwn(_ file: RawFile) -> Bool {
    file.decoder.isOwn(SamsungRawDecoder.self)
  }

  /// Checks the decoded samples of `raw` against its stream; against LibRaw, too, unless `isAlone`.
  private func check(_ raw: CameraContainer, isAlone: Bool = false) throws {
    let written = try raw.written()
    let file = try RawFile.open(bytes: written.bytes)
    #expect(isOwn(file))
    for data in [try file.decode(), try file.decodeStored()] {
      #expect(data.size == raw.size)
      let isDescribed = data.allCounts == written.samples
      #expect(isDescribed)
      if isAlone { continue }
      let other = try file.decode(by: .libRaw)
      let isOther = data.allCounts == other.allCounts
      #expect(isOther && data.levels == other.levels)
    }
  }

  /// Every option, including all predictions, equals LibRaw.
  @Test(arguments: 0..<4) func everyOptionMatchesTheOtherDecoder(_ options: Int) throws {
    var raw = try uneven()
    raw.blocks.hasAllDifferences = options & 1 != 0
    raw.blocks.hasSimpleModes = options & 2 != 0
    for scales in [nil, [0], [1, 3, 1], [2, 9, 0, 7, 21]] {
      raw.blocks.scales = scales
      try check(raw)
      let losses = zip(try raw.written().samples, raw.samples).map { abs(Int($0) - Int($1)) }
      #expect(losses.max() == scales?.max() ?? 0)
    }
  }

  /// Blocks without differences, alone and after others, where published decoders differ.
  @Test func evenAreasAreExact() throws {
    let raw = try raw { x, y in (x / 80 + y / 30) % 3 == 0 ? 900 + (x * y) % 97 : 16_383 }
    try check(raw, isAlone: true)
  }

  /// Lossy samples are clamped to 0 and the maximum of their bits.
  @Test func lossesStayInRange() throws {
    for bits in [12, 14] {
      var raw = try raw { x, y in (x * 7 + y * 3) % 61 < 30 ? x % 5 : 1 << bits - 1 - y % 5 }
      raw.bits = bits
      raw.blocks.scales = [3, 30]
      try check(raw, isAlone: true)
    }
  }

  /// The offset of the stream in the file, and its bytes.
  private func stream(_ bytes: [UInt8]) throws -> (start: Int, bytes: [UInt8]) {
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    let directory = try #require(tiff.directories.first { $0[259]?.integer == 32773 })
    let start = try #require(directory[273]?.integer)
    let count = try #require(directory[279]?.integer)
    return (start, Array(bytes[start..<start + count]))
  }

  private func damage(_ bytes: [UInt8]) -> RAWError? {
    do throws(RAWError) {
      let file = try RawFile.open(bytes: bytes)
      #expect(isOwn(file))
      _ = try file.decode()
      return nil
    } catch {
      return error
    }
  }

  @Test func contradictingHeadersAreRefused() throws {
    let bytes = try uneven().written().bytes
    let start = try stream(bytes).start
    // Bits, height, width, options.
    let changes: [(Int, UInt8)] = [
      (1, 12), (1, 14), (1, 0), (4, 0), (5, 255), (6, 0x80), (6, 0x91), (7, 0), (7, 255), (9, 8),
      (9, 15),
    ]
    for (at, byte) in changes {
      var changed = bytes
      changed[start + at] = byte
      let error = damage(changed)
      #expect(error?.code == .damaged && error?.stage == .decode, "\(at) \(byte)")
      #expect(error?.message.contains("inconsistent") == true)
    }
  }

  /// A stream truncated by one word or more, even if other bytes follow it in the file.
  @Test func streamsThatEndEarlyAreRefused() throws {
    let bytes = try uneven().written().bytes
    let last = try stream(bytes).bytes.count
    func word(_ count: Int) -> [UInt8] { UInt32(count).bytes(bigEndian: false) }
    // StripByteCounts, one 32-bit number.
    let entry: [UInt8] = [0x17, 1, 4, 0, 1, 0, 0, 0] + word(last)
    let at = try #require((0..<bytes.count - 12).first { bytes[$0..<$0 + 12].elementsEqual(entry) })
    for count in [last - 4, last - 16, last / 2, 17, 16, 15, 1] {
      var cut = bytes
      cut.replaceSubrange(at + 8..<at + 12, with: word(count))
      let error = damage(cut)
      #expect(error?.code == .damaged && error?.stage == .decode, "\(count)")
    }
  }

  /// Noise, zeros and ones instead of a part of the stream give an error, single bits an error or a
  /// picture.
  @Test func damageEndsInAnErrorOrAPicture() throws {
    let bytes = try uneven().written().bytes
    let intact = try stream(bytes)
    var random = SeededRandom(seed: 9)
    for length in [64, 512, 4096] {
      for fill in [[0], [255], (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 97) }] {
        var changed = bytes
        let from = intact.start + 16 + Int(random.next() % UInt64(intact.bytes.count - 16 - length))
        for i in 0..<length { changed[from + i] = fill[i % fill.count] }
        if let error = damage(changed) { #expect(error.code == .damaged) }
      }
    }
    var refused = 0
    for _ in 0..<60 {
      var changed = bytes
      let at = Int(random.next() % UInt64(8 * intact.bytes.count))
      changed[intact.start + at / 8] ^= 1 << (at % 8)
      if damage(changed) != nil { refused += 1 }
    }
    #expect(refused > 0)
  }
}
