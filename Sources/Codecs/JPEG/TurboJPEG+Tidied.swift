package import Containers
package import ImageCore

// Complete pictures for which the decoder reports errors. Cameras write stray bytes, omit the end
// marker and use unknown version numbers, but the decoder also reports stray bytes where a flipped
// bit ends a scan early, and reports only its first error: a clean copy that decodes without errors
// proves that the picture is complete.

extension TurboJPEG {
  /// Decodes `image` at `size`, from its header or a scale of it, into rows of `stride` bytes with
  /// `components` (1, 3 or 4) bytes a pixel. Returns its fault, in words; nil where it is complete.
  package func decode(
    _ image: JPEGSegments, size: PixelSize, components: Int, stride: Int,
    rows target: UnsafeMutablePointer<UInt8>
  ) throws(FormatError) -> String? {
    guard
      let complaint = unsafe decode(
        image.bytes, size: size, components: components, stride: stride, rows: target)
    else { return nil }
    // A phone's blocks directly after the codes may look like anything to the decoder.
    if case .damaged(let words) = complaint, image.latestEnd == image.file.count {
      return Self.said(words)
    }
    guard unsafe image.bytes.count < image.file.limits.maxDecodeBytes else {
      return "its end is missing, or it has stray bytes"
    }
    return try unsafe decodeTidied(
      image, size: size, components: components, stride: stride, rows: target)
  }

  /// The same of a copy without its oddities.
  func decodeTidied(
    _ image: JPEGSegments, size: PixelSize, components: Int, stride: Int,
    rows target: UnsafeMutablePointer<UInt8>
  ) throws(FormatError) -> String? {
    guard let frame = image.frame, image.hasAllScans(of: frame) else { return Self.endsEarly }
    var copy = image.tidied()
    var filling: Filling?
    // The decoder does not count what it has read ahead: it may name some bytes twice.
    for _ in 0..<4 {
      try image.file.checkReading()
      let complaint = unsafe copy.withUnsafeBytes {
        unsafe decode($0, size: size, components: components, stride: stride, rows: target)
      }
      switch complaint {
      case nil: return filling?.isRead(in: copy) == true ? Self.endsEarly : nil
      case .endMissing: return Self.endsEarly
      case .damaged(let words): return Self.said(words)
      case .oddity(let words, let count):
        // Arithmetic coding has no wrong codes by which damage would show in what is left.
        guard count > 0, !frame.isArithmetic,
          let found = filling ?? Filling(of: copy, naming: count), found.holds(count, of: copy)
        else { return Self.said(words) }
        filling = found
        copy.removeSubrange(copy.count - 2 - count..<copy.count - 2)
      }
    }
    return Self.endsEarly
  }

  private static let endsEarly = "the data end early"
  private static func said(_ words: String) -> String { "the decoder says: \(words)" }
}

/// What writers put between the codes and the end marker: zeros and fill bytes, a line of text, a
/// line break. Codes left over after a flipped bit match these only by chance. Zeros and text may
/// also replace lost codes, and the decoder may have enough of them for the entire picture: then it
/// has read many as codes before it reports the rest.
private struct Filling {
  /// Bytes that the decoder reads ahead without naming them, and as many as codes may end in that
  /// look the same.
  private static let maxRead = 10
  /// Codes end in so much text in one of 100,000 pictures, and in a line break in one of 65,536.
  private static let minText = 12
  private static let lineBreak: [UInt8] = [0x0D, 0x0A]

  /// Where it begins.
  private let start: Int

  /// The filling of `jpeg`, which ends in an end marker and of which the decoder reports the last
  /// `count` other bytes; nil where these are anything else.
  init?(of jpeg: [UInt8], naming count: Int) {
    let body = jpeg.dropLast(2)
    func isPadding(_ byte: UInt8) -> Bool { byte == 0 || byte == 0xFF }
    func isText(_ byte: UInt8) -> Bool {
      (0x20...0x7E).contains(byte) || [0, 0x09, 0x0A, 0x0D].contains(byte)
    }
    let isPadded = body.suffix(count).allSatisfy(isPadding)
    let last = body.lastIndex { isPadded ? !isPadding($0) : !isText($0) }
    start = last.map { $0 + 1 } ?? 0
    guard
      isPadded || body.count - start >= Self.minText
        || body.suffix(2).elementsEqual(Self.lineBreak)
    else { return nil }
  }

  /// Whether the last `count` bytes before the end marker of `jpeg` are part of it.
  func holds(_ count: Int, of jpeg: [UInt8]) -> Bool { jpeg.count - 2 - count >= start }

  /// Whether the decoder took much of it for codes, where it names no more in `jpeg`.
  func isRead(in jpeg: [UInt8]) -> Bool { jpeg.count - 2 - start > Self.maxRead }
}
