package import ImageCore

/// The frames of a JPEG XL codestream, bare or in its container, one after another: from their
/// headers alone, so that what they cost is known before libjxl decodes the first (ISO/IEC 18181-1
/// and -2). It does not keep its memory alive.
///
/// Check: of all files that libjxl's encoder writes here, and of 72,000 that were damaged in their
/// headers, libjxl 0.7 shows the frames that are found, in their sizes, as far as it gets; but for
/// extensions of filters, which the standard has none of (``JPEGXLFrame``), and end the frames.
@safe package struct JPEGXLFrames {
  /// Steps that may be taken whatever the bytes: as many patches as 65,536 at even distances, four
  /// numbers each, are coded in no bits. Codes and the order of parts take some thousands.
  package static let leastSteps = 1 << 18

  /// Steps that the headers of a file of so many bytes may take together: what libjxl grants a
  /// profile, 256 numbers for a byte, up to the longest profile that is kept, 16 MiB.
  package static func mostSteps(bytes: Int) -> Int { leastSteps + min(256 * bytes, 16 << 20) }

  /// Steps that the headers of all parts of a picture of so many pixels may take together, where
  /// each is a codestream: a tenth of the time that the pixels take.
  package static func mostSteps(pixels: Int) -> Int { leastSteps + pixels / 8 }

  private let image: JPEGXLImageHeader
  private var bits: JPEGXLBits
  private var isOver = false

  /// Columns and rows of the picture as stored.
  package var size: PixelSize { image.size }
  /// Whether no bytes of the frames so far are missing.
  package var isWhole: Bool { !bits.isExhausted }
  /// Channels beside gray or colors.
  package var extraChannels: Int { image.extraChannels }
  /// Steps that the frames behind may take.
  package var stepsLeft: Int { bits.stepsLeft }

  /// The frames of the codestream in `data`, whose headers take at most so many steps; nil when it
  /// is damaged before the first.
  package init?(_ data: UnsafeRawBufferPointer, mostSteps: Int) {
    guard let parts = unsafe Self.parts(data) else { return nil }
    bits = unsafe JPEGXLBits(data, parts, mostSteps: mostSteps)
    guard let image = JPEGXLImageHeader(&bits) else { return nil }
    self.image = image
    if image.preview != nil {
      guard let frame = JPEGXLFrame(image, isPreview: true, &bits) else { return nil }
      bits.skip(bytes: frame.bytes)
    }
  }

  /// The next frame; nil behind the last one, and where the header of one is damaged.
  package mutating func next() -> JPEGXLFrame? {
    guard !isOver, let frame = JPEGXLFrame(image, &bits) else { return nil }
    isOver = frame.isLast
    bits.skip(bytes: frame.bytes)
    return frame
  }

  /// The frames of `file`.
  package init?(of file: FileBytes) {
    defer { withExtendedLifetime(file) {} }
    unsafe self.init(file.buffer, mostSteps: Self.mostSteps(bytes: file.count))
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
        // Behind its number, whose highest bit marks the last one.
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
