internal import CPOSIX
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The only allocator of pixels, and counters of the memory in use.
public enum PixelMemory {
  private static let live = Atomic<Int>(0)
  private static let highest = Atomic<Int>(0)
  private static let total = Atomic<Int>(0)

  /// A freed block, cached for the next allocation of its size.
  private struct Spare: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let bytes: Int
  }
  private static let spare = Mutex<Spare?>(nil)
  private static let reuses = Atomic<Bool>(false)
  /// Minimum size of a cached block, bytes.
  private static let minSpare = 16 << 20

  /// From now on the largest freed block is cached, for programs that develop one picture after the
  /// other: mapping the pages of 24 megapixels of samples again takes 0.02 s.
  package static func reusesLargestBlock() { reuses.store(true, ordering: .relaxed) }

  /// The cached block, if it is large enough and not much too large.
  private static func takeSpare(bytes: Int) -> UnsafeMutableRawPointer? {
    guard bytes >= minSpare, reuses.load(ordering: .relaxed) else { return nil }
    return spare.withLock { spare -> Spare? in
      guard let held = spare, (bytes...bytes + bytes / 4).contains(held.bytes) else { return nil }
      spare = nil
      return held
    }?.start
  }

  /// Caches a block instead of a smaller one; returns the one to free.
  private static func exchangeSpare(_ block: Spare) -> Spare? {
    guard block.bytes >= minSpare, reuses.load(ordering: .relaxed) else { return block }
    return spare.withLock { spare -> Spare? in
      guard let held = spare, held.bytes >= block.bytes else {
        defer { spare = block }
        return spare
      }
      return block
    }
  }

  /// The address of empty blocks: aligned, and never freed.
  package static var nothing: UnsafeMutableRawPointer {
    // Not null, and not the address of anything else.
    UnsafeMutableRawPointer(bitPattern: 64).unsafelyUnwrapped
  }

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
  package static func allocate(bytes: Int) throws(PixelError) -> UnsafeMutableRawPointer {
    guard bytes > 0 else { return nothing }
    if Cancellation.refusesMemory(bytes) { throw .outOfMemory(bytes: bytes) }
    var pointer = takeSpare(bytes: bytes)
    guard pointer != nil || posix_memalign(&pointer, 64, max(bytes, 64)) == 0, let pointer else {
      throw .outOfMemory(bytes: bytes)
    }
    let now = live.add(bytes, ordering: .relaxed).newValue
    highest.max(now, ordering: .relaxed)
    total.add(bytes, ordering: .relaxed)
    return pointer
  }

  /// Lets all threads of this process allocate from one heap: memory freed by one thread serves the
  /// others. Pixels are reused, so threads rarely wait for each other.
  package static func shareHeap() { cposix_share_heap() }

  /// Returns the pages within `bytes` bytes from `pointer` on to the system, but not the addresses.
  /// Their contents are lost.
  package static func forget(_ pointer: UnsafeMutableRawPointer, bytes: Int) {
    let page = Int(getpagesize())
    let first = (Int(bitPattern: pointer) + page - 1) / page * page
    let end = (Int(bitPattern: pointer) + bytes) / page * page
    guard end > first else { return }
    _ = madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_DONTNEED)
  }

  package static func deallocate(_ pointer: UnsafeMutableRawPointer, bytes: Int) {
    guard bytes > 0 else { return }
    if let unused = exchangeSpare(Spare(start: pointer, bytes: bytes)) { free(unused.start) }
    live.subtract(bytes, ordering: .relaxed)
  }
}

/// Memory for a fixed number of values, freed with its owner.
package struct PixelStorage<Value>: ~Copyable {
  package let start: UnsafeMutablePointer<Value>
  package let count: Int

  /// Values that are copied at a time when memory is filled: they stay in the nearest cache.
  private static var filledAtOnce: Int { 1024 }

  /// `count` times `value`, which must not own memory. Copied in blocks: the type is not known
  /// here, and a function would be called for each value.
  package init(count: Int, repeating value: Value) throws(PixelError) {
    let memory = try PixelMemory.allocate(bytes: count * MemoryLayout<Value>.stride)
    start = memory.bindMemory(to: Value.self, capacity: count)
    self.count = count
    var filled = min(count, 1)
    start.initialize(repeating: value, count: filled)
    while filled < count {
      let block = min(filled, count - filled, Self.filledAtOnce)
      (start + filled).initialize(from: start, count: block)
      filled += block
    }
  }

  /// Memory for `count` values, which are undefined; what is never written takes no memory.
  package init(undefined count: Int) throws(PixelError) {
    start = try PixelMemory.allocate(bytes: count * MemoryLayout<Value>.stride)
      .bindMemory(to: Value.self, capacity: count)
    self.count = count
  }

  /// No values.
  package init() {
    start = PixelMemory.nothing.assumingMemoryBound(to: Value.self)
    count = 0
  }

  deinit { PixelMemory.deallocate(start, bytes: count * MemoryLayout<Value>.stride) }
}

extension PixelStorage where Value: BitwiseCopyable {
  /// `count` values of zero bits.
  package init(zeros count: Int) throws(PixelError) {
    let bytes = count * MemoryLayout<Value>.stride
    let memory = try PixelMemory.allocate(bytes: bytes)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    start = memory.bindMemory(to: Value.self, capacity: count)
    self.count = count
  }
}
