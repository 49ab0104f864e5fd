import ImageCore

/// The part of a sequence parameter set that describes the picture: ITU-T H.265 (2021) 7.3.2.2 up
/// to the video signal type in E.2.1.
struct HEVCSequence: Equatable {
  let size: PixelSize
  /// Before the conformance window is applied: the size that a decoder allocates.
  let codedSize: PixelSize
  let bits: Int
  let isGray: Bool
  private(set) var codePoints: HEIFProperty.CodePoints?
  private(set) var isFullRange: Bool?
  /// Columns and rows of a coding tree block; the maximum where the set does not say.
  private var blockSide = 64

  /// Minimum size of a coded picture: one bit of each block signals the direction from which it is
  /// predicted (mpm_idx, 9.3.4.3.4), however well the rest is compressed.
  var minBytes: Int {
    let columns = (codedSize.width + blockSide - 1) / blockSide
    let rows = (codedSize.height + blockSide - 1) / blockSide
    return columns * rows / 8
  }

  /// `unit` starts with the header of the NAL unit.
  init(_ unit: ArraySlice<UInt8>) throws(FormatError) {
    var reader = BitReader(HEVCUnit.payload(unit))
    reader.skip(16 + 4)
    let layers = reader.bits(3)
    reader.skip(1)
    Self.skipProfile(&reader, layers)
    _ = reader.exponentialGolomb()
    let chroma = reader.exponentialGolomb()
    let separate = chroma == 3 && reader.bit()
    let (width, height) = (reader.exponentialGolomb(), reader.exponentialGolomb())
    var margins = [0, 0, 0, 0]
    if reader.bit() { for index in 0..<4 { margins[index] = reader.exponentialGolomb() } }
    let depths = (reader.exponentialGolomb(), reader.exponentialGolomb())
    let unit = PixelSize(
      width: chroma == 1 || chroma == 2 ? 2 : 1, height: chroma == 1 ? 2 : 1)
    let output = (
      width - unit.width * (margins[0] + margins[1]),
      height - unit.height * (margins[2] + margins[3])
    )
    guard !reader.isExhausted, chroma <= 3, width <= 1 << 16, height <= 1 << 16, output.0 > 0,
      output.1 > 0
    else { throw CodedStill.unreadable("its sequence parameter set is damaged") }
    // Encoders cut off the rest of a block, or lay small pictures into one size for all.
    guard width * height <= 4 * output.0 * output.1 + (1 << 20) else {
      throw CodedStill.unreadable("its conformance window leaves almost no pixels")
    }
    guard !separate, chroma == 0 || depths.0 == depths.1, depths.0 <= 8 else {
      throw FormatError(
        .unsupported,
        "it has separate color planes or an unsupported bit depth; convert it to HEVC Main")
    }
    size = PixelSize(width: output.0, height: output.1)
    codedSize = PixelSize(width: width, height: height)
    bits = depths.0 + 8
    isGray = chroma == 0
    readSignal(&reader, layers, depths.0)
  }

  private static func skipProfile(_ reader: inout BitReader, _ layers: Int) {
    reader.skip(96)
    let present = (0..<layers).map { _ in (profile: reader.bit(), level: reader.bit()) }
    if layers > 0 { reader.skip(2 * (8 - layers)) }
    for layer in present { reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
  }

  /// Leaves what is described out where the set ends before it.
  private mutating func readSignal(_ reader: inout BitReader, _ layers: Int, _ depth: Int) {
    let countBits = reader.exponentialGolomb() + 4
    let each = reader.bit()
    for _ in 0..<(each ? layers + 1 : 1) * 3 { _ = reader.exponentialGolomb() }
    let side = 3 + reader.exponentialGolomb() + reader.exponentialGolomb()
    if !reader.isExhausted, side < 6 { blockSide = 1 << side }
    for _ in 0..<4 { _ = reader.exponentialGolomb() }
    if reader.bit(), reader.bit() { Self.skipScaling(&reader) }
    reader.skip(2)
    if reader.bit() {
      reader.skip(8)
      for _ in 0..<2 { _ = reader.exponentialGolomb() }
      reader.skip(1)
    }
    guard Self.skipReferences(&reader) else { return }
    if reader.bit() {
      let count = reader.exponentialGolomb()
      guard count <= 32, countBits <= 16 else { return }
      reader.skip(count * (countBits + 1))
    }
    reader.skip(2)
    guard reader.bit() else { return }
    if reader.bit(), reader.bits(8) == 255 { reader.skip(32) }
    if reader.bit() { reader.skip(1) }
    guard reader.bit() else { return }
    reader.skip(3)
    let full = reader.bit()
    let isDescribed = reader.bit()
    let codes = isDescribed ? (0..<3).map { _ in UInt16(reader.bits(8)) } : []
    guard !reader.isExhausted else { return }
    isFullRange = full
    guard isDescribed else { return }
    codePoints = .init(
      primaries: codes[0], transfer: codes[1], matrix: codes[2], isFullRange: full)
  }

  private static func skipScaling(_ reader: inout BitReader) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard reader.bit() else {
          _ = reader.exponentialGolomb()
          continue
        }
        for _ in 0..<(min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0)) {
          _ = reader.exponentialGolomb()
        }
      }
    }
  }

  private static func skipReferences(_ reader: inout BitReader) -> Bool {
    let sets = reader.exponentialGolomb()
    guard sets <= 64 else { return false }
    var previous = 0
    for index in 0..<sets {
      if index > 0, reader.bit() {
        reader.skip(1)
        _ = reader.exponentialGolomb()
        var count = 0
        for _ in 0...previous where reader.bit() || reader.bit() { count += 1 }
        previous = count
      } else {
        let counts = (reader.exponentialGolomb(), reader.exponentialGolomb())
        guard counts.0 <= 16, counts.1 <= 16 else { return false }
        previous = counts.0 + counts.1
        for _ in 0..<previous {
          _ = reader.exponentialGolomb()
          reader.skip(1)
        }
      }
    }
    return !reader.isExhausted
  }
}
