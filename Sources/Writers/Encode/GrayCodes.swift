/// One channel of interleaved RGB codes whose three channels are alike.
enum GrayCodes {
  /// A code of 16 bits, rounded to 8.
  static func byte(_ code: UInt16) -> UInt8 { UInt8((UInt32(code) + 128) / 257) }

  /// Green of `count` pixels of 16 bits, as such or rounded to bytes, consecutively at `target`,
  /// which may be the address of the source.
  static func keep(
    _ codes: UnsafePointer<UInt16>, count: Int, isByte: Bool, in target: UnsafeMutableRawPointer
  ) {
    if isByte {
      let bytes = unsafe target.assumingMemoryBound(to: UInt8.self)
      for x in 0..<count { unsafe bytes[x] = byte(codes[3 * x + 1]) }
    } else {
      let words = unsafe target.assumingMemoryBound(to: UInt16.self)
      for x in 0..<count { unsafe words[x] = codes[3 * x + 1] }
    }
  }
}
