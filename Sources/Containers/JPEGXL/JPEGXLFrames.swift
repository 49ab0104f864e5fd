package import ImageCore

/// The frames of a JPEG XL codestream, bare or in its container, one after another: from their
/// headers alone, so that what they cost is known before libjxl decodes the first (ISO/IEC 18181-1
/// and -2). It does not keep its memory alive.
///
/// Check: for all files that libjxl's encoder writes here, and for 72,000 with damaged headers,
/// libjxl 0.7 shows the frames found here, in their sizes, as far as it decodes; except for
/// extensions of filters, which the standard lacks (``JPEGXLFrame``) and which end the frames.
@safe package struct JPEGXLFrames {
  /// Minimum allowance of steps: 65,536 patches at equal distances, four numbers each, take no
  /// bits. Codes and the order of parts take some thousands.
  package static let minSteps = 1 << 18

  /// Maximum steps for the headers of a file of this size: libjxl's allowance for a profile, 256
  /// numbers per byte, up to the longest profile that is stored, 16 MiB.
  package static func maxSteps(bytes: Int) -> Int { minSteps + min(256 * bytes, 16 << 20) }

  /// Maximum steps for the headers of all parts of a picture of this many pixels, where each is a
  /// codestream: a tenth of the time for the pixels.
  package static func maxSteps(pixels: Int) -> Int { minSteps + pixels / 8 }

  private let image: JPEGXLImageHeader
  private var bits: JPEGXLBits
  private var isOver = false

  /// Columns and rows of the picture as stored.
  package var size: PixelSize { image.size }
  /// Whether no bytes of the frames so far are missing.
  package var isComplete: Bool { !bits.isExhausted }
  /// Channels beside gray or colors.
  package var extraChannels: Int { image.extraChannels }
  /// Remaining steps for later frames.
  package var stepsLeft: Int { bits.stepsLeft }

  /// The frames of the codestream in `data`, whose headers take at most `maxSteps` steps; nil when
  /// it is damaged before the first.
  package init?(_ data: UnsafeRawBufferPointer, maxSteps: Int) {
    guard let parts = unsafe Self.parts(data) else { return nil }
    bits = unsafe JPEGXLBits(data, parts, maxSteps: maxSteps)
    guard let image = JPEGXLImageHeader(&bits) else { return nil }
    self.image = image
    if image.preview != nil {
      guard let frame = JPEGXLFrame(image, isPreview: true, &bits) else { return nil }
      bits.skip(bytes: frame.bytes)
    }
  }

  /// The next frame; nil after the last one, and where a header is damaged.
  package mutating func next() -> JPEGXLFrame? {
    guard !isOver, let frame = JPEGXLFrame(image, &bits) else { return nil }
    isOver = frame.isLast
    bits.skip(bytes: frame.bytes)
    return frame
  }

  /// The frames of `file`.
  package init?(of file: FileBytes) {
    defer { withExtendedLifetime(file) {} }
    unsafe self.init(file.buffer, maxSteps: Self.maxSteps(bytes: file.count))
  }

  /// Where the codestream is.
  private static func parts(_ data: UnsafeRawBufferPointer) -> [Range<Int>]? {
    if unsafe data.starts(with: JPEGXLImageHeader.signature) { return [0..<data.count] }
    var parts: [Range<Int>] = []
    var start = 0
    // libjxl takes boxes that are longer than the file.
    while let box = unsafe FileBytes.BoxPosition(
      at: start, before: data.count, in: data, mayBeCut: true)
    {
      switch box.type {
      case "jxlc": return parts + [box.content]
      case "jxlp":
        // Preceded by its number, whose highest bit marks the last one.
        guard box.content.count >= 4, parts.count < FormatLimits.codestreamParts else { return nil }
        parts.append(box.content.dropFirst(4))
        if unsafe data[box.content.lowerBound] >= 0x80 { return parts }
      default: break
      }
      start = box.range.upperBound
    }
    return parts.isEmpty ? nil : parts
  }
}
