/// Real numbers as fractions of two 32-bit integers, the way gain map records store them.
///
/// Source: continued fractions; their convergents are the best approximations for their size, and
/// the last step is limited to 32 bits. Ends as soon as the quotient, as a double, equals the
/// number, so decimals and binary fractions stay short: 1/64, 3/10. Domain: finite numbers; values
/// outside 32 bits become the nearest that fits. Known failure: numbers below 2^−33 become 0.
enum StoredFraction {
  /// A number of 0 or more.
  static func unsigned(_ value: Double) -> (numerator: UInt32, denominator: UInt32) {
    let (n, d) = nearest(max(value, 0), limit: UInt64(UInt32.max))
    return (UInt32(n), UInt32(d))
  }

  /// A number of either sign.
  static func signed(_ value: Double) -> (numerator: Int32, denominator: UInt32) {
    let (n, d) = nearest(abs(value), limit: UInt64(Int32.max))
    return (value < 0 ? -Int32(n) : Int32(n), UInt32(d))
  }

  /// Euclid's algorithm on the exact quotient of integers that a double is.
  private static func nearest(_ value: Double, limit: UInt64) -> (UInt64, UInt64) {
    guard value < Double(limit) else { return (value.isNaN ? 0 : limit, 1) }
    guard value >= 0x1p-33 else { return (0, 1) }
    var top = UInt128(value.significandBitPattern | 1 << 52)
    var bottom: UInt128 = 1
    let shift = Int(value.exponent) - 52
    if shift < 0 { bottom <<= -shift } else { top <<= shift }
    var (before, now) = ((n: UInt64(0), d: UInt64(1)), (n: UInt64(1), d: UInt64(0)))
    while true {
      let quotient = UInt64(clamping: top / bottom)
      let room = min(
        now.n > 0 ? (limit - before.n) / now.n : quotient,
        now.d > 0 ? (UInt64(UInt32.max) - before.d) / now.d : quotient)
      let step = min(quotient, room)
      let next = (n: step * now.n + before.n, d: step * now.d + before.d)
      func error(_ f: (n: UInt64, d: UInt64)) -> Double { abs(Double(f.n) / Double(f.d) - value) }
      if step < quotient { return next.d > 0 && error(next) < error(now) ? next : now }
      (before, now) = (now, next)
      (top, bottom) = (bottom, top % bottom)
      if error(now) == 0 || bottom == 0 { return now }
    }
  }
}
