import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The only allocator of pixels, and counters of the memory in use.
public enum PixelMemory {
  private static let live = Atomic<Int>(0)
  private static let highest = Atomic<Int>(0)
  private static let total = Atomic<Int>(0)

  /// Bytes in use now.
  public static var liveBytes: Int { live.load(ordering: .relaxed) }
  /// Largest number of bytes in use at one time since the last ``resetCounts()``.
  public static var peakBytes: Int { highest.load(ordering: .relaxed) }
  /// Sum of all allocations since the last ``resetCounts()``.
  public static var allocatedBytes: Int { total.load(ordering: .relaxed) }

  /// Restarts the counters from the memory in use now.
  public static func resetCounts() {
    highest.store(liveBytes, ordering: .relaxed)
    total.store(0, ordering: .relaxed)
  }

  /// Uninitialized bytes, aligned for any vector. No huge pages are asked for: where memory is
  /// shared or fragmented, making them costs more than they save (0.1 s of 0.7 s for a 12-MP ProRAW
  /// on a virtual machine).
  @usableFromInline
  package static func allocate(bytes: Int) -> UnsafeMutableRawPointer {
    var pointer: UnsafeMutableRawPointer?
    guard posix_memalign(&pointer, 64, max(bytes, 64)) == 0, let pointer else {
      fatalError("out of memory: \(bytes) bytes of pixels")
    }
    let now = live.add(bytes, ordering: .relaxed).newValue
    highest.max(now, ordering: .relaxed)
    total.add(bytes, ordering: .relaxed)
    return pointer
  }

  package static func deallocate(_ pointer: UnsafeMutableRawPointer, bytes: Int) {
    free(pointer)
    live.subtract(bytes, ordering: .relaxed)
  }
}

/// Memory for a fixed number of values, which ends with its owner.
package struct PixelStorage<Value>: ~Copyable {
  package let start: UnsafeMutablePointer<Value>
  package let count: Int

  /// Values that are copied at a time when memory is filled: they stay in the nearest cache.
  private static var filledAtOnce: Int { 1024 }

  /// `count` times `value`, which must not own memory. In pieces: the type is not known here,
  /// and a function would be called for each value.
  package init(count: Int, repeating value: Value) {
    let memory = PixelMemory.allocate(bytes: count * MemoryLayout<Value>.stride)
    start = memory.bindMemory(to: Value.self, capacity: count)
    self.count = count
    var filled = min(count, 1)
    start.initialize(repeating: value, count: filled)
    while filled < count {
      let piece = min(filled, count - filled, Self.filledAtOnce)
      (start + filled).initialize(from: start, count: piece)
      filled += piece
    }
  }

  deinit { PixelMemory.deallocate(start, bytes: count * MemoryLayout<Value>.stride) }
}
