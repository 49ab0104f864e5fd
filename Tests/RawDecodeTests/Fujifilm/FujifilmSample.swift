import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

/// A compressed RAF of known samples, and its parts.
struct FujifilmSample {
  var raw: CameraContainer
  let written: CameraContainer.Written

  /// A mosaic of ramps, edges and noise up to the full range, with a masked border of `border`
  /// pixels.
  init(
    _ coding: CameraContainer.Coding = .rafCompressed, isXTrans: Bool = true, bits: Int = 14,
    width: Int = 792, height: Int = 60, border: Int = 0, black: UInt16 = 64, seed: UInt64 = 1
  ) throws {
    var random = SeededRandom(seed: seed)
    let highest = 1 << bits - 1
    let samples = (0..<width * height).map { index -> UInt16 in
      let (x, y) = (index % width, index / width)
      if border > 0, x < border { return UInt16(40 + random.next() % 5) }
      let noise = Int(random.next() & 0xFFFF)
      switch (x / 64 + y / 12) % 6 {
      case 0: return UInt16(x % 7)
      case 1: return UInt16(highest - noise % 3)
      case 2: return UInt16(noise & highest)
      case 3: return UInt16(highest * x / width)
      case 4: return UInt16((highest / 2 + noise % 40) & highest)
      default: return UInt16((x + y) % 2 == 0 ? 0 : highest)
      }
    }
    raw = CameraContainer(
      make: "FUJIFILM", model: isXTrans ? "X-S20" : "GFX50S II", coding: coding,
      size: PixelSize(width: width, height: height), samples: samples)
    raw.bits = bits
    raw.pattern = isXTrans ? .xTrans(x: border, y: 2 + border) : .bayer(.rggb)
    raw.area = PixelRect(
      x: border, y: border, width: width - 2 * border, height: height - 2 * border)
    raw.black = [black, black, black, black]
    written = try raw.written()
  }

  /// Offset of the compressed mosaic in the file.
  var start: Int {
    get throws { try #require(RAFMosaic(try FileBytes(written.bytes))).start }
  }

  /// The filters, starting at the first sample.
  var pattern: CFA {
    let period = raw.pattern.period
    return CFA(
      width: period, height: period,
      channels: (0..<period * period).map {
        UInt8(
          raw.pattern.channel(x: $0 % period - raw.area.x, y: $0 / period - raw.area.y))
      })
  }

  /// The complete mosaic of `bytes`, a file like this one, decoded without LibRaw; nil if it is
  /// damaged.
  func decode(_ bytes: [UInt8], workers: Int = 2) throws -> [UInt16]? {
    let file = try FileBytes(bytes)
    let full = PixelRect(raw.size)
    guard let header = FujifilmHeader(file, at: try start), header.size == raw.size,
      let mosaic = FujifilmMosaic(header, file, pattern: pattern, from: full)
    else { return nil }
    var isSound = false
    let samples = try RawSamples(of: UInt16.self, stride: full.width, rows: full.height) {
      target throws(PixelError) in
      isSound = try mosaic.decode(
        into: [MosaicWindow(area: full, samples: target)], workers: workers,
        clock: file.clock)
    }
    guard isSound else { return nil }
    return (0..<full.height).flatMap { y in
      (0..<full.width).map { unsafe samples.counts(row: y)[$0] }
    }
  }

  /// The samples of the exposed area.
  var visible: [UInt16] {
    let area = raw.area
    return (area.y..<area.endY).flatMap { y in
      written.samples[y * raw.size.width + area.x..<y * raw.size.width + area.endX]
    }
  }
}

extension RawFile {
  /// Whether the Fujifilm decoder accepts this file.
  var isFujifilmRaw: Bool {
    decoder.isOwn(FujifilmRawDecoder.self)
  }
}
