import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Codecs
@testable import Writers
@testable import X265Writers

/// The coder against libx265 at its fastest useful setting, on a photograph in HLG.
struct HEVCComparisonTests {
  /// Multiples of 64, within the photograph.
  private static let size = PixelSize(width: 640, height: 448)

  /// The middle of the photograph as code values.
  private static func photograph(_ format: (Int, ChromaFormat)) throws -> YCbCrPlanes {
    let (columns, rows) = (676, 449)
    let file = try SharedFiles.bytes("hdr/hlg_hdr_room.png")
    var words = [UInt16](repeating: 0, count: 3 * columns * rows)
    let failure = words.withUnsafeMutableBytes { target in
      file.withUnsafeBytes { file in
        target.bindMemory(to: UInt8.self).baseAddress.map {
          PNGDecoder.read(
            file, columns: columns, rows: rows, rowBytes: 6 * columns, stride: 6 * columns, into: $0
          )
        } ?? "no memory"
      }
    }
    #expect(failure == nil)
    let codes = try YCbCrPlanes(size: size, chroma: format.1)
    let top = Double((1 << format.0) - 1)
    let shift = UInt16(format.0 == 8 ? 8 : 0)
    // BT.2100: luma, and color differences around half the range.
    func components(_ x: Int, _ y: Int) -> [Double] {
      let at = 3 * (y * columns + x)
      let rgb = words[at..<at + 3].map { Double($0) / 65_535 }
      let luma = 0.2627 * rgb[0] + 0.678 * rgb[1] + 0.0593 * rgb[2]
      return [luma, (rgb[2] - luma) / 1.8814 + 0.5, (rgb[0] - luma) / 1.4746 + 0.5]
    }
    let step = format.1 == .yuv420 ? 2 : 1
    for plane in 0..<(format.1 == .monochrome ? 1 : 3) {
      let side = plane == 0 ? codes.size : codes.chromaSize
      let scale = plane == 0 ? 1 : step
      for y in 0..<side.height {
        for x in 0..<side.width {
          let value = components(scale * x, scale * y)[plane] * top
          codes.row(plane, y)[x] = UInt16(max(0, min(top, value.rounded()))) << shift
        }
      }
    }
    return codes
  }

  /// Bytes at a rising peak signal-to-noise ratio in dB: of luma, and the mean of planes with a
  /// weight of six for luma.
  private static func rates(
    _ codes: YCbCrPlanes, bits: Int, _ make: (Int) throws -> any TileEncoder
  ) throws -> [(luma: Double, all: Double, bytes: Double)] {
    try [30, 24, 18, 12, 6].map { quantizer in
      let encoder = try make(quantizer)
      let item = try encoder.encode(codes)
      let decoder = try HEVCDecoder()
      let planes = try decoder.picture(
        HEVCConfiguration(encoder.record(tile: item)).units(of: item))
      let decibels = (planes.chroma.map { [planes.luma, $0.cb, $0.cr] } ?? [planes.luma])
        .enumerated().map { Self.decibels($1, codes, $0, bits: bits) }
      let all = decibels.count == 1 ? decibels[0] : (5 * decibels[0] + decibels.reduce(0, +)) / 8
      return (decibels[0], all, Double(item.count))
    }
  }

  private static func decibels(
    _ plane: CodedPlanes.Plane, _ codes: YCbCrPlanes, _ index: Int, bits: Int
  ) -> Double {
    let side = index == 0 ? codes.size : codes.chromaSize
    var sum = 0.0
    for y in 0..<side.height {
      for x in 0..<side.width {
        let value =
          bits > 8
          ? Int(plane.row(y).load(fromByteOffset: 2 * x, as: UInt16.self))
          : Int(plane.row(y).load(fromByteOffset: x, as: UInt8.self))
        let error = Double(value - Int(codes.row(index, y)[x]) >> (bits == 8 ? 8 : 0))
        sum += error * error
      }
    }
    let peak = Double((1 << bits) - 1)
    return 10 * log10(peak * peak * Double(side.area) / sum)
  }

  @Test("At equal error not larger than x265's by 6 %", arguments: HEVCIntraEncoderTests.formats)
  func size(format: (Int, ChromaFormat)) throws {
    let codes = try Self.photograph(format)
    let color = HEIFProperty.CodePoints(.bt2020, .hlg)
    let own = try Self.rates(codes, bits: format.0) { quantizer in
      try HEVCIntraEncoder(
        .init(
          size: Self.size, bits: format.0, chroma: format.1, quantizer: quantizer, color: color,
          chromaLocation: 0))
    }
    let peer = try Self.rates(codes, bits: format.0) { quantizer in
      try X265Encoder(
        .init(
          size: Self.size, bits: format.0, chroma: format.1, quantizer: quantizer, color: color,
          chromaLocation: 0))
    }
    for wanted in peer {
      for quality in [\(luma: Double, all: Double, bytes: Double).luma, \.all] {
        let bytes = Self.bytes(
          own.map { ($0[keyPath: quality], $0.bytes) }, at: wanted[keyPath: quality])
        #expect(bytes < 1.06 * wanted.bytes, "\(format), \(wanted): \(bytes)")
      }
    }
  }

  /// Bytes at `decibels`, by the straight line through the logarithms of two neighbors.
  private static func bytes(_ points: [(Double, Double)], at decibels: Double) -> Double {
    let above = points.dropFirst().firstIndex { $0.0 >= decibels } ?? points.count - 1
    let (low, high) = (points[above - 1], points[above])
    let part = (decibels - low.0) / (high.0 - low.0)
    return exp(log(low.1) + part * (log(high.1) - log(low.1)))
  }
}
