/// Eight neighbouring samples of a row at once. The row must be readable, or writable, at all of
/// them: rows of this module have margins for that.
extension UnsafeMutablePointer<Float> {
  /// Samples `i` to `i + 7`.
  @inline(__always)
  func lanes(_ i: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self + i).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// Writes samples `i` to `i + 7`.
  @inline(__always)
  func setLanes(_ i: Int, _ value: SIMD8<Float>) {
    UnsafeMutableRawPointer(self + i).storeBytes(of: value, as: SIMD8<Float>.self)
  }
}

extension UnsafePointer<Float> {
  /// Samples `i` to `i + 7`.
  @inline(__always)
  func lanes(_ i: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self + i).loadUnaligned(as: SIMD8<Float>.self)
  }
}
