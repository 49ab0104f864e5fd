import AV1Codec
import CIntraCoding
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Codecs
@testable import Containers
@testable import Writers

/// The coder against a decoder that we did not write (libdav1d). `test_av1.py` of the acceptance
/// tests has others.
struct AV1IntraEncoderTests {
  /// Formats of code values: bits, chroma.
  static let formats: [(Int, ChromaFormat)] = [8, 10, 12].flatMap { bits in
    [ChromaFormat.yuv420, .yuv444, .monochrome].map { (bits, $0) }
  }

  private static func settings(
    _ format: (Int, ChromaFormat), _ size: PixelSize = PixelSize(width: 200, height: 136),
    quantizer: Int, filters: Bool = false
  ) -> AV1IntraEncoder.Settings {
    AV1IntraEncoder.Settings(
      tiles: AV1TileLayout(size, height: 64), bits: format.0, chroma: format.1,
      quantizer: quantizer, color: .init(.bt2020, .pq), chromaPosition: format.1 == .yuv420 ? 2 : 0,
      filters: filters)
  }

  /// A picture with blocks of every size and mode: flat, ramps, stripes, noise, steps over the full
  /// range. `isNoise`: full-range noise everywhere.
  private static func scene(
    _ format: (Int, ChromaFormat), _ size: PixelSize, seed: UInt64, isNoise: Bool = false
  ) throws -> YCbCrPlanes {
    let codes = try YCbCrPlanes(size: size, chroma: format.1)
    let top = (1 << format.0) - 1
    var random = SeededRandom(seed: seed)
    for plane in 0..<(format.1 == .monochrome ? 1 : 3) {
      let side = plane == 0 ? codes.size : codes.chromaSize
      let unit = max(side.width / 4, 1)
      for y in 0..<side.height {
        for x in 0..<side.width {
          let value =
            switch isNoise ? 7 : (x / unit + y / unit + plane) % 7 {
            case 0: top / 3
            case 1: (x + y) * top / (side.width + side.height)
            case 2: Int.random(in: 0...top, using: &random)
            case 3: x % 7 < 3 ? top : 0
            case 4: y % 9 < 4 ? top / 2 : top / 4 + Int.random(in: 0...3, using: &random)
            case 5: x % unit + y % unit < unit ? top : 0
            case 6: top / 2 + (x * y) % 32 + Int.random(in: 0...15, using: &random)
            default: Bool.random(using: &random) ? 0 : top
            }
          codes.row(plane, y)[x] = UInt16(value) << (format.0 == 8 ? 8 : 0)
        }
      }
    }
    return codes
  }

  /// The item of `codes`, and the decoder's samples of each plane as the encoder knows them.
  private static func coded(
    _ codes: YCbCrPlanes, _ settings: AV1IntraEncoder.Settings
  ) throws -> (item: [UInt8], made: [[UInt16]]) {
    let layout = settings.tiles
    let encoder = try AV1IntraEncoder(settings)
    var made = (0..<(settings.chroma == .monochrome ? 1 : 3)).map { plane in
      [UInt16](repeating: 0, count: plane == 0 ? codes.size.area : codes.chromaSize.area)
    }
    let parts = try (0..<layout.count).map { index in
      let x = index % layout.columns * layout.tile.width
      let y = index / layout.columns * layout.tile.height
      let part = try YCbCrPlanes(size: layout.tile, chroma: settings.chroma)
      let size = layout.size(index)
      let steps = settings.chroma == .yuv420 ? [1, 2, 2] : [1, 1, 1]
      func each(_ body: (_ plane: Int, _ from: Int, _ to: Int, _ y: Int, _ count: Int) -> Void) {
        for plane in made.indices {
          let step = steps[plane]
          let width = plane == 0 ? codes.size.width : codes.chromaSize.width
          for line in 0..<((size.height + step - 1) / step) {
            let first = (y / step + line) * width + x / step
            body(plane, first, line, y / step + line, (size.width + step - 1) / step)
          }
        }
      }
      each { plane, _, line, row, count in
        for i in 0..<count {
          part.row(plane, line)[i] = codes.row(plane, row)[x / steps[plane] + i]
        }
      }
      part.pad(size)
      let bytes = try encoder.encode(part, part: index)
      for plane in made.indices {
        let samples = encoder.decoded(plane: plane)
        let stride = layout.tile.width / steps[plane]
        each { other, first, line, _, count in
          guard other == plane else { return }
          made[plane].replaceSubrange(
            first..<first + count, with: samples[line * stride..<line * stride + count])
        }
      }
      return bytes
    }
    return (encoder.join(parts), made)
  }

  /// Code values of each plane of `item`, which is complete, row by row.
  private static func decoded(_ item: [UInt8]) throws -> [[UInt16]] {
    try AOMCheck().check(item)
    let decoder = try AV1Decoder(maxPixels: 1 << 24, threads: 1)
    let planes = try decoder.picture(item)
    return (planes.chroma.map { [planes.luma, $0.cb, $0.cr] } ?? [planes.luma]).map { plane in
      (0..<plane.size.height).flatMap { y in
        (0..<plane.size.width).map { x in
          planes.bits > 8
            ? plane.row(y).load(fromByteOffset: 2 * x, as: UInt16.self)
            : UInt16(plane.row(y).load(fromByteOffset: x, as: UInt8.self))
        }
      }
    }
  }

  @Test(
    "A decoder makes the samples that the encoder predicted from",
    arguments: formats, [1, 2, 20, 60, 61, 121, 180, 255])
  func exact(format: (Int, ChromaFormat), quantizer: Int) throws {
    let settings = Self.settings(format, quantizer: quantizer)
    for isNoise in [false, true] {
      let codes = try Self.scene(format, settings.tiles.picture, seed: 1, isNoise: isNoise)
      let (item, made) = try Self.coded(codes, settings)
      #expect(try Self.decoded(item) == made, "noise \(isNoise)")
    }
  }

  @Test(
    "Pictures of any size, in one tile and in many",
    arguments: [
      (1, 1), (1, 70), (8, 8), (9, 7), (31, 33), (63, 65), (64, 64), (65, 127), (129, 40),
      (4096, 8), (4097, 72), (250, 4500),
    ])
  func sizes(width: Int, height: Int) throws {
    for format in [(10, ChromaFormat.yuv420), (8, .yuv444), (12, .monochrome)] {
      let size = PixelSize(width: width, height: height)
      let settings = Self.settings(format, size, quantizer: 40)
      let (item, made) = try Self.coded(Self.scene(format, size, seed: 3), settings)
      #expect(try Self.decoded(item) == made)
    }
  }

  @Test("Errors match the quantizer's step", arguments: formats, [1, 24, 96])
  func error(format: (Int, ChromaFormat), quantizer: Int) throws {
    let settings = Self.settings(format, quantizer: quantizer)
    let codes = try Self.scene(format, settings.tiles.picture, seed: 1)
    let made = try Self.coded(codes, settings).made[0]
    var sum = 0.0
    for y in 0..<codes.size.height {
      for x in 0..<codes.size.width {
        let wanted = Int(codes.row(0, y)[x]) >> (format.0 == 8 ? 8 : 0)
        let error = Double(wanted - Int(made[y * codes.size.width + x]))
        sum += error * error
      }
    }
    // Coefficients of up to a step may be left out; samples are rounded themselves.
    let step = ck_av1Quantizer(Int32(format.0), Int32(quantizer), false)
    let rms = (sum / Double(codes.size.area)).squareRoot()
    let wanted = Double(step) / 8
    #expect(rms < wanted * 2 / 3 + 0.3, "\(rms), step \(wanted)")
    #expect(rms > 0)
  }

  @Test(
    "A tile has the same bytes whatever was coded before it, and with every set of instructions")
  func history() throws {
    for format in Self.formats {
      let settings = Self.settings(format, PixelSize(width: 128, height: 64), quantizer: 24)
      let encoder = try AV1IntraEncoder(settings)
      let scenes = try (1...2).map { try Self.scene(format, settings.tiles.tile, seed: UInt64($0)) }
      let first = try encoder.encode(scenes[0])
      _ = try encoder.encode(scenes[1])
      #expect(try encoder.encode(scenes[0]) == first)
      let sets = try InstructionSets.results { try encoder.encode(scenes[0]) }
      #expect(sets.baseline == first && sets.best == first)
    }
  }

  @Test("Decoders filter as asked: nothing at high quality, and samples change little")
  func filters() throws {
    for (quantizer, isSame) in [(8, true), (120, false)] {
      for format in Self.formats {
        let settings = Self.settings(format, quantizer: quantizer, filters: true)
        let codes = try Self.scene(format, settings.tiles.picture, seed: 1)
        let (item, made) = try Self.coded(codes, settings)
        let decoded = try Self.decoded(item)
        #expect((decoded == made) == isSame, "\(format), \(quantizer)")
      }
    }
  }

  @Test("The profile matches the format, the level is the lowest")
  func profile() throws {
    for format in Self.formats {
      let settings = Self.settings(format, quantizer: 20)
      let record = try AV1IntraEncoder(settings).record(tile: [])
      let profile: UInt8 = format.0 == 12 ? 2 : format.1 == .yuv444 ? 1 : 0
      #expect(record[1] == profile << 5)
      let codes = try Self.scene(format, settings.tiles.picture, seed: 1)
      let item = try Self.coded(codes, settings).item
      let still = try AV1Configuration.still(record, item)
      #expect(still.size == settings.tiles.picture && still.bits == format.0)
      #expect(still.isGray == (format.1 == .monochrome) && still.isFullRange == true)
      let header = try AV1Header(item)
      #expect(header.isReducedStill && header.profile == Int(profile))
      #expect(header.codes == [9, 16, 9, 1])
      #expect(header.chromaPosition == (format.1 == .yuv420 ? 2 : 0))
    }
  }

  @Test("Tiles that do not end where their symbols do are damaged, and libdav1d says nothing of it")
  func damage() throws {
    for format in Self.formats {
      let settings = Self.settings(format, quantizer: 60)
      let item = try Self.coded(Self.scene(format, settings.tiles.picture, seed: 1), settings).item
      let frame = try #require(try AV1Unit.list(item).last)
      let longer =
        item.dropLast(frame.bytes.count)
        + AV1StillHeaders.unit(AV1Unit.frame, Array(frame.payload) + [1])
      let again = try AV1Decoder(maxPixels: 1 << 24, threads: 1)
      _ = try again.picture(longer)
      #expect(throws: FormatError.self) { try AOMCheck().check(longer) }
      // The symbols behind a changed bit are others, and end elsewhere as a rule.
      let flipped = (1...40).count { part in
        var item = item
        item[item.count - part * frame.payload.count / 50] ^= 4
        return (try? AOMCheck().check(item)) == nil
      }
      #expect(flipped >= 8, "\(format): \(flipped) of 40")
    }
  }

  @Test("Depths and quantizers that AV1 stills do not have are refused")
  func refused() {
    for (bits, quantizer) in [(9, 20), (16, 20), (10, 0), (10, 256)] {
      #expect(throws: WriteError.self) {
        try AV1IntraEncoder(Self.settings((bits, .yuv420), quantizer: quantizer))
      }
    }
  }
}
