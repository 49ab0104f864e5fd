import ImageCore

/// Floats as DNG stores them: 16 bits (IEEE half), 24 bits (1 sign, 7 exponent with bias 63, 16
/// mantissa; DNG 1.4, chapter 3) or 32 bits (IEEE single), rounded to nearest.
struct FloatSamples {
  let bits: Int
  let channels: Int

  /// The bit pattern of `value` in the lowest bits.
  func pattern(_ value: Float) -> UInt32 {
    switch bits {
    case 16: UInt32(Self.half(value))
    case 24: Self.short(value)
    default: value.bitPattern
    }
  }

  /// The bit patterns one after the other.
  func bytes(_ samples: [Float], order: ByteOrder) -> [UInt8] {
    let width = bits / 8
    var out: [UInt8] = []
    out.reserveCapacity(samples.count * width)
    for sample in samples {
      let number = pattern(sample)
      for i in 0..<width {
        let place = order == .big ? width - 1 - i : i
        out.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * place)))
      }
    }
    return out
  }

  /// Predictor 3 of TIFF Technical Note 3 (Adobe, 2005): in each row first all the most significant
  /// bytes, then the next ones; then each byte as the difference from the one a pixel before.
  func predicted(_ samples: [Float], perRow: Int) -> [UInt8] {
    let width = bits / 8
    var out = [UInt8](repeating: 0, count: samples.count * width)
    for row in stride(from: 0, to: samples.count, by: perRow) {
      let start = row * width
      for x in 0..<perRow {
        let number = pattern(samples[row + x])
        for plane in 0..<width {
          out[start + plane * perRow + x] = UInt8(
            truncatingIfNeeded: number >> UInt32(8 * (width - 1 - plane)))
        }
      }
      for i in (channels..<(perRow * width)).reversed() {
        out[start + i] &-= out[start + i - channels]
      }
    }
    return out
  }

  /// IEEE half by rounding to nearest, ties to even; too large values become the largest finite
  /// one.
  static func half(_ value: Float) -> UInt16 {
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    let magnitude = min(value.magnitude, 65_504)
    guard magnitude >= 0x1p-14 else {
      return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven))
    }
    let exponent = Int(magnitude.exponent)
    let fraction = (magnitude.significand - 1) * 1024
    return sign + UInt16((exponent + 15) << 10) + UInt16(fraction.rounded(.toNearestOrEven))
  }

  private static func short(_ value: Float) -> UInt32 {
    let sign: UInt32 = value.sign == .minus ? 0x80_0000 : 0
    guard value.magnitude >= 0x1p-62 else { return sign }
    let exponent = UInt32(Int(value.magnitude.exponent) + 63)
    let fraction = ((value.magnitude.significand - 1) * 65_536).rounded(.toNearestOrEven)
    return sign + (exponent << 16) + UInt32(fraction)
  }
}
