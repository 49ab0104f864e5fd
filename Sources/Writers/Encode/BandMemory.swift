import ImageCore
import Synchronization

/// Reused memory for finished bands: faulting in fresh pages costs more than filling them.
final class BandMemory: Sendable {
  private let free = Mutex<[Block]>([])
  private let byteCount: Int

  /// One block. A band owns it from the thread that fills it to the one that writes it.
  @safe final class Block: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    init(byteCount: Int) throws(PixelError) {
      unsafe bytes = UnsafeMutableRawBufferPointer(
        start: try PixelMemory.allocate(bytes: byteCount), count: byteCount)
    }
    deinit {
      if let start = unsafe bytes.baseAddress {
        unsafe PixelMemory.deallocate(start, bytes: bytes.count)
      }
    }
  }

  /// Blocks of `byteCount` bytes each.
  init(byteCount: Int) { self.byteCount = byteCount }

  func take() throws(PixelError) -> Block {
    if let block = free.withLock({ $0.popLast() }) { return block }
    return try Block(byteCount: byteCount)
  }

  func giveBack(_ block: Block) { free.withLock { $0.append(block) } }
}
