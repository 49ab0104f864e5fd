import ImageCore

/// The structure of a VC-5 stream in GoPro's GPR files: SMPTE ST 2073-1 (elementary stream) and ST
/// 2073-3 (image formats), restricted to what GoPro publishes about its raw files
/// (github.com/gopro/gpr). Parsing decodes nothing.
///
/// Big-endian segments of 32 bits follow the start marker "VC-5": a 16-bit tag and a 16-bit value.
/// Readers may skip unknown negative tags. Tags from 0x2000 on announce data, counted in segments:
/// small chunks (0x4000 …) by their value, large ones by 24 bits, whose upper 8 are part of the
/// tag; sections (0x2000 …) only group their segments. A codeblock (0x60…) contains a subband. All
/// other tags set a parameter for the following segments.
///
/// A mosaic of 2 × 2 is stored as four channels of a quarter of its size, each with ten subbands: 0
/// the low-pass band of the third level, then the horizontal, vertical and diagonal high-pass bands
/// of levels 3, 2 and 1. Known failures: other image formats, layers, and the band coding added by
/// GoPro in 2025 are rejected.
struct VC5Stream {
  /// Why a stream cannot be decoded.
  enum Fault: Error {
    /// It violates the standard or is truncated.
    case damaged
    /// It is valid but not supported, with the unsupported feature.
    case notCovered(String)
  }

  /// Storage of one subband.
  struct Codeblock {
    let bytes: Range<Int>
    /// Scale factor of the coefficients; for high-pass bands only.
    let quantization: Int
    /// Bits of a coefficient; for low-pass bands only.
    let precision: Int
    /// Bits by which the input of each level was shifted right, the finest first.
    let prescale: [Int]
  }

  static let channels = 4
  static let levels = 3
  static let subbands = 10
  /// Below this, the third level has fewer than the three coefficients required by its filters.
  static let smallestSide = 34

  /// Columns and rows of the mosaic; both are even.
  private(set) var size = PixelSize(width: 0, height: 0)
  /// Bits of a channel's values: 12, 14 or 16.
  private(set) var bits = 12
  /// All subbands of channel 0, then of channel 1 …
  private(set) var codeblocks: [Codeblock] = []

  private var values: [Int: Int] = [:]
  private var channel = 0
  private var subband = 0
  private var quantization = 0
  private var precision = 16
  private var prescale = [0, 0, 0]
  private var found = [Codeblock?](repeating: nil, count: channels * subbands)

  /// Parses the segments of `bytes`.
  init(_ bytes: ByteView) throws(Fault) {
    guard bytes.count >= 4, bytes.load(UInt32.self, at: 0).bigEndian == 0x5643_2D35 else {
      throw .damaged
    }
    var offset = 4
    var missing = found.count
    for _ in 0..<RawDecodeLimits.vc5Segments where missing > 0 {
      guard offset + 4 <= bytes.count else { throw .damaged }
      let segment = bytes.load(UInt32.self, at: offset).bigEndian
      let tag = Int(Int16(truncatingIfNeeded: segment >> 16))
      let value = Int(segment & 0xFFFF)
      offset += 4
      let length = try take(abs(tag), value, isOptional: tag < 0)
      guard length <= bytes.count - offset else { throw .damaged }
      if abs(tag) >> 8 == 0x60 {
        try addCodeblock(offset..<offset + length)
        missing -= 1
      }
      offset += length
    }
    guard missing == 0 else { throw .damaged }
    bits = values[101] ?? values[102] ?? 12
    guard [12, 14, 16].contains(bits) else { throw .notCovered("components of \(bits) bits") }
    codeblocks = found.compactMap { $0 }
  }

  /// The level of a subband, 1 the finest.
  static func level(of subband: Int) -> Int { levels - max(subband - 1, 0) / 3 }

  /// Size of a band of level 1, 2 or 3: half of the channel or of the band of the previous level,
  /// rounded up.
  func bandSize(level: Int) -> PixelSize {
    let scale = 1 << level
    return PixelSize(
      width: (size.width / 2 + scale - 1) / scale, height: (size.height / 2 + scale - 1) / scale)
  }

  /// Processes one segment; returns the number of data bytes that it announces.
  private mutating func take(
    _ tag: Int, _ value: Int, isOptional: Bool
  ) throws(Fault) -> Int {
    let largeLength = 4 * ((tag & 0xFF) << 16 | value)
    switch tag {
    case 12: try require(12, value, 4) { "\($0) channels" }
    case 14: try require(14, value, Self.subbands) { "\($0) subbands" }
    case 20, 21: try set(tag, value)
    case 35:
      guard (8...16).contains(value) else { throw .damaged }
      precision = value
    case 48:
      guard value < Self.subbands else { throw .damaged }
      subband = value
    case 53: quantization = value
    case 62:
      guard value < Self.channels else { throw .damaged }
      channel = value
    case 84: try require(84, value, 4) { "image format \($0)" }
    case 101, 102: try set(tag, value)
    case 104, 105: try set(tag, value)
    case 106, 107: try require(tag, value, 2) { "a pattern side of \($0)" }
    case 108: try require(108, value, 1) { "\($0) components per sample" }
    case 109: prescale = [14, 12, 10].map { value >> $0 & 3 }
    case 120: try require(120, value, 1) { "\($0) layers" }
    case 200: try require(200, value, 0) { "band coding \($0)" }
    case 0x6000...0x60FF: return largeLength
    case 0x2000..<0x4000: return 0
    case 0x4000..<0x6000 where isOptional: return 4 * value
    case 0x6000...0x7FFF where isOptional: return largeLength
    default:
      guard isOptional else { throw .notCovered("element \(tag)") }
    }
    return 0
  }

  /// Sets a parameter of the complete stream.
  private mutating func set(_ tag: Int, _ value: Int) throws(Fault) {
    guard values.updateValue(value, forKey: tag) ?? value == value else { throw .damaged }
  }

  /// Checks a parameter with a single supported value; `what` names any other.
  private mutating func require(
    _ tag: Int, _ value: Int, _ known: Int, _ what: (Int) -> String
  ) throws(Fault) {
    guard value == known else { throw .notCovered(what(value)) }
    try set(tag, value)
  }

  private mutating func addCodeblock(_ range: Range<Int>) throws(Fault) {
    if size.area == 0 { try finishHeader() }
    let index = channel * Self.subbands + subband
    guard channel < Self.channels, found[index] == nil else { throw .damaged }
    let band = bandSize(level: Self.level(of: subband))
    // Minimum number of bits of a band, so that none is allocated without data: the longest run, of
    // 320 zeros, has 13 bits.
    let fewest = subband == 0 ? band.area * precision : band.area / 320 * 13
    guard range.count * 8 >= fewest, subband == 0 || quantization > 0 else { throw .damaged }
    found[index] = Codeblock(
      bytes: range, quantization: quantization, precision: precision, prescale: prescale)
    subband += 1
    if subband == Self.subbands { (channel, subband) = (channel + 1, 0) }
  }

  /// Checks the parameters before the first codeblock.
  private mutating func finishHeader() throws(Fault) {
    guard let width = values[20], let height = values[21], values[12] != nil, values[84] != nil
    else { throw .damaged }
    for (tag, side) in [(104, width), (105, height)] {
      guard values[tag] ?? (side / 2) == side / 2 else { throw .damaged }
    }
    size = PixelSize(width: width, height: height)
    guard width % 2 == 0, height % 2 == 0, min(width, height) >= Self.smallestSide else {
      throw .notCovered("a mosaic of \(size)")
    }
  }
}
