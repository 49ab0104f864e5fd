/// Turns one row of linear light into 16-bit codes, R, G and B interleaved.
///
/// Any number may stand in the row: what the space cannot hold is clamped, NaN becomes 0.
protocol RowEncoder: Sendable {
  /// Codes `count` pixels of three planes, 1.0 = reference white, into 3 × `count` numbers. The rows
  /// may be used up, and read and written up to the next multiple of eight.
  func encode(
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>, count: Int, into codes: UnsafeMutablePointer<UInt16>)
}
