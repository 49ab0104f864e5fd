import Foundation
import HDRRender
import ImageCore
import Readers

/// Shared files with a gain map, in `hdr`.
enum SharedGainMaps {
  static let jpegs = [
    "apple_jpeg_gainmap.jpg", "iso_uhdr_vearutop.jpg", "uhdr_gainmapjs_08.jpg", "uhdr_vips.jpg",
  ]
  static let heics = [
    "apple_greyhounds.heic", "apple_iphone15pro.heic", "iso_apple_IMG_4682.HEIC",
  ]
  static let avif = "iso_libavif_seine_sdr_gainmap.avif"
}

/// A picture of eight bits and its map, as our writers put them into a file.
enum WrittenScene {
  static let size = PixelSize(width: 192, height: 128)

  static func picture(_ primaries: Primaries = .displayP3) throws -> Image<DisplayReferred> {
    try Image(size: size, info: .init(primaries: primaries, headroom: 1)) { planes in
      for plane in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width {
            planes.row(plane, y)[x] =
              Float((x + 30 * plane) % 192) / 192 * 0.7 + Float(y) / 128 * 0.3
          }
        }
      }
    }
  }

  /// A smooth map of `size`; `seed` makes maps different.
  static func map(
    _ size: PixelSize = PixelSize(width: 96, height: 64), channels: Int = 1, seed: Int = 0
  )
    throws -> GainMapImage
  {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<channels {
          let slope = 120 * x / size.width + 40 * y / size.height
          bytes.append(UInt8(20 + slope + 10 * channel + 20 * seed))
        }
      }
    }
    return try GainMapImage(size: size, channels: channels, bytes: bytes)
  }

  static func iso(stops: Double = 2, channels: Int = 1) throws -> GainMapMetadata {
    try GainMapMetadata(
      channels: (0..<channels).map { _ in try .init(maximumStops: stops) },
      alternateHeadroomStops: stops)
  }

  /// Pixels of the first rows, of some in the middle and of the last: every tile of a picture is
  /// decoded for them.
  static func pixels(_ source: any PixelSource<DisplayReferred>) throws -> [Float] {
    let (width, height) = (source.size.width, source.size.height)
    let rows = min(4, height)
    var out: [Float] = []
    for y in [0, (height - rows) / 2, height - rows] {
      let rect = PixelRect(x: 0, y: y, width: width, height: rows)
      let buffer = try PlanarBuffer(size: rect.size)
      try source.read(rect, into: buffer)
      for plane in 0..<3 {
        for row in 0..<rows {
          out += UnsafeBufferPointer(start: buffer.row(plane, row).start, count: width)
        }
      }
    }
    return out
  }
}
