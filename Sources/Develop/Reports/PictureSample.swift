import Formats
import Foundation
import HDRRender
import ImageCore
import ImageFilters
import Synchronization
import Writers

/// A sparse grid of the pixels of one picture, sampled while it is rendered for a file: enough for
/// a histogram and a thumbnail without rendering it again.
///
/// Pixels of the grid are pixels of the picture, so the result does not depend on the order of
/// reading. Thread-safe.
public final class PictureSample: Sendable {
  private struct Grid {
    var step = 1
    var size = PixelSize(width: 0, height: 0)
    var info = DisplayReferred.Info(primaries: .bt2020, headroom: 1)
    var pixels: [SIMD3<Float>] = []
  }

  private let grid = Mutex(Grid())
  private let side: Int

  /// A sample of about `side` pixels along the longer side.
  public init(side: Int = 640) { self.side = min(max(side, 16), PixelSize.largestSide) }

  /// Starts over for a picture of `size`.
  func begin(_ size: PixelSize, info: DisplayReferred.Info) {
    grid.withLock { grid in
      grid.step = max(1, (max(size.width, size.height) + side - 1) / side)
      // Integer steps, sampled at their middle.
      grid.size = PixelSize(
        width: max(1, size.width / grid.step), height: max(1, size.height / grid.step))
      grid.info = info
      grid.pixels = Array(repeating: .zero, count: grid.size.area)
    }
  }

  /// Samples `buffer`, which holds `rect` of the picture.
  func add(_ buffer: PlanarBuffer, at rect: PixelRect) {
    grid.withLock { grid in
      let (step, half) = (grid.step, grid.step / 2)
      let rows = Self.range(rect.y..<rect.endY, step: step, half: half, count: grid.size.height)
      let columns = Self.range(rect.x..<rect.endX, step: step, half: half, count: grid.size.width)
      for j in rows {
        let y = j * step + half - rect.y
        let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
        for i in columns {
          let x = i * step + half - rect.x
          grid.pixels[j * grid.size.width + i] = SIMD3(r[x], g[x], b[x])
        }
      }
    }
  }

  /// The indices of the grid's lines, at `half`, `half` + `step` …, in `range`.
  private static func range(_ range: Range<Int>, step: Int, half: Int, count: Int) -> Range<Int> {
    func first(_ edge: Int) -> Int { min(max((edge - half + step - 1) / step, 0), count) }
    let low = first(range.lowerBound)
    return low..<max(low, first(range.upperBound))
  }

  /// The statistics; nil before a picture was read.
  public var statistics: LuminanceStatistics? {
    grid.withLock { grid in
      guard !grid.pixels.isEmpty else { return nil }
      let weights = SIMD3<Float>(grid.info.primaries.luminance)
      let limit = grid.info.headroom * 0.999
      var bins = [Int](repeating: 0, count: 64)
      var (black, above, clipped) = (0, 0, 0)
      for pixel in grid.pixels {
        let luminance = (pixel * weights).sum()
        let bin = luminance > 0 ? (log2(luminance) + 10) * 4 : 0
        bins[Int(min(max(bin, 0), 63))] += 1
        let top = pixel.max()
        if !(top > 0) { black += 1 }
        if top > 1 { above += 1 }
        if top >= limit { clipped += 1 }
      }
      let total = Double(grid.pixels.count)
      return LuminanceStatistics(
        histogram: bins.map { Int((Double($0) / total * 100_000).rounded()) },
        blackShare: Float(Double(black) / total), aboveWhiteShare: Float(Double(above) / total),
        clippedShare: Float(Double(clipped) / total))
    }
  }

  /// An SDR thumbnail as JPEG, with a longer side of `side` pixels, tone-mapped as for an SDR
  /// display; nil before a picture was read.
  public func thumbnail(side: Int) throws -> [UInt8]? {
    let copy = grid.withLock { $0 }
    guard !copy.pixels.isEmpty else { return nil }
    let image = try Image<DisplayReferred>(size: copy.size, info: copy.info) { planes in
      for y in 0..<copy.size.height {
        for plane in 0..<3 {
          let row = planes.row(plane, y)
          for x in 0..<copy.size.width { row[x] = copy.pixels[y * copy.size.width + x][plane] }
        }
      }
    }
    let peak = copy.pixels.reduce(1) { max($0, $1.max()) }
    let small = try DisplayPicture(image, contentHeadroom: Double(peak))
      .thumbnail(maxPixelSize: side)
    let shown = PrimariesConversion(
      DisplayRendering(.standard, displayHeadroom: 1)(small), to: .srgb,
      .compressed)
    return try JPEGWriter(EncoderSettings(.jpeg, .sRGB, quality: 0.7), workers: 1).encode(shown)
  }
}
