import CVector
import ImageCore
import RawDecode

/// The smallest and largest balanced value of each channel in blocks of the mosaic before repairs:
/// with them a search for the brightest pixel skips most of the picture. Defects are included; a
/// repaired photosite lies between those around it.
final class BlockExtrema: @unchecked Sendable {
  /// Photosites of a block; multiples of most patterns and superpixels.
  static let blockWidth = 192
  static let blockHeight = 96

  /// Extrema of one block, by channel.
  struct Block: Sendable {
    fileprivate(set) var low = SIMD4<Float>(repeating: .infinity)
    fileprivate(set) var high = SIMD4<Float>(repeating: -.infinity)

    @inline(__always)
    fileprivate mutating func add(_ least: Float, _ most: Float, channel: Int) {
      low[channel] = min(low[channel], least)
      high[channel] = max(high[channel], most)
    }
  }

  /// Columns and rows of blocks.
  let count: PixelSize
  private let cfa: CFA
  private let width: Int
  private let isTwoByTwo: Bool
  private let blocks: PixelStorage<Block>

  init(_ size: PixelSize, _ cfa: CFA) {
    self.cfa = cfa
    width = size.width
    isTwoByTwo = cfa.width == 2 && cfa.height == 2
    count = PixelSize(
      width: (size.width + Self.blockWidth - 1) / Self.blockWidth,
      height: (size.height + Self.blockHeight - 1) / Self.blockHeight)
    blocks = PixelStorage(count: count.area, repeating: Block())
  }

  /// The block in column `x`, row `y` of blocks.
  func block(x: Int, y: Int) -> Block { blocks.start[y * count.width + x] }

  /// Adds the extrema of one channel in the block in column `x`, row `y` of blocks.
  func add(_ low: Float, _ high: Float, channel: Int, x: Int, y: Int) {
    blocks.start[y * count.width + x].add(low, high, channel: channel)
  }

  /// Adds row `y` of one channel of a picture without a mosaic.
  func add(_ row: MutableRowView, channel: Int, y: Int) {
    let line = blocks.start + y / Self.blockHeight * count.width
    for block in 0..<count.width {
      let start = block * Self.blockWidth
      let (low, high) = Self.range(row.from(start), min(Self.blockWidth, width - start))
      line[block].add(low.min(), high.max(), channel: channel)
    }
  }

  /// Smallest and largest of `count` samples, those of even and odd columns in lanes of their own.
  private static func range(
    _ row: MutableRowView, _ count: Int
  ) -> (SIMD8<Float>, SIMD8<Float>) {
    var low = SIMD8<Float>(repeating: .infinity)
    var high = SIMD8<Float>(repeating: -.infinity)
    // The margin must not count.
    let whole = count & ~7
    for x in vectors(whole) {
      let values = row.lanes(x)
      low = cv_min8(values, low)
      high = cv_max8(values, high)
    }
    for x in whole..<count {
      low[x & 1] = min(low[x & 1], row[x])
      high[x & 1] = max(high[x & 1], row[x])
    }
    return (low, high)
  }

  /// Adds row `y` of the mosaic, `row` its first photosite. Rows of one block must come one after
  /// another.
  func add(_ row: MutableRowView, y: Int) {
    let line = blocks.start + y / Self.blockHeight * count.width
    for block in 0..<count.width {
      let start = block * Self.blockWidth
      let (low, high) = Self.range(row.from(start), min(Self.blockWidth, width - start))
      if isTwoByTwo {
        // Blocks start at even columns, so even lanes have one channel and odd lanes the other.
        let (even, odd) = (cfa.channel(x: 0, y: y), cfa.channel(x: 1, y: y))
        line[block].add(low.evenHalf.min(), high.evenHalf.max(), channel: even)
        line[block].add(low.oddHalf.min(), high.oddHalf.max(), channel: odd)
      } else {
        let (smallest, largest) = (low.min(), high.max())
        for c in 0..<4 { line[block].add(smallest, largest, channel: c) }
      }
    }
  }
}
