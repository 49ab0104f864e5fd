import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

/// Deliberately damaged compressed RAFs: the same picture, another one, or one error.
@Suite struct FujifilmAbuseTests {
  /// Invalid values of each header field, and of the strip lengths.
  @Test func contradictingHeadersAreRefused() throws {
    let sample = try FujifilmSample()
    let start = try sample.start
    // 792 columns in two strips, 60 rows in ten groups.
    let changes: [(at: Int, bytes: [UInt8])] = [
      (0, [0x4A]), (1, [0x54]), (2, [2]), (2, [255]), (3, [1]), (3, [0]), (4, [13]), (4, [0]),
      (4, [255]), (5, [0, 54]), (5, [0, 66]), (5, [0, 61]), (5, [0, 0]), (5, [255, 255]),
      (7, [3, 0]), (7, [9, 0]), (7, [0, 0]), (9, [3, 0]), (9, [6, 1]), (9, [0, 0]), (9, [3, 17]),
      (11, [3, 1]), (11, [0, 0]), (13, [0]), (13, [1]), (13, [3]), (13, [255]), (14, [0, 0]),
      (14, [0, 11]), (14, [255, 255]),
    ]
    for change in changes {
      var bytes = sample.written.bytes
      bytes.replaceSubrange(
        start + change.at..<start + change.at + change.bytes.count, with: change.bytes)
      #expect(try sample.decode(bytes) == nil, "\(change)")
      let error = #expect(throws: RAWError.self, "\(change)") {
        try RawFile.open(bytes: bytes).decode()
      }
      #expect(error?.message.contains("\n") == false)
    }
  }

  /// A header that LibRaw accepts and the samples contradict is reported.
  @Test func thePictureMustBeTheOneAnnounced() throws {
    let sample = try FujifilmSample()
    var bytes = sample.written.bytes
    bytes[try sample.start + 3] = 0
    let error = #expect(throws: RAWError.self) { try RawFile.open(bytes: bytes).decode() }
    #expect(error?.code == .damaged && error?.stage == .decode)
    #expect(error?.message.contains("inconsistent") == true)
  }

  @Test func lengthsOfStripsAreChecked() throws {
    let sample = try FujifilmSample()
    let table = try sample.start + 16
    let original = sample.written.bytes
    let first = original[table..<table + 4].reduce(0) { $0 << 8 | Int($1) }
    for length in [0, 1, 15, 16, first / 2, first - 16, 1 << 24, 1 << 31, (1 << 32) - 1] {
      for index in 0..<2 {
        var bytes = original
        let at = table + 4 * index
        bytes.replaceSubrange(
          at..<at + 4, with: (0..<4).map { UInt8(length >> (24 - 8 * $0) & 255) })
        #expect(try sample.decode(bytes) == nil, "\(length) \(index)")
        let error = #expect(throws: RAWError.self, "\(length) \(index)") {
          try RawFile.open(bytes: bytes).decode()
        }
        #expect(error?.code == .damaged && error?.stage == .decode)
      }
    }
  }

  /// An endless run of zeros is rejected; other streams of equal bytes may be short codes.
  @Test func streamsOfOneByteNeverTrap() throws {
    for coding in [CameraContainer.Coding.rafCompressed, .rafLossy] {
      for isXTrans in [true, false] {
        let sample = try FujifilmSample(coding, isXTrans: isXTrans)
        for byte in [UInt8(0), 1, 0x55, 0xFF] {
          var bytes = sample.written.bytes
          // Both strips follow the header, the lengths and the bases, 64 bytes.
          for i in try sample.start + 64..<bytes.count { bytes[i] = byte }
          let decoded = try sample.decode(bytes)
          #expect(decoded != sample.written.samples)
          #expect(byte > 0 || decoded == nil, "\(coding) \(isXTrans)")
        }
      }
    }
  }

  /// Changed bytes anywhere in the samples, in both codings: a picture within the range or none,
  /// the same with any number of workers.
  @Test(arguments: [CameraContainer.Coding.rafCompressed, .rafLossy], [12, 16])
  func changedBytesNeverTrap(_ coding: CameraContainer.Coding, _ bits: Int) throws {
    let sample = try FujifilmSample(coding, isXTrans: bits == 12, bits: bits, height: 24)
    let start = try sample.start
    var refused = 0
    let rounds = Damage.count(40)
    for round in 0..<rounds {
      var random = SeededRandom(seed: Damage.seed(7000) + UInt64(round))
      var bytes = sample.written.bytes
      let range = round % 3 == 0 ? start..<start + 64 : start + 16..<bytes.count
      for _ in 0...round % 4 {
        bytes[Int.random(in: range, using: &random)] = .random(in: 0...255, using: &random)
      }
      let decoded = try sample.decode(bytes, workers: 1)
      #expect(try sample.decode(bytes, workers: 3) == decoded)
      if let decoded {
        #expect(decoded.allSatisfy { Int($0) < 1 << bits })
      } else {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// A truncated file is reported as such, wherever it ends; a complete file whose last strip lacks
  /// its last bytes is damaged.
  @Test func cutFilesAreNamed() throws {
    let sample = try FujifilmSample()
    let bytes = sample.written.bytes
    for count in [try sample.start + 8, try sample.start + 20, bytes.count / 2, bytes.count - 32] {
      let error = #expect(throws: RAWError.self, "\(count)") {
        try RawFile.open(bytes: Array(bytes.prefix(count))).decode()
      }
      #expect(error?.code == .damaged, "\(count)")
      #expect(
        error?.message.contains("ends before its pixel data do; copy it again") == true, "\(count)")
    }
  }

  /// The size of the mosaic is checked against the limits before decoding.
  @Test func limitsHold() throws {
    let sample = try FujifilmSample()
    for limits in [DecodeLimits(maxPixels: 40_000), DecodeLimits(maxDecodeBytes: 80_000)] {
      let error = #expect(throws: RAWError.self) {
        try RawFile.open(bytes: sample.written.bytes, limits: limits).decode()
      }
      #expect(error?.code == .tooLarge)
    }
  }

  /// The directory of the samples at 2^63 - 1, a valid LONG8.
  @Test func directoriesFarAwayAreNone() throws {
    func big(_ value: UInt32) -> [UInt8] { value.bytes(bigEndian: true) }
    var bytes = Array("FUJIFILMCCD-RAW ".utf8)
    bytes += [UInt8](repeating: 0, count: 100 - bytes.count) + big(108) + big(100)
    bytes += Array("MM".utf8) + [0, 42] + big(8) + [0, 1, 0xF0, 0, 0, 16] + big(1) + big(26)
    bytes += big(0) + UInt64(Int.max).bytes(bigEndian: true)
    #expect(try RAFMosaic(FileBytes(bytes)) == nil)
    #expect(throws: RAWError.self) { try RawFile.open(bytes: bytes) }
  }
}
