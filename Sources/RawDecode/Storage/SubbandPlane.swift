import ImageCore

/// The coefficients of a subband, row by row, initialized to 0.
final class SubbandPlane<Coefficient: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
  let size: PixelSize
  /// Distance between rows, in coefficients.
  let stride: Int
  private let memory: Memory

  /// The memory of a plane. Threads write disjoint parts.
  private struct Memory: ~Copyable, @unchecked Sendable {
    let storage: PixelStorage<Coefficient>
  }

  /// A plane of `size`, followed by `margin` more writable coefficients.
  init(_ size: PixelSize, stride: Int? = nil, rows: Int? = nil, margin: Int = 0) throws(PixelError)
  {
    self.size = size
    self.stride = stride ?? size.width
    let count = self.stride * (rows ?? size.height) + margin
    memory = Memory(storage: try PixelStorage(zeros: count))
  }

  /// Row `y`.
  func row(_ y: Int) -> SampleRow<Coefficient> { all.from(y * stride).prefix(size.width) }

  /// The complete memory, including the margin.
  var all: SampleRow<Coefficient> {
    unsafe SampleRow(
      memory.storage.start, count: memory.storage.count, before: 0, behind: 0)
  }
}
