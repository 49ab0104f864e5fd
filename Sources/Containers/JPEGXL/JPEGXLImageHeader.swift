import ImageCore

/// What the header of a JPEG XL codestream says about its frames (ISO/IEC 18181-1, annex on image
/// headers); color and luminance are read by libjxl.
package struct JPEGXLImageHeader {
  /// Columns and rows as stored.
  private(set) var size: PixelSize
  private(set) var preview: PixelSize?
  private(set) var isAnimated = false
  private(set) var hasTimecodes = false
  private(set) var isXYB = true
  private(set) var extraChannels = 0

  /// What a codestream begins with.
  package static let signature: [UInt8] = [0xFF, 0x0A]

  /// The signature, the header and the profile that come next; nil when they are damaged.
  init?(_ bits: inout JPEGXLBits) {
    for byte in Self.signature { guard bits.take(8) == byte else { return nil } }
    size = Self.size(&bits)
    var hasProfile = false
    if !bits.bit() {
      guard readMetadata(&bits, &hasProfile) else { return nil }
    }
    if !bits.bit() { Self.skipTransforms(isXYB: isXYB, &bits) }
    if hasProfile, !Self.skipProfile(&bits) { return nil }
    bits.align()
    if bits.isExhausted { return nil }
  }

  private mutating func readMetadata(
    _ bits: inout JPEGXLBits, _ hasProfile: inout Bool
  ) -> Bool {
    let hasMore = bits.bit()
    if hasMore {
      bits.skip(bits: 3)
      if bits.bit() { _ = Self.size(&bits) }
      if bits.bit() { preview = Self.previewSize(&bits) }
      isAnimated = bits.bit()
      if isAnimated { hasTimecodes = Self.hasTimecodes(&bits) }
    }
    Self.skipDepth(&bits)
    bits.skip(bits: 1)
    extraChannels = bits.number((0, 0), (0, 1), (4, 2), (12, 1))
    for _ in 0..<extraChannels {
      if !bits.bit() { Self.skipExtraChannel(&bits) }
      if bits.isExhausted { return false }
    }
    isXYB = bits.bit()
    if !bits.bit() { hasProfile = Self.skipColors(&bits) }
    if hasMore, !bits.bit() {
      bits.skipFloats(2)
      bits.skip(bits: 1)
      bits.skipFloats(1)
    }
    bits.skipExtensions()
    return true
  }

  /// Rows, then columns by a ratio or themselves.
  private static func size(_ bits: inout JPEGXLBits) -> PixelSize {
    let isSmall = bits.bit()
    func side(_ bits: inout JPEGXLBits) -> Int {
      isSmall ? (bits.take(5) + 1) * 8 : bits.number((9, 1), (13, 1), (18, 1), (30, 1))
    }
    return size(&bits, side)
  }

  private static func previewSize(_ bits: inout JPEGXLBits) -> PixelSize {
    let isByEight = bits.bit()
    func side(_ bits: inout JPEGXLBits) -> Int {
      isByEight
        ? bits.number((0, 16), (0, 32), (5, 1), (9, 33)) * 8
        : bits.number((6, 1), (8, 65), (10, 321), (12, 1345))
    }
    return size(&bits, side)
  }

  /// Columns to rows.
  private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

  private static func size(
    _ bits: inout JPEGXLBits, _ side: (inout JPEGXLBits) -> Int
  ) -> PixelSize {
    let height = side(&bits)
    let ratio = bits.take(3)
    if ratio == 0 { return PixelSize(width: side(&bits), height: height) }
    let (columns, rows) = ratios[ratio - 1]
    return PixelSize(width: height * columns / rows, height: height)
  }

  private static func hasTimecodes(_ bits: inout JPEGXLBits) -> Bool {
    _ = bits.number((0, 100), (0, 1000), (10, 1), (30, 1))
    _ = bits.number((0, 1), (0, 1001), (8, 1), (10, 1))
    _ = bits.number((0, 0), (3, 0), (16, 0), (32, 0))
    return bits.bit()
  }

  private static func skipDepth(_ bits: inout JPEGXLBits) {
    let isFloat = bits.bit()
    _ = bits.number((0, 0), (0, 0), (0, 0), (6, 1))
    if isFloat { bits.skip(bits: 4) }
  }

  private static func skipExtraChannel(_ bits: inout JPEGXLBits) {
    let type = bits.enumeration()
    skipDepth(&bits)
    _ = bits.number((0, 0), (0, 3), (0, 4), (3, 1))
    bits.skipName()
    switch type {
    case 0: bits.skip(bits: 1)
    case 2: bits.skipFloats(4)
    case 5: _ = bits.number((0, 1), (2, 0), (4, 3), (8, 19))
    default: break
    }
  }

  /// A color encoding other than the default; returns whether a profile replaces it.
  private static func skipColors(_ bits: inout JPEGXLBits) -> Bool {
    let (gray, xyb, custom) = (1, 2, 2)
    func skipPoints(_ count: Int) {
      for _ in 0..<2 * count { _ = bits.number((19, 0), (19, 0), (20, 0), (21, 0)) }
    }
    let hasProfile = bits.bit()
    let space = bits.enumeration()
    if hasProfile { return true }
    if space != xyb {
      if bits.enumeration() == custom { skipPoints(1) }
      if space != gray, bits.enumeration() == custom { skipPoints(3) }
      if bits.bit() { bits.skip(bits: 24) } else { _ = bits.enumeration() }
    }
    _ = bits.enumeration()
    return false
  }

  /// The matrix from XYB, and weights of upsampling by 2, 4 and 8.
  private static func skipTransforms(isXYB: Bool, _ bits: inout JPEGXLBits) {
    if isXYB, !bits.bit() { bits.skipFloats(16) }
    let weights = bits.take(3)
    for (bit, count) in [15, 55, 210].enumerated() where weights >> bit & 1 == 1 {
      bits.skipFloats(count)
    }
  }

  /// A profile: bytes in contexts of the two previous ones, at most 256 per byte of the file,
  /// including its codes.
  private static func skipProfile(_ bits: inout JPEGXLBits) -> Bool {
    let bytesLeft = bits.bytesLeft
    let count = Int(clamping: bits.longNumber())
    guard var numbers = JPEGXLNumbers(contexts: 41, &bits) else { return false }
    var (last, lastButOne): (UInt8, UInt8) = (0, 0)
    for position in 0..<count {
      // As in libjxl, which goes no further either.
      if position & 0xFFFF == 0, position > 256 * (bytesLeft - bits.bytesLeft) { return false }
      let context = position <= 128 ? 0 : 1 + kind(last) + 8 * kindBefore(lastButOne)
      let byte = numbers.next(context: context, &bits)
      if bits.isExhausted { return false }
      (last, lastButOne) = (UInt8(truncatingIfNeeded: byte), last)
    }
    return numbers.isAtEnd
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
  }

  private static func kind(_ byte: UInt8) -> Int {
    if isLetter(byte) { return 0 }
    if isOfNumber(byte) { return 1 }
    return switch byte {
    case 0: 2
    case 1: 3
    case ..<16: 4
    case 255: 6
    case 241...: 5
    default: 7
    }
  }

  private static func kindBefore(_ byte: UInt8) -> Int {
    if isLetter(byte) { return 0 }
    if isOfNumber(byte) { return 1 }
    return byte < 16 ? 2 : byte > 240 ? 3 : 4
  }
}

extension JPEGXLBits {
  /// Passes over a name of up to 1071 bytes.
  mutating func skipName() { skip(bits: 8 * number((0, 0), (4, 0), (5, 16), (10, 48))) }

  /// Passes over extensions that are not known, each with its length.
  mutating func skipExtensions() {
    let known = longNumber()
    let limit: UInt64 = 1 << 48
    var total: UInt64 = 0
    for _ in 0..<known.nonzeroBitCount { total = min(total + min(longNumber(), limit), limit) }
    skip(bits: Int(total))
  }
}
