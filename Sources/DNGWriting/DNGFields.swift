import Containers
import ImageCore

/// Makes directory entries in one byte order.
struct DNGFields: Sendable {
  let bigEndian: Bool

  private func field(_ tag: UInt16, _ value: ExifEntry.Value) -> TIFFField {
    TIFFField(tag, value, bigEndian: bigEndian)
  }

  func bytes(_ tag: UInt16, _ values: [UInt8]) -> TIFFField { field(tag, .bytes(values)) }
  func undefined(_ tag: UInt16, _ values: [UInt8]) -> TIFFField { field(tag, .undefined(values)) }
  func text(_ tag: UInt16, _ text: String) -> TIFFField {
    field(tag, .ascii(text.upToNUL))
  }

  func shorts(_ tag: UInt16, _ values: [Int]) -> TIFFField {
    field(tag, .shorts(values.map { UInt16(clamping: $0) }))
  }
  func short(_ tag: UInt16, _ value: Int) -> TIFFField { shorts(tag, [value]) }

  func longs(_ tag: UInt16, _ values: [Int]) -> TIFFField {
    field(tag, .longs(values.map { UInt32(clamping: $0) }))
  }
  func long(_ tag: UInt16, _ value: Int) -> TIFFField { longs(tag, [value]) }

  func float(_ tag: UInt16, _ value: Float) -> TIFFField {
    TIFFField(tag, type: 11, count: 1, payload: value.bitPattern.bytes(bigEndian: bigEndian))
  }

  func doubles(_ tag: UInt16, _ values: [Double]) -> TIFFField {
    TIFFField(
      tag, type: 12, count: values.count,
      payload: values.flatMap { $0.bitPattern.bytes(bigEndian: bigEndian) })
  }

  /// Nonnegative numbers, as rationals.
  func rationals(_ tag: UInt16, _ values: [Double]) -> TIFFField {
    field(
      tag,
      .rationals(
        values.map { value in
          let (above, below) = Self.fraction(value, limit: 4_294_967_295)
          return Rational(UInt32(clamping: above), UInt32(clamping: below))
        }))
  }

  /// Any numbers, as rationals.
  func signedRationals(_ tag: UInt16, _ values: [Double]) -> TIFFField {
    field(
      tag,
      .signedRationals(
        values.map { value in
          let (above, below) = Self.fraction(value, limit: 2_147_483_647)
          return SignedRational(Int32(clamping: above), Int32(clamping: below))
        }))
  }

  /// `value` as a rational: exact for multiples of 1/10000, else to nine digits with a power of 2.
  static func fraction(_ value: Double, limit: Double) -> (Int, Int) {
    guard value.isFinite else { return (0, 1) }
    let scaled = (value * 10000).rounded()
    if abs(value) < 1e9, value == value.rounded() { return (Int(value), 1) }
    if abs(scaled) <= limit, abs(scaled / 10000 - value) <= 1e-12 * abs(value) {
      return (Int(scaled), 10000)
    }
    var below = 1.0 * 0x1p30
    while below > 1, (abs(value) * below).rounded() > limit { below /= 2 }
    return (Int(min(max((value * below).rounded(), -limit), limit)), Int(below))
  }
}
