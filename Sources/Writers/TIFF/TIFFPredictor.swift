/// The two TIFF predictors: each row is replaced by differences between neighboring samples of the
/// same channel, which a reader undoes without loss.
enum TIFFPredictor {
  /// Predictor 2 (TIFF 6.0, section 14): differences of samples, mod 2^bits, of one channel.
  @inline(__always)
  static func differences<Code: FixedWidthInteger>(
    of codes: UnsafePointer<Code>, count: Int, channels: Int, into row: UnsafeMutablePointer<Code>
  ) {
    var i = 0
    while i < min(channels, count) {
      unsafe row[i] = codes[i]
      i &+= 1
    }
    while i < count {
      unsafe row[i] = codes[i] &- codes[i &- channels]
      i &+= 1
    }
  }

  /// Predictor 3 (Adobe Photoshop TIFF Technical Note 3): the bytes of the floats are sorted by
  /// significance, highest first, into four consecutive planes; then each byte of the complete row
  /// becomes the difference from the one `channels` before it. `planes` holds 4 × `count` bytes.
  static func floatDifferences(
    of values: UnsafePointer<UInt32>, count: Int, channels: Int,
    planes: UnsafeMutablePointer<UInt8>, into row: UnsafeMutablePointer<UInt8>
  ) {
    let (second, third, fourth) = unsafe (planes + count, planes + 2 &* count, planes + 3 &* count)
    var i = 0
    while i < count {
      let bits = unsafe values[i]
      unsafe planes[i] = UInt8(truncatingIfNeeded: bits >> 24)
      unsafe second[i] = UInt8(truncatingIfNeeded: bits >> 16)
      unsafe third[i] = UInt8(truncatingIfNeeded: bits >> 8)
      unsafe fourth[i] = UInt8(truncatingIfNeeded: bits)
      i &+= 1
    }
    unsafe byteDifferences(of: planes, count: 4 &* count, channels: channels, into: row)
  }

  /// The same for floats of 16 bits, which make two planes.
  static func halfDifferences(
    of values: UnsafePointer<UInt16>, count: Int, channels: Int,
    planes: UnsafeMutablePointer<UInt8>, into row: UnsafeMutablePointer<UInt8>
  ) {
    let second = unsafe planes + count
    var i = 0
    while i < count {
      let bits = unsafe values[i]
      unsafe planes[i] = UInt8(truncatingIfNeeded: bits >> 8)
      unsafe second[i] = UInt8(truncatingIfNeeded: bits)
      i &+= 1
    }
    unsafe byteDifferences(of: planes, count: 2 &* count, channels: channels, into: row)
  }

  @inline(__always)
  private static func byteDifferences(
    of planes: UnsafeMutablePointer<UInt8>, count: Int, channels: Int,
    into row: UnsafeMutablePointer<UInt8>
  ) {
    // Three, as of nearly every file, is known to the compiler.
    channels == 3
      ? unsafe differences(of: planes, count: count, channels: 3, into: row)
      : unsafe differences(of: planes, count: count, channels: channels, into: row)
  }
}
