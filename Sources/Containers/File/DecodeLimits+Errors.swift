package import ImageCore

// The words for a file that exceeds its limits, one for each.
extension DecodeLimits {
  /// The failure of a file of more than ``maxFileBytes``.
  func tooLong(_ bytes: Int) -> FormatError {
    FormatError(
      .tooLarge, "\(bytes) bytes are more than the limit of \(maxFileBytes); give a smaller file")
  }

  /// The failure of a file whose table, in words, lists more than ``maxItems`` things.
  package func tooMany(_ things: String) -> FormatError {
    FormatError(
      .tooLarge,
      "it has more than \(maxItems) \(things), the limit; skip it or write it again")
  }

  /// The failure of a file with more than ``maxNesting`` levels of things within things.
  package func tooDeep(_ things: String) -> FormatError {
    FormatError(
      .tooLarge,
      "its \(things) are nested more than \(maxNesting) deep, the limit; skip it or "
        + "write it again")
  }

  /// Throws when a side of a picture is longer than any that is given to one: rows of work memory
  /// are padded, so that a column of pixels takes hundreds of bytes for each of them.
  package func allowSides(_ size: PixelSize) throws(FormatError) {
    guard max(size.width, size.height) <= PixelSize.largestSide else {
      throw FormatError(
        .tooLarge,
        "\(size) has a side of more than the limit of \(PixelSize.largestSide) pixels; cut it "
          + "into parts")
    }
  }

  /// The failure of a file that took more than ``maxSeconds``.
  package var overTime: FormatError {
    FormatError(
      .tooLarge,
      "reading it timed out after \(maxSeconds ?? 0) s; give it more time or skip it")
  }
}

/// Counts things of one table up to ``DecodeLimits/maxItems``.
package struct ItemCount {
  private let limits: DecodeLimits
  private let path: String?
  private let things: String
  private var count = 0

  /// None so far; `things` says of what, `path` of which file.
  init(_ things: String, _ limits: DecodeLimits, path: String? = nil) {
    (self.things, self.limits, self.path) = (things, limits, path)
  }

  /// Adds `more`; throws above the limit.
  package mutating func add(_ more: Int = 1) throws(FormatError) {
    count += more
    guard count <= limits.maxItems else { throw limits.tooMany(things).at(path) }
  }
}

extension FileBytes {
  /// Counts things of one table of the file; `things` says of what.
  package func itemCount(of things: String) -> ItemCount { ItemCount(things, limits, path: path) }

  /// The failure of more than ``DecodeLimits/maxNesting`` levels of things within things.
  package func tooDeep(_ things: String) -> FormatError { limits.tooDeep(things).at(path) }

  /// The failure of frames, and of channels that count as such, of more than
  /// ``DecodeLimits/maxPixels`` together.
  package var tooManyFramePixels: FormatError {
    FormatError(
      .tooLarge,
      "its frames and channels have more than the limit of \(limits.maxPixels) pixels together; "
        + "raise the limit", remedies: [.allowMemory]
    ).at(path)
  }
}
