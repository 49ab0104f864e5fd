import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode

/// Hostile files: a picture or an error, never a trap.
@Suite struct LosslessJPEGAbuseTests {
  static let limits = DecodeLimits(maxPixels: 4_000_000, maxDecodeBytes: 64 << 20)

  /// Small files of several kinds.
  func small() throws -> [[UInt8]] {
    var numbers = TestNumbers(state: 11)
    let size = PixelSize(width: 20, height: 14)
    let samples = numbers.samples(size.area, bits: 14)
    var tiled = DNGWriter(size: size, layout: .mosaic(.bayer(.rggb)), samples: samples)
    tiled.bitsPerSample = 14
    tiled.compression = .losslessJPEG
    tiled.tile = PixelSize(width: 16, height: 8)
    tiled.activeArea = PixelRect(x: 2, y: 2, width: 17, height: 11)
    let strip = DNGWriter(size: size, layout: .monochrome, samples: samples)
    let kinds = [
      LosslessJPEGStream(
        columns: 10, rows: 14, components: 2, bits: 14, predictor: 6, restartRows: 3,
        codes: [.flat, .unary]),
      LosslessJPEGStream(
        columns: 5, rows: 14, components: 4, bits: 16, predictor: 4, codes: [.unary]),
    ]
    return try [tiled.bytes] + kinds.map { try strip.bytes(holding: $0.encode(samples)) }
  }

  /// True when the bytes give a picture.
  func opens(_ bytes: [UInt8]) -> Bool {
    (try? RawFile.open(bytes: bytes, limits: Self.limits).decode()) != nil
  }

  @Test func cutFilesAreDamaged() throws {
    for bytes in try small() {
      #expect(opens(bytes))
      for part in 1..<50 {
        do {
          _ = try RawFile.open(bytes: Array(bytes.prefix(bytes.count * part / 50))).decode()
          Issue.record("cut to \(part)/50 it was decoded")
        } catch {
          #expect(error.code == .damaged || error.code == .notARaw, "\(part)/50: \(error)")
        }
      }
    }
  }

  @Test func changedBytesNeverTrap() throws {
    let rounds = Damage.count(1000)
    var numbers = TestNumbers(state: 12)
    for bytes in try small() {
      let start = try #require(
        bytes.indices.last { bytes[$0...].starts(with: [0xFF, 0xD8, 0xFF, 0xC4]) })
      var refused = 0
      for round in 0..<rounds {
        var changed = bytes
        for _ in 0...numbers.next(4) {
          // Two of three rounds change the last JPEG, the others any byte.
          let from = round % 3 == 0 ? 0 : start
          changed[from + numbers.next(bytes.count - from)] = UInt8(numbers.next(256))
        }
        if !opens(changed) { refused += 1 }
      }
      #expect(refused > 0 && refused < rounds)
      print("changed bytes: refused", refused, "of", rounds)
    }
  }
}
