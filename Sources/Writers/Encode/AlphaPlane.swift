import Codecs
import Formats
import HDRRender
public import ImageCore

/// How opaque each pixel of a picture is, whose colors are not multiplied by it.
public struct AlphaPlane: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// 65535 is opaque; row by row.
  private let samples: [UInt16]

  /// That of a gray picture of 0…1. Reads all of it.
  public init(
    _ gray: any PixelSource<DisplayReferred>, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    let plane = try Image(rendering: gray, workers: workers)
    size = plane.size
    var samples: [UInt16] = []
    samples.reserveCapacity(size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let share = plane[x, y].x
        samples.append(UInt16((share > 0 ? min(share, 1) : 0) * 65535 + 0.5))
      }
    }
    self.samples = samples
  }

  /// Throws where the picture that is to be written at `path` has another size.
  func check(_ size: PixelSize, path: String) throws(WriteError) {
    guard size == self.size else {
      throw WriteError(.badSetting, "its alpha has another size than the picture", path: path)
    }
  }

  /// Coded as the auxiliary picture of one of these settings, whose bits it has: libavif takes no
  /// others.
  func coded(_ settings: HEIFWriter.Settings, workers: Int) throws -> CodedTiles {
    let plane = GainMapSamples(
      map: try GainMapImage(size: size, channels: 1, codes: samples, maximumCode: .max))
    return try CodedTiles(
      plane,
      coding: plane.tileCoding(
        settings.codec, tiles: settings.tiles, chroma: .monochrome, siting: nil, quality: 1,
        bits: settings.bits), workers: workers)
  }

  /// Whether nothing shines through.
  public var isOpaque: Bool { samples.allSatisfy { $0 == .max } }

  /// Writes `count` pixels from column `x` of row `y`: the last `kept` of the three 16-bit codes of
  /// each at `codes`, and its alpha, as such or rounded to bytes.
  func interleave(
    _ codes: UnsafePointer<UInt16>, keeping kept: Int, x: Int, y: Int, count: Int, isByte: Bool,
    into target: UnsafeMutableRawPointer
  ) {
    let (first, start) = (y * size.width + x, 3 - kept)
    for i in 0..<count {
      for channel in 0...kept {
        let value =
          channel == kept ? samples[first + i] : unsafe codes[3 * i + start + channel]
        let at = i * (kept + 1) + channel
        if isByte {
          unsafe target.storeBytes(of: GrayCodes.byte(value), toByteOffset: at, as: UInt8.self)
        } else {
          unsafe target.storeBytes(of: value, toByteOffset: 2 * at, as: UInt16.self)
        }
      }
    }
  }
}
