import CKernels
import ImageCore

/// A moved frame at the photosites of the reference, stored so that it is demosaiced once: for the
/// search of ghosts, and again for the merge.
///
/// Values are halves (IEEE 754), whose rounding, 2⁻¹² of a value and 2⁻²⁵ near black, is far below
/// the noise of any sensor; the trust in a sample is the square of a byte, rounded up, so that none
/// becomes 0. Three bytes a sample replace the two of the original frame. All values of moved
/// frames are rounded this way (``round(_:_:count:)``), stored or not. Missing samples are 0 with
/// no trust.
final class ResampledFrame: @unchecked Sendable {
  private let stride: Int
  private let rows: Int
  private let values: PixelStorage<UInt16>
  private let trust: PixelStorage<UInt8>

  /// For `rows` rows of `stride` samples, each of which is stored once.
  init(stride: Int, rows: Int) throws(PixelError) {
    (self.stride, self.rows) = (stride, rows)
    values = try PixelStorage(undefined: stride * rows)
    trust = try PixelStorage(undefined: stride * rows)
  }

  /// Stores row `y`. Eight samples after the row are readable.
  func store(row y: Int, _ values: UnsafePointer<Float>, _ trust: UnsafePointer<Float>) {
    ck_halfRow(values, self.values.start + y * stride, Int64(stride))
    let out = self.trust.start + y * stride
    for x in 0..<stride { out[x] = Self.byte(trust[x]) }
  }

  /// Row `y`, `stride` samples.
  func read(
    row y: Int, into values: UnsafeMutablePointer<Float>, _ trust: UnsafeMutablePointer<Float>
  ) {
    let (halves, bytes) = (self.values.start + y * stride, self.trust.start + y * stride)
    for x in 0..<stride { values[x] = Float(half: halves[x]) }
    for x in 0..<stride { trust[x] = Self.trust(bytes[x]) }
  }

  /// Gives back the memory of the rows above `row`, which are not read again.
  func forget(above row: Int) {
    let count = min(row, rows) * stride
    PixelMemory.forget(values.start, bytes: count * 2)
    PixelMemory.forget(trust.start, bytes: count)
  }

  /// Values and trust as they are after storing. Eight samples after the row are readable.
  static func round(
    _ values: UnsafeMutablePointer<Float>, _ trust: UnsafeMutablePointer<Float>, count: Int
  ) {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { halves in
      guard let halves = halves.baseAddress else { return }
      ck_halfRow(values, halves, Int64(count))
      for x in 0..<count { values[x] = Float(half: halves[x]) }
    }
    for x in 0..<count { trust[x] = Self.trust(byte(trust[x])) }
  }

  @inline(__always) private static func byte(_ trust: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: Int32((trust.squareRoot() * 255).rounded(.up)))
  }

  @inline(__always) private static func trust(_ byte: UInt8) -> Float {
    let root = Float(byte)
    return root * root / 65025
  }
}
