import ImageCore

/// The coefficients of a subband, row by row, zeros until they are decoded.
final class SubbandPlane<Coefficient: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
  let size: PixelSize
  /// Coefficients from one row to the next.
  let stride: Int
  private let memory: Memory

  /// The memory of a plane, which no two threads write at one place.
  private struct Memory: ~Copyable, @unchecked Sendable {
    let storage: PixelStorage<Coefficient>
  }

  /// A plane of `size`. `margin` further coefficients may be written behind the last one.
  init(_ size: PixelSize, stride: Int? = nil, rows: Int? = nil, margin: Int = 0) throws(PixelError)
  {
    self.size = size
    self.stride = stride ?? size.width
    let count = self.stride * (rows ?? size.height) + margin
    memory = Memory(storage: try PixelStorage(zeros: count))
  }

  /// Row `y`.
  func row(_ y: Int) -> SampleRow<Coefficient> { all.from(y * stride).prefix(size.width) }

  /// All memory, margin included.
  var all: SampleRow<Coefficient> {
    unsafe SampleRow(
      memory.storage.start, count: memory.storage.count, before: 0, behind: 0)
  }
}
