/// Eight neighbouring samples of a row, read and written without alignment or bounds checks. Rows
/// that pass through here have room for whole groups of eight behind their last column.
enum Lanes {
  @inline(__always)
  static func load(_ row: UnsafePointer<Float>, _ x: Int) -> SIMD8<Float> {
    UnsafeRawPointer(row + x).loadUnaligned(as: SIMD8<Float>.self)
  }
  @inline(__always)
  static func store(_ row: UnsafeMutablePointer<Float>, _ x: Int, _ v: SIMD8<Float>) {
    UnsafeMutableRawPointer(row + x).storeBytes(of: v, as: SIMD8<Float>.self)
  }
  @inline(__always)
  static func store(_ row: UnsafeMutablePointer<UInt16>, _ x: Int, _ v: SIMD8<UInt16>) {
    UnsafeMutableRawPointer(row + x).storeBytes(of: v, as: SIMD8<UInt16>.self)
  }
}
