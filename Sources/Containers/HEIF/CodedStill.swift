package import ImageCore

/// What the headers of one picture's coded data declare, read before decoding.
package struct CodedStill: Equatable, Sendable {
  /// The raw value is the type of an item that is so coded.
  package enum Codec: String, Sendable {
    case hevc = "hvc1"
    case av1 = "av01"
    case jpeg
    case uncompressed = "unci"

    /// Type of the box of its decoder configuration record.
    package var configurationType: String {
      switch self {
      case .hevc: "hvcC"
      case .av1: "av1C"
      case .jpeg: "jpgC"
      case .uncompressed: "uncC"
      }
    }
  }

  package let codec: Codec
  /// Columns and rows that a decoder gives.
  package let size: PixelSize
  /// Columns and rows that a decoder has memory for; of HEVC it may cut some off.
  package let codedSize: PixelSize
  package let bits: Int
  package let isGray: Bool
  /// The code points in the data; nil where they have none.
  package let codePoints: HEIFProperty.CodePoints?
  /// Whether samples use the full range; nil where the data do not declare it.
  package let isFullRange: Bool?
  /// Coded data of fewer bytes cannot hold it all.
  package let minBytes: Int
  /// Bytes that decoding takes beside data and planes.
  package let decoderBytes: Int
  /// Whether the planes are green, blue and red, of full range, or a gray of full range.
  package let isRGB: Bool

  /// Throws when coded data have more `frames` than a still: decoders decode all up to the one that
  /// is output.
  static func allow(frames: Int) throws(FormatError) {
    guard frames <= FormatLimits.codedFrames else {
      throw FormatError(
        .tooLarge,
        "a coded picture has \(frames) frames, more than \(FormatLimits.codedFrames); export it "
          + "again as a still"
      )
    }
  }

  /// The failure of coded data of more than ``FormatLimits/codedUnits`` units.
  static var tooManyUnits: FormatError {
    .contradiction("a coded picture has more than \(FormatLimits.codedUnits) NAL units or OBUs")
  }

  static func unreadable(_ what: String) -> FormatError {
    .contradiction("the coded picture cannot be read: \(what)")
  }

  /// Reads `configuration` of an item of `type`; `data` are its bytes, asked for when they are
  /// needed.
  package init(
    type: String, configuration: [UInt8], data: () throws(FormatError) -> [UInt8]
  ) throws(FormatError) {
    switch Codec(rawValue: type) {
    case .hevc: self = try HEVCConfiguration(configuration).still()
    case .av1: self = try AV1Configuration.still(configuration, try data())
    case .jpeg: self = try Self.jpeg(configuration + data())
    case .uncompressed: self = try UncompressedLayout(configuration).still
    case nil:
      throw FormatError(
        .unsupported,
        "it is coded as \(ISOBox.shown(type)), which is not supported; convert it to HEVC, AV1 or "
          + "JPEG"
      )
    }
  }

  init(
    codec: Codec, size: PixelSize, codedSize: PixelSize, bits: Int, isGray: Bool,
    codePoints: HEIFProperty.CodePoints?, isFullRange: Bool?,
    minBytes: Int = 0, decoderBytes: Int = 0, isRGB: Bool = false
  ) {
    (self.codec, self.size, self.codedSize) = (codec, size, codedSize)
    (self.bits, self.isGray) = (bits, isGray)
    (self.codePoints, self.isFullRange, self.minBytes) = (codePoints, isFullRange, minBytes)
    (self.decoderBytes, self.isRGB) = (decoderBytes, isRGB)
  }

  /// A JPEG of 8 bits, gray or of three colors, which decoders make RGB.
  private static func jpeg(_ data: [UInt8]) throws(FormatError) -> CodedStill {
    guard let image = JPEGSegments(try FileBytes(data)), let frame = image.frame,
      let scan = image.scan, frame.size.width > 0, frame.size.height > 0
    else { throw unreadable("its JPEG is incomplete") }
    guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(frame.marker), frame.bitDepth == 8,
      [1, 3].contains(frame.components)
    else {
      throw FormatError(
        .unsupported,
        "its JPEG has \(frame.bitDepth) bits and \(frame.components) components, or is lossless, "
          + "which is not supported; convert it to HEVC or AV1")
    }
    guard !image.endsEarly(frame, scan), !image.hasTooManyScans(for: frame) else {
      throw unreadable("its JPEG is truncated or has too many scans")
    }
    return CodedStill(
      codec: .jpeg, size: frame.size, codedSize: frame.size, bits: 8,
      isGray: frame.components == 1, codePoints: nil, isFullRange: true,
      decoderBytes: image.coefficientBytes(of: frame) + frame.size.area * frame.components,
      isRGB: true)
  }
}
