import Containers
import Formats
import ImageCore
import TIFFCodec

/// All of the file but the pixels: tags of the main directory, Exif and GPS directories, profile
/// and XMP.
struct TIFFTags {
  private let coding: TIFFCoding
  private let isMultiplied: Bool
  private let metadata: CaptureMetadata
  private let xmp: [UInt8]

  /// Text tags of the main directory: description, make, model, time, artist, computer, copyright.
  private static let texts: Set<UInt16> = [270, 271, 272, 306, 315, 316, 33432]
  /// Windows' own texts, which are not TIFF tags.
  private static let windows: [UInt16: String] = [
    0x9C9B: "title", 0x9C9C: "comment", 0x9C9D: "author", 0x9C9E: "keywords", 0x9C9F: "subject",
  ]
  /// Tag values: gray with 0 for black, RGB, contiguous, upright, inches, and the two sample
  /// formats.
  private static let (gray, rgb, contiguous, topLeft, inches) = (1, 2, 1, 1, 2)
  /// Premultiplied and straight alpha.
  private static let (multipliedAlpha, straightAlpha): (UInt16, UInt16) = (1, 2)
  private static let (unsignedIntegers, floats) = (1, 3)
  private static let dotsPerInch = 300.0

  /// `isMultiplied`: colors are premultiplied by the alpha of the layout. `xmp`: the packet to
  /// write; nil to make one from `metadata`.
  init(coding: TIFFCoding, isMultiplied: Bool, metadata: CaptureMetadata, xmp: [UInt8]?) {
    (self.coding, self.isMultiplied) = (coding, isMultiplied)
    self.metadata = metadata
    self.xmp = xmp ?? XMPWriter.packet(metadata, format: "image/tiff")
  }

  /// Metadata that the file cannot hold, one sentence each.
  func notes(isBig: Bool) -> [String] {
    (holdsNote(isBig: isBig) ? [] : [EXIF.noteDropped])
      + metadata.entries.compactMap { entry in
        guard entry.directory == .image, !Self.isElsewhere(entry.tag), Self.text(entry) == nil
        else { return nil }
        let name = Self.windows[entry.tag].map { "the Windows tag of the \($0)" }
        return (name ?? "tag \(entry.tag)") + " cannot be stored in a TIFF and was left out"
      }
  }

  /// Whether the file can hold the maker note, if any. One with a fixed offset is stored there,
  /// after the file header and before all else.
  private func holdsNote(isBig: Bool) -> Bool {
    switch metadata.makerNote?.placement {
    case .at(let offset, let bigEndian): offset >= (isBig ? 16 : 8) && !bigEndian
    case .nowhere: false
    case .anywhere, nil: true
    }
  }

  /// Whether the file stores it elsewhere: its own software, the resolution, the rating in XMP.
  private static func isElsewhere(_ tag: UInt16) -> Bool {
    CaptureMetadata.resolutionTags.contains(tag)
      || [TIFFTag.software, TIFFTag.rating, TIFFTag.ratingPercent].contains(tag)
  }

  private static func text(_ entry: ExifEntry) -> (tag: UInt16, text: String)? {
    guard entry.directory == .image, texts.contains(entry.tag), case .ascii(let text) = entry.value
    else { return nil }
    return (entry.tag, text)
  }

  /// Approximate upper bound of the length of the metadata.
  var byteCount: Int {
    let entries = metadata.entries.reduce(0) { $0 + 64 + TIFFField($1.tag, $1.value).payload.count }
    let blocks = xmp.count + (metadata.makerNote?.bytes.count ?? 0) + (metadata.iptc?.count ?? 0)
    let noteOffset =
      if case .at(let offset, _) = metadata.makerNote?.placement { offset } else { 0 }
    return entries + 2 * blocks + noteOffset + 100_000
  }

  /// Writes the Exif and GPS directories and sets the main directory's tags; strips may follow.
  func set(on file: TIFFEncoder, layout: StripLayout, isBig: Bool) throws {
    try setPicture(on: file, layout: layout)
    for entry in metadata.entries {
      guard let (tag, text) = Self.text(entry) else { continue }
      try file.set(tag, .text(text))
    }
    try file.set(TIFFTag.software, .text(RawdevVersion.software))
    if coding.space.colorSpace.hasProfile {
      try file.set(TIFFTag.iccProfile, .bytes(coding.space.iccProfile(isGray: coding.isGray)))
    }
    try file.set(TIFFTag.xmp, .bytes(xmp))
    if let iptc = metadata.iptc {
      try file.set(TIFFTag.iptc, .iptc(IPTCProperty.datasets(iptc, updatedBy: xmp)))
    }
    let exif =
      try Self.fields(exifEntries(size: layout.size))
      + fixedNote(in: file, isBig: isBig)
    let gps = Self.fields(metadata.entries.filter { $0.directory == .gps })
    for (tag, fields) in [(TIFFTag.exifDirectory, exif), (TIFFTag.gpsDirectory, gps)]
    where !fields.isEmpty {
      let offset = try file.append { TIFFDirectoryWriter(isBig: isBig).bytes(fields, at: $0) }
      try file.set(tag, .offset(offset))
    }
  }

  /// Writes a maker note at its fixed offset. Returns the entry that refers to it.
  private func fixedNote(in file: TIFFEncoder, isBig: Bool) throws -> [TIFFField] {
    guard let note = metadata.makerNote, case .at(let offset, _) = note.placement,
      holdsNote(isBig: isBig)
    else { return [] }
    _ = try file.append { [UInt8](repeating: 0, count: max(offset - $0, 0)) + note.bytes }
    return [
      TIFFField(AppleMakerNote.tag, undefined: note.bytes.count, at: offset, bigEndian: false)
    ]
  }

  /// Offsets of other directories, meaningless in another file.
  private static let offsets: Set<UInt16> = [
    TIFFTag.exifDirectory, TIFFTag.gpsDirectory, TIFFTag.interoperabilityDirectory,
  ]

  /// These entries by tag; of two with one tag the last counts. Texts end at their first NUL.
  /// Entries without a value and offsets of other directories are left out.
  static func fields(_ entries: [ExifEntry]) -> [TIFFField] {
    var byTag: [UInt16: TIFFField] = [:]
    for entry in entries where !offsets.contains(entry.tag) {
      var value = entry.value
      if case .ascii(let text) = value { value = .ascii(text.upToNUL) }
      let field = TIFFField(entry.tag, value)
      if field.count > 0 { byTag[entry.tag] = field }
    }
    return byTag.values.sorted { $0.tag < $1.tag }
  }

  private func setPicture(on file: TIFFEncoder, layout: StripLayout) throws {
    let isFloat = coding.isFloat
    try file.set(TIFFTag.imageWidth, .long(layout.size.width))
    try file.set(TIFFTag.imageLength, .long(layout.size.height))
    try file.set(TIFFTag.samplesPerPixel, .short(layout.channels))
    if layout.hasAlpha {
      let kind = isMultiplied ? Self.multipliedAlpha : Self.straightAlpha
      try file.set(TIFFTag.extraSamples, .kinds([kind]))
    }
    try file.set(TIFFTag.bitsPerSample, .short(8 * layout.sampleBytes))
    try file.set(
      TIFFTag.sampleFormat, .short(isFloat ? Self.floats : Self.unsignedIntegers))
    try file.set(
      TIFFTag.photometricInterpretation, .short(coding.isGray ? Self.gray : Self.rgb))
    try file.set(TIFFTag.planarConfiguration, .short(Self.contiguous))
    try file.set(TIFFTag.orientation, .short(Self.topLeft))
    try file.set(TIFFTag.rowsPerStrip, .long(layout.rowsPerStrip))
    try file.set(TIFFTag.resolutionUnit, .short(Self.inches))
    let dots = metadata.dotsPerInch ?? SIMD2(repeating: Self.dotsPerInch)
    try file.set(TIFFTag.xResolution, .real(dots.x))
    try file.set(TIFFTag.yResolution, .real(dots.y))
    let scheme =
      switch coding.compression {
      case .none: TIFFTag.Compression.none
      case .deflate: TIFFTag.Compression.deflate
      case .zstd: TIFFTag.Compression.zstandard
      case .lzw: TIFFTag.Compression.lzw
      }
    try file.set(TIFFTag.compression, .short(scheme))
    if coding.compression != .none {
      let predictor =
        isFloat ? TIFFTag.Predictor.floatingPoint : TIFFTag.Predictor.horizontal
      try file.set(TIFFTag.predictor, .short(predictor))
    }
  }

  /// The Exif entries of the capture with those that describe this file: its size and color space.
  /// DCF's index of Adobe RGB is left out: a TIFF is no file of DCF, and libtiff warns of it.
  private func exifEntries(size: PixelSize) -> [ExifEntry] {
    var entries = metadata.entries.filter { $0.directory == .exif }
    guard !entries.isEmpty else { return [] }
    if let note = metadata.makerNote, note.placement == .anywhere {
      entries.append(
        ExifEntry(.exif, AppleMakerNote.tag, .undefined(EXIF.withoutHeadroom(note))))
    }
    return entries + [EXIF.version] + EXIF.picture(size, in: coding.space.exif)
  }
}
