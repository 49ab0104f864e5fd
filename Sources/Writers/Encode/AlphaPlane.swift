import Codecs
import Formats
import HDRRender
public import ImageCore

/// How opaque each pixel of a picture is.
public struct AlphaPlane: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// Whether the picture's colors are premultiplied, as in OpenEXR, where they may be nonzero at
  /// alpha 0.
  public let isMultiplied: Bool
  /// 1 is opaque; row by row.
  private let samples: [Float]

  /// Alpha from a gray picture of 0…1, which is read completely. `workers`: maximum threads; they
  /// do not change the values.
  public init(
    _ gray: any PixelSource<DisplayReferred>, isMultiplied: Bool = false,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    let plane = try Image(rendering: gray, workers: workers)
    (size, self.isMultiplied) = (plane.size, isMultiplied)
    var samples: [Float] = []
    samples.reserveCapacity(size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let value = plane[x, y].x
        samples.append(value > 0 ? min(value, 1) : 0)
      }
    }
    self.samples = samples
  }

  /// Throws where the picture that is to be written at `path` has another size, or its colors are
  /// multiplied by alpha though the file stores them otherwise, or the other way; nil for either.
  func check(_ size: PixelSize, isMultiplied wanted: Bool?, path: String) throws(WriteError) {
    guard size == self.size else {
      throw WriteError(.badSetting, "its alpha has another size than the picture", path: path)
    }
    guard wanted == nil || wanted == isMultiplied else {
      let not = isMultiplied ? "not " : ""
      throw WriteError(
        .badSetting, "its colors must \(not)be multiplied by its alpha here", path: path)
    }
  }

  /// Coded as the auxiliary picture of a picture by `writer`, whose bits it has: libavif takes no
  /// others.
  func coded(_ writer: HEIFWriter) throws -> CodedTiles {
    let plane = GainMapSamples(
      map: try GainMapImage(
        size: size, channels: 1, codes: samples.map { Self.code($0) }, maximumCode: .max))
    return try CodedTiles(
      plane,
      coding: plane.tileCoding(
        writer.codec, tiles: writer.settings.tiles, chroma: .monochrome, siting: nil, quality: 1,
        bits: writer.settings.bits), workers: writer.workers)
  }

  /// Whether it is fully opaque.
  public var isOpaque: Bool { samples.allSatisfy { Self.code($0) == .max } }

  private static func code(_ value: Float) -> UInt16 { UInt16(value * 65535 + 0.5) }

  /// Calls `body` with `count` samples from column `x` of row `y`.
  func withRow(x: Int, y: Int, count: Int, _ body: (UnsafePointer<Float>) -> Void) {
    unsafe samples.withUnsafeBufferPointer { all in
      guard let start = all.baseAddress, count > 0 else { return }
      unsafe body(start + y * size.width + x)
    }
  }

  /// Writes `count` pixels from column `x` of row `y`: the last `colors` of the three 16-bit codes
  /// of each in `codes`, then its alpha, as such or rounded to bytes.
  func interleave(
    _ codes: UnsafePointer<UInt16>, keeping colors: Int, x: Int, y: Int, count: Int, isByte: Bool,
    into target: UnsafeMutableRawPointer
  ) {
    let (first, start) = (y * size.width + x, 3 - colors)
    for i in 0..<count {
      for channel in 0...colors {
        let value =
          channel == colors
          ? Self.code(samples[first + i]) : unsafe codes[3 * i + start + channel]
        let at = i * (colors + 1) + channel
        if isByte {
          unsafe target.storeBytes(of: GrayCodes.byte(value), toByteOffset: at, as: UInt8.self)
        } else {
          unsafe target.storeBytes(of: value, toByteOffset: 2 * at, as: UInt16.self)
        }
      }
    }
  }
}
