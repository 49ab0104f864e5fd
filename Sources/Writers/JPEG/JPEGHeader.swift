import Containers
import Formats
import ImageCore

/// The application segments of a JPEG, in the required order: JFIF, Exif, XMP, IPTC, ICC, ISO
/// 21496-1, multi-picture index.
struct JPEGHeader {
  private(set) var bytes: [UInt8] = []

  private mutating func add(
    _ kind: JPEGIdentifier, _ body: [UInt8], what: String
  ) throws(WriteError) {
    guard body.count <= kind.longestBody else {
      let length = kind.name.utf8.count + body.count
      throw WriteError(
        .unsupportedSize,
        "\(what) takes \(length) bytes, a JPEG holds \(JPEGIdentifier.longest); write a HEIF or "
          + "shorten it")
    }
    bytes += kind.segment(body)
  }

  /// Version 1.01, pixels per inch, else square pixels, no thumbnail (ITU-T T.871). Apple's
  /// readers look for `AMPF` after it where a gain map follows.
  mutating func jfif(
    dotsPerInch: SIMD2<Double>? = nil, isApple: Bool = false
  ) throws(WriteError) {
    var density: [UInt8] = [0, 0, 1, 0, 1]
    if let dots = dotsPerInch {
      let sides = [dots.x, dots.y].map { UInt16(clamping: Int($0.rounded())) }
      density = [1] + sides.flatMap { $0.bytes(bigEndian: true) }
    }
    try add(
      .jfif, [1, 1] + density + [0, 0] + (isApple ? Array("AMPF".utf8) : []), what: "JFIF")
  }

  /// Exif, XMP with these `descriptions`, and IPTC's datasets where the source has such. Returns
  /// what did not fit, one sentence each.
  mutating func describe(
    _ metadata: CaptureMetadata, size: PixelSize, in space: EXIF.ColorSpace,
    appleHeadroom: Double? = nil, descriptions: [String] = []
  ) throws(WriteError) -> [String] {
    let block = EXIF.jpegBlock(metadata, size: size, in: space, appleHeadroom: appleHeadroom)
    try add(.exif, block.bytes, what: "the Exif block")
    let fitted = XMPWriter.fitted(
      metadata, format: "image/jpeg", descriptions: descriptions,
      limit: JPEGIdentifier.xmp.longestBody)
    try xmp(fitted.packet)
    var notes = block.notes + fitted.notes
    if let iptc = metadata.iptc, let note = try add(iptc: iptc, fitted) { notes.append(note) }
    return notes
  }

  /// Datasets with the values of the complete XMP, even those that its segment lacks; else with the
  /// values of the shortened XMP. Returns a note on what did not fit.
  private mutating func add(
    iptc: [UInt8], _ xmp: XMPWriter.Fitted
  ) throws(WriteError) -> String? {
    let tooLong = "IPTC's datasets are longer than a JPEG holds"
    let tries: [(packet: [UInt8], note: String?)] = [
      (xmp.complete, nil), (xmp.packet, tooLong + "; those that the XMP lacks were left out, too"),
    ]
    for (packet, note) in tries {
      let resources = PhotoshopResources.bytes(
        iptc: IPTCProperty.datasets(iptc, updatedBy: packet))
      guard resources.count <= JPEGIdentifier.photoshop.longestBody else { continue }
      try add(.photoshop, resources, what: "IPTC")
      return note
    }
    return tooLong + " and were left out"
  }

  mutating func xmp(_ packet: [UInt8]) throws(WriteError) {
    try add(.xmp, packet, what: "the XMP packet")
  }

  /// In as many segments as it takes, each with its number and their count (ICC.1:2022, annex B.4);
  /// a profile of this module fits one.
  mutating func profile(_ profile: [UInt8]) throws(WriteError) {
    let room = JPEGIdentifier.profile.longestBody - 2
    let count = (profile.count + room - 1) / room
    guard count <= 255 else {
      throw WriteError(
        .badProfile, "the ICC profile is longer than a JPEG holds; write a TIFF or a PNG")
    }
    for index in 0..<count {
      let part = profile[(index * room)..<min((index + 1) * room, profile.count)]
      try add(.profile, [UInt8(index + 1), UInt8(count)] + part, what: "the ICC profile")
    }
  }

  /// The metadata of a gain map, or the two versions by which the primary announces it.
  mutating func gainMap(isoRecord record: [UInt8]) throws(WriteError) {
    try add(.gainMap, record, what: "the gain map record")
  }

  /// The multi-picture index of a file with a second picture; `rest` is the length of the primary
  /// after all segments. It must be the last segment.
  mutating func pictures(second: Int, rest: Int) throws(WriteError) {
    // SOI and the earlier segments, then marker, length and identifier of this one.
    let origin = 2 + bytes.count + 4 + JPEGIdentifier.pictures.name.utf8.count
    let first = origin + MultiPictureIndex.byteCountOfTwo + rest
    guard
      let index = MultiPictureIndex.ofTwo(
        first: first, second: second, secondOffset: first - origin)
    else {
      throw WriteError(
        .unsupportedSize, "the picture is too large for the index of a JPEG; write a HEIF or TIFF")
    }
    try add(.pictures, index, what: "the index of pictures")
  }
}
