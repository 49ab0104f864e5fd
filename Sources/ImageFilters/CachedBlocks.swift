import Foundation
import ImageCore

/// A picture whose blocks are computed once and cached, for readers whose rectangles overlap: a
/// rotation or warp reads the same pixels for several of its tiles, and the stages before it would
/// compute them, with their surroundings, each time again.
///
/// Up to a limit, the most recently used blocks are cached. A thread that needs a block which
/// another computes waits for it. Pixels equal those of the source, bit for bit.
final class CachedBlocks<State: ImageState>: PixelSource, @unchecked Sendable {
  /// Columns and rows of a block.
  static var block: PixelSize { PixelSize(width: 512, height: 256) }

  private struct Entry {
    /// Nil while it is computed.
    var pixels: PlanarBuffer?
    var lastUse: Int
  }

  private let source: any PixelSource<State>
  private let limit: Int
  private let condition = NSCondition()
  private var entries: [Int: Entry] = [:]
  private var uses = 0

  /// Caches up to `limit` blocks of `source`, at least one.
  init(_ source: any PixelSource<State>, limit: Int) {
    self.source = source
    self.limit = max(limit, 1)
  }

  var size: PixelSize { source.size }
  var info: State.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    let (width, height) = (Self.block.width, Self.block.height)
    for row in rect.y / height..<(rect.endY + height - 1) / height {
      for column in rect.x / width..<(rect.endX + width - 1) / width {
        let block = PixelRect(x: column * width, y: row * height, width: width, height: height)
          .intersection(PixelRect(size))
        let part = block.intersection(rect)
        guard !part.isEmpty else { continue }
        let pixels = try pixels(
          of: block, number: row * ((size.width + width - 1) / width) + column)
        for plane in 0..<3 {
          for y in part.y..<part.endY {
            buffer.row(plane, y - rect.y).from(part.x - rect.x).update(
              from: pixels.row(plane, y - block.y).from(part.x - block.x), count: part.width)
          }
        }
      }
    }
  }

  private func pixels(of block: PixelRect, number: Int) throws(PixelError) -> PlanarBuffer {
    condition.lock()
    uses += 1
    while let entry = entries[number] {
      entries[number]?.lastUse = uses
      if let pixels = entry.pixels {
        condition.unlock()
        return pixels
      }
      condition.wait()
    }
    entries[number] = Entry(pixels: nil, lastUse: uses)
    condition.unlock()
    let made: PlanarBuffer
    do throws(PixelError) {
      made = try PlanarBuffer(size: block.size)
      try source.read(block, into: made)
    } catch {
      // A waiting thread makes it.
      condition.withLock {
        entries[number] = nil
        condition.broadcast()
      }
      throw error
    }
    condition.lock()
    entries[number]?.pixels = made
    while entries.count > limit,
      let oldest = entries.filter({ $0.value.pixels != nil && $0.key != number })
        .min(by: { $0.value.lastUse < $1.value.lastUse })?.key
    {
      entries[oldest] = nil
    }
    condition.broadcast()
    condition.unlock()
    return made
  }
}
