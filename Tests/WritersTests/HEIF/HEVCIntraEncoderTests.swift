import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Codecs
@testable import Writers

/// The coder against a decoder that we did not write (libde265).
struct HEVCIntraEncoderTests {
  /// Formats of code values: bits, chroma.
  static let formats: [(Int, ChromaFormat)] = [
    (10, .yuv420), (10, .yuv444), (8, .yuv420), (8, .yuv444), (8, .monochrome),
  ]
  private static let size = PixelSize(width: 128, height: 96)

  private func settings(
    _ format: (Int, ChromaFormat), quantizer: Int, deblocks: Bool = false
  ) -> HEVCIntraEncoder.Settings {
    HEVCIntraEncoder.Settings(
      size: Self.size, bits: format.0, chroma: format.1, quantizer: quantizer,
      color: .init(.bt2020, .pq), chromaLocation: format.1 == .yuv420 ? 2 : 0, deblocks: deblocks)
  }

  /// What makes blocks of every size and mode: flat, ramps, stripes, noise, steps from 0 to the
  /// top.
  private static func scene(_ format: (Int, ChromaFormat), seed: UInt64) throws -> YCbCrPlanes {
    let codes = try YCbCrPlanes(size: size, chroma: format.1)
    let top = (1 << format.0) - 1
    var random = SeededRandom(seed: seed)
    for plane in 0..<(format.1 == .monochrome ? 1 : 3) {
      let side = plane == 0 ? codes.size : codes.chromaSize
      let unit = side.width / 4
      for y in 0..<side.height {
        for x in 0..<side.width {
          let value =
            switch (x / unit + y / unit + plane) % 7 {
            case 0: top / 3
            case 1: (x + y) * top / (side.width + side.height)
            case 2: Int.random(in: 0...top, using: &random)
            case 3: x % 7 < 3 ? top : 0
            case 4: y % 9 < 4 ? top / 2 : top / 4 + Int.random(in: 0...3, using: &random)
            case 5: x % unit + y % unit < unit ? top : 0
            default: top / 2 + (x * y) % 32 + Int.random(in: 0...15, using: &random)
            }
          codes.row(plane, y)[x] = UInt16(value) << (format.0 == 8 ? 8 : 0)
        }
      }
    }
    return codes
  }

  /// Code values of each plane of `item`, row by row.
  private static func decoded(_ item: [UInt8], _ record: [UInt8]) throws -> [[UInt16]] {
    let decoder = try HEVCDecoder()
    let planes = try decoder.picture(HEVCConfiguration(record).units(of: item))
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
    arguments: formats, [0, 5, 12, 22, 30, 37, 43, 51])
  func exact(format: (Int, ChromaFormat), quantizer: Int) throws {
    let encoder = try HEVCIntraEncoder(settings(format, quantizer: quantizer))
    for seed in UInt64(1)...3 {
      let item = try encoder.encode(Self.scene(format, seed: seed))
      let planes = try Self.decoded(item, encoder.record(tile: item))
      #expect(planes.count == (format.1 == .monochrome ? 1 : 3))
      for (index, plane) in planes.enumerated() {
        #expect(plane == encoder.decoded(plane: index))
      }
    }
  }

  @Test("Noise over the full range in every plane at the finest quantizer", arguments: formats)
  func noise(format: (Int, ChromaFormat)) throws {
    let codes = try YCbCrPlanes(size: Self.size, chroma: format.1)
    var random = SeededRandom(seed: 7)
    for plane in 0..<(format.1 == .monochrome ? 1 : 3) {
      let side = plane == 0 ? codes.size : codes.chromaSize
      for y in 0..<side.height {
        for x in 0..<side.width {
          codes.row(plane, y)[x] =
            Bool.random(using: &random) ? 0 : UInt16((1 << format.0) - 1) << (format.0 == 8 ? 8 : 0)
        }
      }
    }
    let encoder = try HEVCIntraEncoder(settings(format, quantizer: 0))
    let item = try encoder.encode(codes)
    for (index, plane) in try Self.decoded(item, encoder.record(tile: item)).enumerated() {
      #expect(plane == encoder.decoded(plane: index))
    }
  }

  @Test("Errors match the quantizer's step", arguments: formats, [0, 12, 24])
  func error(format: (Int, ChromaFormat), quantizer: Int) throws {
    let codes = try Self.scene(format, seed: 1)
    let encoder = try HEVCIntraEncoder(settings(format, quantizer: quantizer))
    _ = try encoder.encode(codes)
    let made = encoder.decoded(plane: 0)
    var sum = 0.0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let wanted = Int(codes.row(0, y)[x]) >> (format.0 == 8 ? 8 : 0)
        let error = Double(wanted - Int(made[y * Self.size.width + x]))
        sum += error * error
      }
    }
    // Coefficients are rounded up from two thirds of a step; samples are rounded themselves.
    let step = pow(2, Double(quantizer - 4) / 6) * Double(1 << (format.0 - 8))
    let rms = (sum / Double(Self.size.area)).squareRoot()
    #expect(rms < step * 2 / 3 + 0.3, "\(rms), step \(step)")
    #expect(rms > 0)
  }

  @Test(
    "A tile has the same bytes whatever was coded before it, and with every set of instructions")
  func history() throws {
    for format in Self.formats {
      let encoder = try HEVCIntraEncoder(settings(format, quantizer: 12))
      let first = try encoder.encode(Self.scene(format, seed: 1))
      _ = try encoder.encode(Self.scene(format, seed: 2))
      #expect(try encoder.encode(Self.scene(format, seed: 1)) == first)
      let sets = try InstructionSets.results { try encoder.encode(Self.scene(format, seed: 1)) }
      #expect(sets.baseline == first && sets.best == first)
    }
  }

  @Test("Deblocking is the decoder's: it changes edges alone, and nothing at high quality")
  func deblocking() throws {
    for (quantizer, isSame) in [(8, true), (36, false)] {
      let encoder = try HEVCIntraEncoder(
        settings((10, .yuv420), quantizer: quantizer, deblocks: true))
      let item = try encoder.encode(Self.scene((10, .yuv420), seed: 1))
      let luma = try Self.decoded(item, encoder.record(tile: item))[0]
      let made = encoder.decoded(plane: 0)
      #expect((luma == made) == isSame)
      for index in luma.indices where luma[index] != made[index] {
        let (x, y) = (index % Self.size.width, index / Self.size.width)
        #expect([x, y].contains { ($0 + 3) % 8 < 6 }, "\(x), \(y)")
      }
    }
  }

  @Test("The profile is the one that hardware decodes, the level the lowest")
  func profile() throws {
    for (format, wanted) in zip(Self.formats, [UInt8(2), 4, 1, 4, 4]) {
      let record = try HEVCIntraEncoder(settings(format, quantizer: 20)).record(tile: [])
      #expect(record[1] & 0x1F == wanted)
      #expect(record[12] == 30)
      #expect(record[16] & 3 == format.1.rawValue)
      #expect(record[17] & 7 == UInt8(format.0 - 8))
      #expect(record[22] == 3)
      let still = try HEVCConfiguration(record).still()
      #expect(still.size == Self.size && still.bits == format.0)
      #expect(still.isGray == (format.1 == .monochrome) && still.isFullRange == true)
    }
    for (side, level) in [(512, UInt8(90)), (1024, 120), (4096, 180)] {
      var large = settings((10, .yuv420), quantizer: 20)
      large.size = PixelSize(width: side, height: side)
      #expect(try HEVCIntraEncoder(large).record(tile: [])[12] == level)
    }
  }

  @Test("Tiles that are no multiple of 32, and depths that HEVC stills do not have, are refused")
  func refused() {
    for size in [PixelSize(width: 100, height: 96), PixelSize(width: 96, height: 0)] {
      var odd = settings((10, .yuv420), quantizer: 20)
      odd.size = size
      #expect(throws: WriteError.self) { try HEVCIntraEncoder(odd) }
    }
    #expect(throws: WriteError.self) {
      try HEVCIntraEncoder(settings((12, .yuv420), quantizer: 20))
    }
  }
}
