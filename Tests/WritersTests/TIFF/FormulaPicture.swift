import ImageCore

/// A picture that is a formula of its coordinates: any rectangle, any size, no memory.
struct FormulaPicture<State: ImageState>: PixelSource {
  let size: PixelSize
  let info: State.Info
  let value: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for y in 0..<rect.height {
      let rows = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      for x in 0..<rect.width {
        let v = value(rect.x + x, rect.y + y)
        (rows.0[x], rows.1[x], rows.2[x]) = (v.x, v.y, v.z)
      }
    }
  }
}

extension FormulaPicture where State == DisplayReferred {
  /// Values with noise in all 32 bits, from -0.1 to `headroom`.
  static func noise(
    _ width: Int, _ height: Int, primaries: Primaries = .bt2020, headroom: Float = 1
  ) -> Self {
    Self(
      size: PixelSize(width: width, height: height),
      info: .init(primaries: primaries, headroom: headroom)
    ) { x, y in
      var state = UInt64(truncatingIfNeeded: y &* 1_000_003 &+ x) &* 0x9E37_79B9_7F4A_7C15
      func next() -> Float {
        state = (state ^ state >> 31) &* 0xBF58_476D_1CE4_E5B9
        return Float(state >> 40) / 16_777_216 * (headroom + 0.1) - 0.1
      }
      return SIMD3(next(), next(), next())
    }
  }
}
