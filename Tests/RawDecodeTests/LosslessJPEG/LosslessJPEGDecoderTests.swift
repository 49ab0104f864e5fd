import Foundation
import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode

@Suite struct LosslessJPEGDecoderTests {
  static let files = [
    "dng/c_cfa16_strip_le.dng", "dng/cfa16_mstrip.dng", "dng/cfa16_strip_le.dng",
    "dng/cfa16_tile_be.dng", "dng/cfa_levels.dng", "dng/c_lin16_strip_le.dng",
    "dng/c_proraw_unc16.dng", "dng/hdr_hsm_1.dng", "dng/synth_proraw_10bit.dng",
    "raws/bmpcc_coffee.dng", "raws/canonKissX4_colorchart.dng",
  ]

  /// Every lossless JPEG file is decoded here, with LibRaw's result.
  @Test func filesMatchTheOtherDecoder() throws {
    var compared = 0
    for name in Self.files {
      let path = try SharedFiles.path(name)
      let file = try RawFile.open(path: path)
      guard file.isLosslessJPEG else { continue }
      compared += 1
      let data = try file.decode()
      let other = try file.decode(by: .libRaw)
      #expect(data.allNumbers == other.allNumbers, "\(name)")
      #expect(data.levels == other.levels)
      print("lossless JPEG", name, data.size)
    }
    #expect(compared == 0 || compared >= 5)
  }

  /// One of each layout, byte order, tiling and bit depth.
  @Test func syntheticFilesMatchTheOtherDecoder() throws {
    var numbers = TestNumbers(state: 3)
    let layouts: [DNGWriter.Layout] =
      [.mosaic(.bayer(.rggb)), .mosaic(.bayer(.gbrg)), .mosaic(.xTrans()), .linear, .monochrome]
    for layout in layouts {
      for (size, tile) in [
        (PixelSize(width: 48, height: 36), nil),
        (PixelSize(width: 51, height: 47), PixelSize(width: 16, height: 16)),
        (PixelSize(width: 47, height: 45), PixelSize(width: 64, height: 64)),
        (PixelSize(width: 61, height: 50), PixelSize(width: 20, height: 7)),
        (PixelSize(width: 55, height: 42), nil),
      ] as [(PixelSize, PixelSize?)] {
        for (order, bits) in [(ByteOrder.little, 16), (.big, 12), (.little, 8), (.big, 14)] {
          let samples = numbers.samples(size.area * (layout == .linear ? 3 : 1), bits: bits)
          var writer = DNGWriter(size: size, layout: layout, samples: samples)
          writer.bitsPerSample = bits
          writer.byteOrder = order
          writer.compression = .losslessJPEG
          writer.tile = tile
          let full = try RawFile.open(bytes: try writer.bytes)
          #expect(full.isLosslessJPEG)
          #expect(try full.decode().allCounts == samples)
          // LibRaw 0.20 takes the rows of a tile wider than the picture for shorter ones.
          let isComparable = tile.map { $0.width <= size.width } ?? true
          if isComparable { #expect(try full.decode(by: .libRaw).allCounts == samples) }
          writer.activeArea = PixelRect(x: 6, y: 6, width: size.width - 11, height: 25)
          writer.additionalFields[50712] = .shorts((0..<3000).map { UInt16($0 * 21) })
          let cut = try RawFile.open(bytes: try writer.bytes)
          let data = try cut.decode(workers: 3)
          #expect(try data.allCounts == cut.decode(workers: 1).allCounts)
          if isComparable {
            #expect(try data.allCounts == cut.decode(by: .libRaw).allCounts)
          }
        }
      }
    }
  }

  /// Streams whose columns and components differ from the strip's: only the total matters.
  @Test func onlyTheNumberOfSamplesMatters() throws {
    var numbers = TestNumbers(state: 4)
    let size = PixelSize(width: 48, height: 24)
    for layout: DNGWriter.Layout in [.mosaic(.bayer(.rggb)), .monochrome, .linear] {
      let perPixel = layout == .linear ? 3 : 1
      let samples = numbers.samples(size.area * perPixel, bits: 12)
      let writer = DNGWriter(size: size, layout: layout, samples: samples)
      for components in 1...4 {
        for rows in [6, 12, 24, 48] {
          for predictor in 1...7 {
            let kind = LosslessJPEGStream(
              columns: samples.count / rows / components, rows: rows, components: components,
              bits: 12, predictor: predictor)
            let file = try RawFile.open(bytes: writer.bytes(holding: kind.encode(samples)))
            #expect(file.isLosslessJPEG)
            #expect(try file.decode().allCounts == samples, "\(layout) \(kind)")
            if rows == 24, perPixel == 1 {
              #expect(try file.decode(by: .libRaw).allCounts == samples, "\(layout) \(kind)")
            }
          }
        }
      }
    }
  }

  @Test func restartsMatchTheOtherDecoder() throws {
    var numbers = TestNumbers(state: 6)
    let size = PixelSize(width: 24, height: 30)
    let samples = numbers.samples(size.area, bits: 14)
    let writer = DNGWriter(size: size, layout: .mosaic(.bayer(.rggb)), samples: samples)
    for restartRows in [1, 2, 7] {
      let kind = LosslessJPEGStream(
        columns: 12, rows: 30, components: 2, bits: 14, restartRows: restartRows)
      let file = try RawFile.open(bytes: writer.bytes(holding: kind.encode(samples)))
      #expect(try file.decode().allCounts == samples)
      #expect(try file.decode(by: .libRaw).allCounts == samples)
    }
  }

  /// Before DNG 1.1, category 16 was followed by 16 bits.
  @Test func theOldCategorySixteenIsRead() throws {
    let size = PixelSize(width: 32, height: 32)
    let samples = (0..<size.area).map { UInt16($0 % 2 == 0 ? 0 : 32768) }
    var writer = DNGWriter(size: size, layout: .monochrome, samples: samples)
    for (version, extended) in [([1, 0, 0, 0], true), ([1, 1, 0, 0], false)] as [([UInt8], Bool)] {
      writer.version = version
      writer.additionalFields[50707] = .bytes([1, 0, 0, 0])
      let kind = LosslessJPEGStream(columns: 32, rows: 32, extended: extended)
      let file = try RawFile.open(bytes: writer.bytes(holding: kind.encode(samples)))
      #expect(try file.decode().allCounts == samples)
      #expect(try file.decode(by: .libRaw).allCounts == samples)
    }
  }

  /// LibRaw decodes some of them nevertheless.
  @Test func unsupportedStreamsAreRefused() throws {
    let size = PixelSize(width: 32, height: 32)
    let samples = [UInt16](repeating: 77, count: size.area)
    let writer = DNGWriter(size: size, layout: .monochrome, samples: samples)
    var kind = LosslessJPEGStream(columns: 32, rows: 32)
    var stream = kind.encode(samples)
    kind.predictor = 0
    stream.replaceSubrange(0..<kind.header.count, with: kind.header)
    let error = #expect(throws: RAWError.self) {
      try RawFile.open(bytes: writer.bytes(holding: stream))
    }
    #expect(error?.code == .unsupported && error?.stage == .open)
  }

  @Test func tooFewSamplesAreDamage() throws {
    let size = PixelSize(width: 16, height: 8)
    let samples = [UInt16](repeating: 500, count: 2 * size.area)
    let writer = DNGWriter(
      size: size, layout: .monochrome, samples: Array(samples.prefix(size.area)))
    for (columns, rows) in [(16, 7), (15, 8), (1, 1)] {
      let kind = LosslessJPEGStream(columns: columns, rows: rows)
      let file = try RawFile.open(bytes: writer.bytes(holding: kind.encode(samples)))
      do {
        _ = try file.decode()
        Issue.record("\(columns)x\(rows) samples were enough")
      } catch { #expect(error.code == .damaged) }
    }
    let more = LosslessJPEGStream(columns: 16, rows: 12).encode(samples)
    let file = try RawFile.open(bytes: writer.bytes(holding: more))
    #expect(try file.decode().allCounts == Array(samples.prefix(size.area)))
    // Missing data of the rows below the picture reveal damage within it.
    let cut = try RawFile.open(bytes: writer.bytes(holding: more.dropLast(4)))
    #expect(throws: RAWError.self) { try cut.decode() }
  }
}
