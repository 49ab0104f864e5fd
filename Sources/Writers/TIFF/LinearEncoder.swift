import CVector

/// No curve: light 0…1 to codes 0…65535, clamped.
struct LinearEncoder: RowEncoder {
  func encode(
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>, count: Int, into codes: UnsafeMutablePointer<UInt16>
  ) {
    var x = 0
    while x &+ 8 <= count {
      cv_store_rgb8(codes + 3 &* x, eight(red, x), eight(green, x), eight(blue, x))
      x &+= 8
    }
    let (r, g, b) = (eight(red, x), eight(green, x), eight(blue, x))
    for lane in 0..<(count &- x) {
      codes[3 &* (x &+ lane)] = r[lane]
      codes[3 &* (x &+ lane) &+ 1] = g[lane]
      codes[3 &* (x &+ lane) &+ 2] = b[lane]
    }
  }

  @inline(__always)
  private func eight(_ row: UnsafeMutablePointer<Float>, _ x: Int) -> SIMD8<UInt16> {
    let light = cv_clamp8(Lanes.load(row, x), SIMD8(repeating: 0), SIMD8(repeating: 1))
    return cv_code8(light * 65_535)
  }
}
