import Containers
import Foundation
import ImageCore

/// Capture metadata as an Exif block (CIPA DC-008-2023): a TIFF structure, little-endian unless a
/// maker note needs the other order.
enum EXIF {
  /// Tags that describe the containing file, by directory; the raw's do not apply.
  private static let replaced: [ExifEntry.Directory: Set<UInt16>] = [
    .image: [0x0112, 0x0131, 0x0201, 0x0202, 0x8769, 0x8825],
    .exif: [AppleMakerNote.tag, version.tag, 0xA001, 0xA002, 0xA003, 0xA005],
    .gps: [],
  ]

  /// What Exif requires of a JPEG (CIPA DC-008 tables 17 and 18): 72 dpi, Exif's default, chroma
  /// centered between four pixels, Y Cb Cr, FlashPix 1.0.
  private static let ofJPEG = [
    ExifEntry(.image, 0x011A, .rationals([Rational(72, 1)])),
    ExifEntry(.image, 0x011B, .rationals([Rational(72, 1)])),
    ExifEntry(.image, 0x0128, .shorts([2])),
    ExifEntry(.image, 0x0213, .shorts([1])),
    ExifEntry(.exif, 0x9101, .undefined([1, 2, 3, 0])),
    ExifEntry(.exif, 0xA000, .undefined(Array("0100".utf8))),
  ]

  /// The version of Exif that is written.
  static let version = ExifEntry(.exif, 0x9000, .undefined(Array("0232".utf8)))

  /// How Exif and DCF declare a color space: the values of two tags.
  enum ColorSpace: Sendable {
    case sRGB
    /// DCF's optional color space (CIPA DC-009-2010, 3.5): uncalibrated, and `R03` by the
    /// interoperability directory.
    case adobeRGB
    case uncalibrated
  }

  /// The entries that describe the written picture: its color space and its size.
  static func picture(_ size: PixelSize, in space: ColorSpace) -> [ExifEntry] {
    [
      ExifEntry(.exif, 0xA001, .shorts([space == .sRGB ? 1 : 65_535])),
      ExifEntry(.exif, 0xA002, .longs([UInt32(truncatingIfNeeded: size.width)])),
      ExifEntry(.exif, 0xA003, .longs([UInt32(truncatingIfNeeded: size.height)])),
    ]
  }

  /// A written block.
  struct Block: Sendable {
    let bytes: [UInt8]
    /// What it could not hold, one sentence each.
    var notes: [String] = []
  }

  /// The block of a JPEG: as in other files, plus the entries that Exif requires in a JPEG. Of a
  /// maker note that does not fit the segment the longest values are left out, or all of it; then
  /// the longest texts and blocks of bytes.
  static func jpegBlock(
    _ metadata: CaptureMetadata, size: PixelSize, in space: ColorSpace,
    appleHeadroom: Double? = nil
  ) -> Block {
    var metadata = metadata
    // These describe the written file.
    for tag: UInt16 in [0x0213, 0x9101] { metadata.entries.removeAll { $0.tag == tag } }
    metadata.entries += ofJPEG.filter { metadata[$0.directory, $0.tag] == nil }
    func block(_ metadata: CaptureMetadata) -> Block {
      Self.block(metadata, size: size, in: space, appleHeadroom: appleHeadroom)
    }
    let longest = JPEGIdentifier.exif.longestBody
    var (fitted, notes) = (block(metadata), [String]())
    if let note = metadata.makerNote, fitted.bytes.count > longest {
      // A note of odd length is padded by a byte.
      let excess = fitted.bytes.count - longest
      metadata.makerNote = note.shortened(to: note.bytes.count - excess - 1)
      let left = metadata.makerNote == nil ? "it was left out" : "its longest parts were left out"
      notes.append("the camera's maker note is longer than a JPEG holds, and \(left)")
      fitted = block(metadata)
    }
    var isShortened = false
    while fitted.bytes.count > longest, !metadata.entries.isEmpty {
      // An entry takes 12 bytes, and a value that does not fit it its own.
      var excess = fitted.bytes.count - longest
      let removed = metadata.entries.indices.sorted {
        metadata.entries[$0].value.byteCount > metadata.entries[$1].value.byteCount
      }.prefix {
        let bytes = metadata.entries[$0].value.byteCount
        defer { excess -= bytes > 4 ? 12 + bytes : 12 }
        return excess > 0
      }
      for index in removed.sorted(by: >) { metadata.entries.remove(at: index) }
      isShortened = true
      fitted = block(metadata)
    }
    if isShortened {
      notes.append("its Exif is longer than a JPEG holds, and its longest texts were left out")
    }
    return Block(bytes: fitted.bytes, notes: notes + fitted.notes)
  }

  /// The entries of `metadata` and of the written file: upright, its size and its color space. With
  /// `appleHeadroom`, of a gain map in Apple's format, Apple's maker note encodes it; another
  /// camera's is unchanged, since the XMP of the map declares the headroom, too. Without it,
  /// Apple's note declares no gain map. Starts with a byte order mark.
  static func block(
    _ metadata: CaptureMetadata, size: PixelSize, in space: ColorSpace = .uncalibrated,
    appleHeadroom: Double? = nil
  ) -> Block {
    var entries = metadata.entries.filter { replaced[$0.directory]?.contains($0.tag) == false }
    entries += [
      ExifEntry(.image, 0x0112, .shorts([1])),
      ExifEntry(.image, TIFFTag.software, .ascii(RawdevVersion.software)),
    ]
    entries += picture(size, in: space)
    entries.append(version)
    func block(_ entries: [ExifEntry], _ note: CaptureMetadata.MakerNote?) -> [UInt8] {
      Self.block(entries, note, in: space)
    }
    guard let appleHeadroom else {
      let block = block(entries, metadata.makerNote)
      return Block(
        bytes: MakerAppleNote(block)?.withoutHeadroom() ?? block,
        notes: metadata.makerNote?.placement == .nowhere ? [noteDropped] : [])
    }
    if let note = metadata.makerNote, note.placement != .nowhere {
      let full = block(entries, note)
      let encoded = AppleMakerNote(note.bytes)?.headroom?.headroom ?? 0
      if abs(log2(encoded / appleHeadroom)) < 0.01 { return Block(bytes: full) }
      let edited = MakerAppleNote(full)?.with(.init(headroom: appleHeadroom))
      return Block(bytes: edited ?? full)
    }
    let own = CaptureMetadata.MakerNote(
      bytes: AppleMakerNote.bytes(headroom: appleHeadroom), placement: .anywhere)
    return Block(
      bytes: block(entries, own),
      notes: metadata.makerNote == nil ? [] : [noteDropped])
  }

  /// A relocatable maker note, without Apple's gain map values.
  static func withoutHeadroom(_ note: CaptureMetadata.MakerNote) -> [UInt8] {
    let full = block([], note, in: .uncalibrated)
    guard let block = MakerAppleNote(full)?.withoutHeadroom(), let file = try? FileBytes(block),
      let tiff = try? TIFFFile(file)
    else { return note.bytes }
    return tiff.directory(.exif)?[AppleMakerNote.tag]?.bytes ?? note.bytes
  }

  /// The note on a maker note that cannot be moved.
  static let noteDropped =
    "the camera's maker note has absolute offsets into its own file and was left out"

  /// The interoperability directory of a file in `space`: index and version.
  private static func interoperability(_ space: ColorSpace) -> [TIFFField] {
    guard space == .adobeRGB else { return [] }
    return [TIFFField(1, .ascii("R03")), TIFFField(2, .undefined(Array("0100".utf8)))]
  }

  /// An Exif directory of `fields` at byte `offset` of its structure, followed by the
  /// interoperability directory where `space` has one.
  private static func directory(
    _ fields: [TIFFField], in space: ColorSpace, at offset: Int, by writer: TIFFDirectoryWriter,
    bigEndian: Bool
  ) -> [UInt8] {
    let inner = interoperability(space)
    guard !inner.isEmpty else { return writer.bytes(fields, at: offset) }
    func pointer(_ position: Int) -> [TIFFField] {
      let value = ExifEntry.Value.longs([UInt32(truncatingIfNeeded: position)])
      return fields + [TIFFField(TIFFTag.interoperabilityDirectory, value, bigEndian: bigEndian)]
    }
    let end = offset + writer.byteCount(pointer(0))
    return writer.bytes(pointer(end), at: offset) + writer.bytes(inner, at: end)
  }

  /// The directories of Exif and GPS follow the first one. A maker note with a fixed offset is
  /// stored there, before them. Of two entries with one tag the first is used.
  private static func block(
    _ entries: [ExifEntry], _ note: CaptureMetadata.MakerNote?, in space: ColorSpace
  ) -> [UInt8] {
    var entries = entries
    var (bigEndian, start) = (false, 8)
    var noteFields: [TIFFField] = []
    var before: [UInt8] = []
    switch note?.placement {
    case .anywhere:
      entries.append(ExifEntry(.exif, AppleMakerNote.tag, .undefined(note?.bytes ?? [])))
    case .at(let offset, let order):
      let bytes = note?.bytes ?? []
      bigEndian = order
      noteFields = [
        TIFFField(AppleMakerNote.tag, undefined: bytes.count, at: offset, bigEndian: order)
      ]
      before = [UInt8](repeating: 0, count: max(offset - start, 0)) + bytes
      if before.count % 2 != 0 { before.append(0) }
      start += before.count
    case .nowhere, nil: break
    }
    func fields(_ directory: ExifEntry.Directory) -> [TIFFField] {
      var seen: Set<UInt16> = []
      return entries.filter { $0.directory == directory }
        .map { entry in
          let isTurned = bigEndian && directory == .exif && entry.tag == ExifEntry.userComment
          let value = isTurned ? entry.value.withUnicodeTurned : entry.value
          return TIFFField(entry.tag, value, bigEndian: bigEndian)
        }
        .filter { $0.count > 0 && seen.insert($0.tag).inserted }
    }
    let writer = TIFFDirectoryWriter(bigEndian: bigEndian)
    let pointers = [
      (tag: TIFFTag.exifDirectory, fields(.exif) + noteFields),
      (TIFFTag.gpsDirectory, fields(.gps)),
    ]
    .filter { !$0.1.isEmpty }
    var image = fields(.image)
    var rest: [UInt8] = []
    let end = start + writer.byteCount(image) + 12 * pointers.count
    for (tag, fields) in pointers {
      let offset = ExifEntry.Value.longs([UInt32(truncatingIfNeeded: end + rest.count)])
      image.append(TIFFField(tag, offset, bigEndian: bigEndian))
      rest +=
        tag == TIFFTag.exifDirectory
        ? directory(fields, in: space, at: end + rest.count, by: writer, bigEndian: bigEndian)
        : writer.bytes(fields, at: end + rest.count)
    }
    let header =
      Array((bigEndian ? "MM" : "II").utf8) + UInt16(42).bytes(bigEndian: bigEndian)
      + UInt32(truncatingIfNeeded: start).bytes(bigEndian: bigEndian)
    return header + before + writer.bytes(image, at: start) + rest
  }
}
