import ImageCore

/// The sequence header of an AV1 picture (AV1 bitstream specification 5.5).
struct AV1Sequence: Equatable {
  let size: PixelSize
  let bits: Int
  let isGray: Bool
  let codePoints: HEIFProperty.CodePoints?
  let isFullRange: Bool

  init(_ payload: ArraySlice<UInt8>) throws(FormatError) {
    var reader = BitReader(payload.prefix(256))
    let profile = reader.bits(3)
    reader.skip(1)
    let isReduced = reader.bit()
    if isReduced { reader.skip(5) } else { Self.skipOperatingPoints(&reader) }
    let (columnBits, rowBits) = (reader.bits(4) + 1, reader.bits(4) + 1)
    size = PixelSize(width: reader.bits(columnBits) + 1, height: reader.bits(rowBits) + 1)
    if !isReduced, reader.bit() { reader.skip(7) }
    reader.skip(3)
    if !isReduced { Self.skipTools(&reader) }
    reader.skip(3)
    let isHigh = reader.bit()
    bits = isHigh ? (profile == 2 && reader.bit() ? 12 : 10) : 8
    isGray = profile != 1 && reader.bit()
    let codes = reader.bit() ? (0..<3).map { _ in UInt16(reader.bits(8)) } : nil
    let isRGB = codes == [1, 13, 0] && !isGray
    let full = isRGB || reader.bit()
    isFullRange = full
    codePoints = codes.map {
      .init(primaries: $0[0], transfer: $0[1], matrix: $0[2], isFullRange: full)
    }
    guard !reader.isExhausted, profile <= 2 else {
      throw CodedStill.unreadable("its sequence header is damaged")
    }
  }

  private static func skipOperatingPoints(_ reader: inout BitReader) {
    var delayBits: Int?
    if reader.bit() {
      reader.skip(64)
      if reader.bit() { _ = reader.exponentialGolomb() }
      if reader.bit() {
        delayBits = reader.bits(5) + 1
        reader.skip(42)
      }
    }
    let hasDelay = reader.bit()
    for _ in 0...reader.bits(5) {
      reader.skip(12)
      if reader.bits(5) > 7 { reader.skip(1) }
      if let delayBits, reader.bit() { reader.skip(2 * delayBits + 1) }
      if hasDelay, reader.bit() { reader.skip(4) }
    }
  }

  private static func skipTools(_ reader: inout BitReader) {
    reader.skip(4)
    let hasOrder = reader.bit()
    if hasOrder { reader.skip(2) }
    let screen = reader.bit() ? 2 : reader.bits(1)
    if screen > 0, !reader.bit() { reader.skip(1) }
    if hasOrder { reader.skip(3) }
  }
}
