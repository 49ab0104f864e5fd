import ImageCore

/// Memory for a row or a tile during decoding, freed with its owner. Uninitialized.
@safe struct RowMemory<Sample: BitwiseCopyable>: ~Copyable {
  /// The complete memory.
  let row: SampleRow<Sample>

  init(count: Int) {
    row = unsafe SampleRow(.allocate(capacity: count), count: count, before: 0, behind: 0)
  }

  deinit { unsafe row.start.deallocate() }
}

extension SampleRow where Sample == UInt8 {
  /// The same memory as multi-byte numbers.
  @inline(__always)
  func rebound<T: BitwiseCopyable>(to type: T.Type) -> SampleRow<T> {
    unsafe SampleRow<T>(
      UnsafeMutableRawPointer(start).assumingMemoryBound(to: T.self),
      count: count / MemoryLayout<T>.size, before: 0, behind: 0)
  }
}
