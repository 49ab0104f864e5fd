import ImageCore
import Synchronization

/// Memory for finished bands, used again and again: fresh pages cost more than the work on them.
final class BandMemory: Sendable {
  private let free = Mutex<[Block]>([])
  private let byteCount: Int

  /// One block. A band owns it from the worker that fills it to the writer that empties it.
  @safe final class Block: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    init(byteCount: Int) {
      unsafe bytes = UnsafeMutableRawBufferPointer(
        start: PixelMemory.allocate(bytes: byteCount), count: byteCount)
    }
    deinit {
      if let start = unsafe bytes.baseAddress {
        unsafe PixelMemory.deallocate(start, bytes: bytes.count)
      }
    }
  }

  /// Blocks of `byteCount` bytes each.
  init(byteCount: Int) { self.byteCount = byteCount }

  func take() -> Block {
    free.withLock { $0.popLast() } ?? Block(byteCount: byteCount)
  }

  func giveBack(_ block: Block) { free.withLock { $0.append(block) } }
}
