package import ImageCore

/// Size and position in the header of a JPEG XL frame (ISO/IEC 18181-1, annexes on frame headers
/// and on the table of contents). Two kinds of frames are never displayed, and libjxl does not
/// report them: a frame that holds the low frequencies of another, and a reference for patches and
/// blending.
package struct JPEGXLFrame: Equatable {
  private enum Kind: Int {
    case regular, lowFrequencies, reference, skipsProgress
  }

  private let kind: Kind
  /// Whether it can be seen.
  package var isShown: Bool { kind == .regular || kind == .skipsProgress }
  /// Columns and rows; for low frequencies, of the coefficients.
  package private(set) var size: PixelSize
  /// Whether it has its own size or position.
  package private(set) var hasPosition = false
  /// Whether a picture is complete with it.
  package private(set) var endsPicture = false
  /// Whether the codestream ends with it.
  private(set) var isLast = false
  /// The slot in which it is stored for later frames: one of four for frames, or one of four for
  /// low frequencies.
  private(set) var store: Int?
  package static let stores = 8
  /// Stored pixels: for displayed frames the canvas, if larger.
  var storedPixels: Int { isShown ? max(size.area, canvas.area) : size.area }
  /// The picture's columns and rows.
  private let canvas: PixelSize
  /// Bytes of its parts.
  private(set) var bytes = 0
  /// Whether it has splines, which libjxl lets be drawn over more than 2^32 pixels.
  package private(set) var hasSplines = false
  private var patchPixels = 0.0
  /// Passes of transformed blocks, whose tables of quantizers and of orders are as large in a frame
  /// of one pixel; 0 of a frame without.
  private var blockPasses = 0
  /// Pixels that a frame without blocks takes as long as beside its own. Measured with libjxl 0.7:
  /// 13 ns for a pixel, 0.1 ms for a frame, up to 24 ms for the tables of one with blocks and one
  /// pass, and up to 2.3 ms for each further pass.
  package static let overhead = 8192
  /// Pixels that it takes as long as: its own, and of patches a sixteenth, whose pixels take some
  /// hundredth of the time; what it takes beside them where it is not the last of a picture.
  package var work: Int {
    let tables = blockPasses > 0 ? (3 + blockPasses) << 19 : Self.overhead
    return size.area + Int(min(patchPixels / 16, 1e18)) + (endsPicture ? 0 : tables)
  }

  /// The frame that comes next of a codestream with `image`'s header, or its preview; nil when its
  /// header is damaged.
  init?(_ image: JPEGXLImageHeader, isPreview: Bool = false, _ bits: inout JPEGXLBits) {
    var upsampling = 1
    var groupShift = 1
    var passes = 1
    var flags: UInt64 = 0
    canvas = isPreview ? image.preview ?? image.size : image.size
    size = canvas
    if bits.bit() {
      (kind, isLast, endsPicture) = (.regular, true, true)
    } else {
      kind = Kind(rawValue: bits.take(2)) ?? .regular
      let isModular = bits.bit()
      flags = bits.longNumber()
      let hasOwnLow = flags & 0x20 == 0
      let isYCC = image.isXYB ? false : bits.bit()
      if isYCC, hasOwnLow { bits.skip(bits: 6) }
      if hasOwnLow {
        upsampling = 1 << bits.take(2)
        bits.skip(bits: 2 * image.extraChannels)
      }
      if isModular { groupShift = bits.take(2) } else if image.isXYB { bits.skip(bits: 6) }
      if kind != .reference { passes = Self.passes(&bits) }
      if !isModular { blockPasses = passes }
      var isPart = false
      if kind == .lowFrequencies {
        let level = bits.take(2)
        size = canvas.divided(by: 8 << (3 * level))
        store = 4 + level
      } else {
        hasPosition = bits.bit()
        if hasPosition { isPart = readPosition(&bits) }
        readBlending(image, isPart: isPart, &bits)
      }
      bits.skipName()
      guard Self.skipFilters(isModular: isModular, &bits) else { return nil }
      bits.skipExtensions()
    }
    guard !bits.isExhausted, size.width > 0, size.height > 0,
      let first = readContents(upsampling, groupShift, passes, &bits)
    else { return nil }
    hasSplines = flags & 0x10 != 0
    // Previews are passed over by libjxl as well.
    if flags & 2 != 0, !isPreview {
      var part = bits
      part.skip(bytes: first.lowerBound)
      part = part.prefix(bytes: first.count)
      guard let pixels = JPEGXLPatches.pixels(extraChannels: image.extraChannels, &part) else {
        return nil
      }
      patchPixels = pixels
      bits.charge(like: part)
    }
  }

  private static func passes(_ bits: inout JPEGXLBits) -> Int {
    let count = bits.number((0, 1), (0, 2), (0, 3), (3, 4))
    if count == 1 { return count }
    let steps = bits.number((0, 0), (0, 1), (0, 2), (1, 3))
    bits.skip(bits: 2 * (count - 1) + 2 * steps)
    for _ in 0..<steps { _ = bits.number((0, 0), (0, 1), (0, 2), (3, 0)) }
    return count
  }

  /// Reads a size of its own, and where it is; whether the frame leaves some of the canvas free.
  private mutating func readPosition(_ bits: inout JPEGXLBits) -> Bool {
    func number(_ bits: inout JPEGXLBits) -> Int {
      bits.number((8, 0), (11, 256), (14, 2304), (30, 18_688))
    }
    func signed(_ number: Int) -> Int { number & 1 == 1 ? -(number >> 1) - 1 : number >> 1 }
    let (x, y) = isShown ? (signed(number(&bits)), signed(number(&bits))) : (0, 0)
    size = PixelSize(width: number(&bits), height: number(&bits))
    return isShown
      && (x > 0 || y > 0 || x + size.width < canvas.width || y + size.height < canvas.height)
  }

  /// Reads blending, duration, whether it is the last frame, and the slot in which it is stored.
  private mutating func readBlending(
    _ image: JPEGXLImageHeader, isPart: Bool, _ bits: inout JPEGXLBits
  ) {
    var duration = 0
    var replaces = true
    if isShown {
      for channel in 0...image.extraChannels {
        let (replace, blend, addWeighted, multiply) = (0, 2, 3, 4)
        let mode = bits.number((0, 0), (0, 1), (0, 2), (2, 3))
        if channel == 0 { replaces = mode == replace }
        let usesAlpha = image.extraChannels > 0 && (mode == blend || mode == addWeighted)
        if usesAlpha { _ = bits.number((0, 0), (0, 1), (0, 2), (3, 3)) }
        if usesAlpha || mode == multiply { bits.skip(bits: 1) }
        if mode != replace || isPart { bits.skip(bits: 2) }
      }
      if image.isAnimated {
        duration = bits.number((0, 0), (0, 1), (8, 0), (32, 0))
        if image.hasTimecodes { bits.skip(bits: 32) }
      }
      let saysLast = bits.bit()
      isLast = saysLast && kind == .regular
      endsPicture = isLast || duration > 0
    }
    if isLast { return }
    let slot = bits.take(2)
    if duration == 0 || slot != 0 { store = slot }
    if !isShown || store != nil && replaces && !isPart { bits.skip(bits: 1) }
  }

  /// Skips the settings of the filters after decoding. False where they have extensions: the
  /// standard has none, and libjxl 0.7 adds their lengths to the frame's.
  private static func skipFilters(isModular: Bool, _ bits: inout JPEGXLBits) -> Bool {
    if bits.bit() { return true }
    if bits.bit(), bits.bit() { bits.skipFloats(6) }
    if bits.take(2) > 0 {
      if !isModular, bits.bit() { bits.skipFloats(8) }
      if bits.bit() { bits.skipFloats(5) }
      if bits.bit() { bits.skipFloats(isModular ? 3 : 4) }
      if isModular { bits.skipFloats(1) }
    }
    return bits.longNumber() == 0
  }

  /// Reads the lengths of the parts, and the byte range of the first one, which holds global data.
  /// Nil when they are damaged.
  private mutating func readContents(
    _ upsampling: Int, _ groupShift: Int, _ passes: Int, _ bits: inout JPEGXLBits
  ) -> Range<Int>? {
    let group = 128 << groupShift
    let coded = size.divided(by: upsampling)
    let (groups, lowGroups) = (coded.divided(by: group), coded.divided(by: 8 * group))
    let parts =
      groups.area == 1 && passes == 1 ? 1 : 2 + lowGroups.area + groups.area * passes
    guard parts <= FormatLimits.codestreamParts,
      let index = bits.bit() ? Self.indexOfFirst(of: parts, &bits) : 0
    else { return nil }
    bits.align()
    var first = 0..<0
    for part in 0..<parts {
      let start = bytes
      bytes += bits.number((10, 0), (14, 1024), (22, 17_408), (30, 4_211_712))
      if part == index { first = start..<bytes }
    }
    bits.align()
    return bits.isExhausted ? nil : first
  }

  /// Reads the order of the parts, a Lehmer code; where the first one is, nil when it is damaged.
  private static func indexOfFirst(of parts: Int, _ bits: inout JPEGXLBits) -> Int? {
    func context(_ value: Int) -> Int { min(JPEGXLBits.width(value), 7) }
    guard var numbers = JPEGXLNumbers(contexts: 8, &bits) else { return nil }
    let count = Int(numbers.next(context: context(parts), &bits))
    guard count <= parts else { return nil }
    var (first, last) = (0, 0)
    for position in 0..<count {
      last = Int(numbers.next(context: context(last), &bits))
      guard last < parts - position, !bits.isExhausted else { return nil }
      if position == 0 { first = last }
    }
    return numbers.isAtEnd ? first : nil
  }
}

extension PixelSize {
  /// Columns and rows of blocks of `side`, including partial ones.
  fileprivate func divided(by side: Int) -> PixelSize {
    PixelSize(width: (width + side - 1) / side, height: (height + side - 1) / side)
  }
}
