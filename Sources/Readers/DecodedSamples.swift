import HDRRender
import ImageCore

/// The decoded samples of a picture as stored in its file, interleaved. Immutable once filled.
@safe final class DecodedSamples: @unchecked Sendable {
  /// What a sample is.
  enum Format: Sendable, Hashable {
    /// Integers of `bits` bits, 1…16, in one byte up to 8 and in two, native, from 9 on; the
    /// maximum means 1.0.
    case codes(bits: Int)
    /// 32-bit floats, native.
    case floats
    /// 16-bit floats, native.
    case halves

    var isInteger: Bool { if case .codes = self { true } else { false } }

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
  init<E: PixelErrorTranslating>(
    size: PixelSize, channels: Int, format: Format,
    fill: (DecodedSamples) throws(E) -> Void
  ) throws(E) {
    precondition(channels == 1 || channels == 3, "gray or RGB")
    self.size = size
    self.channels = channels
    self.format = format
    stride = DecodedSamples.bytes(
      PixelSize(width: size.width, height: 1), channels: channels, format)
    do throws(PixelError) {
      unsafe storage = try PixelMemory.allocate(bytes: stride * size.height)
    } catch { throw E(error) }
    try fill(self)
  }

  /// Bytes that a picture takes, each row of it a multiple of 16; `Int.max` where that is too few.
  static func bytes(_ size: PixelSize, channels: Int, _ format: Format) -> Int {
    let (row, isWide) = size.width.multipliedReportingOverflow(by: channels * format.bytes)
    let (padded, isWider) = row.addingReportingOverflow(15)
    let (bytes, overflow) = (padded & ~15).multipliedReportingOverflow(by: size.height)
    return isWide || isWider || overflow ? Int.max : bytes
  }

  deinit { unsafe PixelMemory.deallocate(storage, bytes: stride * size.height) }

  /// First byte of row `y`; written only while the picture is filled.
  func row(_ y: Int) -> UnsafeMutableRawPointer {
    precondition(y >= 0 && y < size.height, "row outside the picture")
    return unsafe storage + y * stride
  }

  /// The samples as those of a gain map. The picture must have integer samples.
  func gainMapImage() throws(GainMapError) -> GainMapImage {
    guard case .codes(let bits) = format else { preconditionFailure("samples are not integers") }
    var codes: [UInt16] = []
    let count = size.width * channels
    codes.reserveCapacity(count * size.height)
    for y in 0..<size.height {
      let row = unsafe UnsafeRawPointer(row(y))
      if bits > 8 {
        unsafe codes += UnsafeBufferPointer(
          start: row.assumingMemoryBound(to: UInt16.self), count: count)
      } else {
        let bytes = unsafe UnsafeBufferPointer(
          start: row.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe codes += bytes.lazy.map(UInt16.init)
      }
    }
    return try GainMapImage(
      size: size, channels: channels, codes: codes,
      maximumCode: UInt16(truncatingIfNeeded: 1 << bits - 1))
  }
}
