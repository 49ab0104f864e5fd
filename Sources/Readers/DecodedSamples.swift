import ImageCore

/// The numbers of a decoded picture as its file stores them, side by side in each row, read only
/// once it is full.
@safe final class DecodedSamples: @unchecked Sendable {
  /// What a sample is.
  enum Format: Sendable, Hashable {
    /// Whole numbers of so many bits, 1…16, in one byte up to 8 and in two, native, from 9 on;
    /// the largest stands for 1.
    case codes(bits: Int)
    /// 32-bit floats, native.
    case floats
    /// 16-bit floats, native.
    case halves

    var bytes: Int {
      switch self {
      case .codes(let bits): bits <= 8 ? 1 : 2
      case .floats: 4
      case .halves: 2
      }
    }
  }

  let size: PixelSize
  /// Samples of a pixel: 1 gray or 3 RGB.
  let channels: Int
  let format: Format
  /// Bytes from one row to the next.
  let stride: Int
  private let storage: UnsafeMutableRawPointer

  /// A picture whose rows `fill` writes.
  init<E: Error>(
    size: PixelSize, channels: Int, format: Format,
    fill: (DecodedSamples) throws(E) -> Void
  ) throws(E) {
    precondition(channels == 1 || channels == 3, "gray or RGB")
    self.size = size
    self.channels = channels
    self.format = format
    stride = (size.width * channels * format.bytes + 15) & ~15
    unsafe storage = PixelMemory.allocate(bytes: stride * size.height)
    try fill(self)
  }

  deinit { unsafe PixelMemory.deallocate(storage, bytes: stride * size.height) }

  /// First byte of row `y`; written only while the picture is filled.
  func row(_ y: Int) -> UnsafeMutableRawPointer {
    precondition(y >= 0 && y < size.height, "row outside the picture")
    return unsafe storage + y * stride
  }
}
