import CKernels
import ImageCore
import RawData

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
    fileprivate mutating func add(_ minimum: Float, _ maximum: Float, channel: Int) {
      low[channel] = min(low[channel], minimum)
      high[channel] = max(high[channel], maximum)
    }
  }

  /// Columns and rows of blocks.
  let count: PixelSize
  private let cfa: CFA
  private let width: Int
  private let isTwoByTwo: Bool
  private let blocks: PixelStorage<Block>

  init(_ size: PixelSize, _ cfa: CFA) throws(PixelError) {
    self.cfa = cfa
    width = size.width
    isTwoByTwo = cfa.width == 2 && cfa.height == 2
    count = PixelSize(
      width: (size.width + Self.blockWidth - 1) / Self.blockWidth,
      height: (size.height + Self.blockHeight - 1) / Self.blockHeight)
    blocks = try PixelStorage(count: count.area, repeating: Block())
  }

  /// The block in column `x`, row `y` of blocks.
  func block(x: Int, y: Int) -> Block { blocks.start[y * count.width + x] }

  /// Adds the extrema of one channel in the block in column `x`, row `y` of blocks.
  func add(_ low: Float, _ high: Float, channel: Int, x: Int, y: Int) {
    // Threads add to different blocks. With Swift 6.3 ThreadSanitizer takes an in-place change of
    // one block for a change of the field that points to all.
    let block = blocks.start + (y * count.width + x)
    block.pointee.add(low, high, channel: channel)
  }

  /// Adds row `y` of one channel of a picture without a mosaic.
  func add(_ row: MutableRowView, channel: Int, y: Int) {
    forEachBlock(row, y: y) { block, low, high in
      block.add(low.min(), high.max(), channel: channel)
    }
  }

  /// Calls `body` with each block of row `y` and the smallest and largest samples of the row in it;
  /// even and odd columns are in separate lanes.
  private func forEachBlock(
    _ row: MutableRowView, y: Int, _ body: (inout Block, SIMD8<Float>, SIMD8<Float>) -> Void
  ) {
    let line = blocks.start + y / Self.blockHeight * count.width
    withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: 2 * count.width) { ranges in
      ck_blockRanges(
        row.start, Int64(width), Int64(Self.blockWidth),
        UnsafeMutableRawPointer(ranges.baseAddress)?.assumingMemoryBound(to: Float.self))
      for block in 0..<count.width {
        body(&line[block], ranges[2 * block], ranges[2 * block + 1])
      }
    }
  }

  /// Adds row `y` of the mosaic, `row` its first photosite. Rows of one block must come one after
  /// another.
  func add(_ row: MutableRowView, y: Int) {
    forEachBlock(row, y: y) { block, low, high in
      if isTwoByTwo {
        // Blocks start at even columns, so even lanes have one channel and odd lanes the other.
        let (even, odd) = (cfa.channel(x: 0, y: y), cfa.channel(x: 1, y: y))
        block.add(low.evenHalf.min(), high.evenHalf.max(), channel: even)
        block.add(low.oddHalf.min(), high.oddHalf.max(), channel: odd)
      } else {
        let (smallest, largest) = (low.min(), high.max())
        for c in 0..<4 { block.add(smallest, largest, channel: c) }
      }
    }
  }
}
