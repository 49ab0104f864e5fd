package import ImageCore

/// An enumerated color encoding as JPEG XL codes it (ISO/IEC 18181-1, annex on color encodings):
/// bits from the lowest of each byte up.
///
/// all_default; want_icc; then as enumerations color space (0 RGB), white point (1 D65), primaries
/// (1 BT.709, 9 BT.2100, 11 P3); have_gamma; transfer function (numbers of ITU-T H.273); rendering
/// intent (1 relative). An enumeration is a selector of two bits: 0 and 1 for themselves, 2 for 2
/// plus four bits, 3 for 18 plus six. Check value: linear sRGB is 50 B4 00 (libjxl's test).
/// Known failure: own white points, own primaries, gray and exponents are not read, nor written.
package struct JPEGXLColorEncoding: Sendable, Hashable {
  package let primaries: Primaries
  /// TransferCharacteristics of ITU-T H.273.
  package let transfer: UInt16

  /// Numbers of JPEG XL; P3 has another than in H.273.
  private static let numbers: [(primaries: Primaries, number: Int)] = [
    (.srgb, 1), (.bt2020, 9), (.displayP3, 11),
  ]
  private static let (whiteD65, relative) = (1, 1)

  /// Primaries without a number become BT.2020.
  package init(_ primaries: Primaries, transfer: UInt16) {
    let isNamed = Self.numbers.contains { $0.primaries == primaries }
    (self.primaries, self.transfer) = (isNamed ? primaries : .bt2020, transfer)
  }

  /// The encoding in `bytes`; nil for one that is not of these.
  package init?(_ bytes: [UInt8]) {
    let found = unsafe bytes.withUnsafeBytes { data in
      var bits = unsafe JPEGXLBits(data, [0..<data.count])
      return JPEGXLColorEncoding(&bits)
    }
    guard let found else { return nil }
    self = found
  }

  private init?(_ bits: inout JPEGXLBits) {
    if bits.bit() {
      guard !bits.isExhausted else { return nil }
      self.init(.srgb, transfer: 13)
      return
    }
    guard !bits.bit(), bits.enumeration() == 0, bits.enumeration() == Self.whiteD65 else {
      return nil
    }
    let number = bits.enumeration()
    guard let known = Self.numbers.first(where: { $0.number == number }), !bits.bit() else {
      return nil
    }
    let transfer = bits.enumeration()
    guard !bits.isExhausted else { return nil }
    self.init(known.primaries, transfer: UInt16(transfer))
  }

  package var bytes: [UInt8] {
    var bits = Bits()
    for _ in 0..<2 { bits.put(0, 1) }
    bits.put(enumeration: 0)
    bits.put(enumeration: Self.whiteD65)
    bits.put(enumeration: Self.numbers.first { $0.primaries == primaries }?.number ?? 9)
    bits.put(0, 1)
    bits.put(enumeration: Int(transfer))
    bits.put(enumeration: Self.relative)
    return bits.bytes
  }

  /// What ``JPEGXLBits`` takes.
  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var position = 0

    mutating func put(_ value: Int, _ count: Int) {
      for bit in 0..<count {
        if position % 8 == 0 { bytes.append(0) }
        bytes[position / 8] |= UInt8(value >> bit & 1) << UInt8(position % 8)
        position += 1
      }
    }

    mutating func put(enumeration value: Int) {
      switch value {
      case 0, 1: put(value, 2)
      case ..<18:
        put(2, 2)
        put(value - 2, 4)
      default:
        put(3, 2)
        put(value - 18, 6)
      }
    }
  }
}
