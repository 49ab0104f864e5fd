import Containers
import ImageCore
import RawDecode

/// The capture metadata of a DNG: Exif, GPS, XMP and IPTC of the raw, byte for byte, except for
/// sidecar replacements and the reference to the raw in XMP (``XMPSourceReference``); and the maker
/// note. XMP that cannot be edited without loss is copied unchanged, without the reference: the raw
/// itself may be deleted after conversion.
///
/// Maker notes stay readable. One with offsets relative to its own start is an ordinary value. Any
/// other is written at the offset and in the byte order of the raw, so that its offsets stay valid;
/// one whose offset was too large is stored in DNGPrivateData in Adobe's format, with its old
/// offset, which readers support (ExifTool).
struct DNGMetadata {
  /// Entries of IFD 0.
  private(set) var image: [TIFFField] = []
  /// Tags of a source DNG that they replace, or that a sidecar removes.
  private(set) var replaced: Set<UInt16> = [TIFFTag.xmp]
  private(set) var exif: [TIFFField] = []
  private(set) var gps: [TIFFField] = []
  private(set) var interoperability: [TIFFField] = []
  private(set) var note: (offset: Int, bytes: [UInt8])?
  /// DNGPrivateData.
  private(set) var privateData: TIFFField?
  /// MakerNoteSafety.
  private(set) var safety: TIFFField?
  /// Whether the XMP is copied unchanged, since it cannot be edited.
  private(set) var keepsXMP = false
  private(set) var notes: [String] = []

  /// Maximum offset of a note: the file is empty up to it.
  private static let farthest = 1 << 16

  /// `metadata`: the raw's metadata, with replacements from a sidecar.
  init(
    _ raw: RawFile, _ metadata: CaptureMetadata, _ source: XMPSourceReference, _ make: DNGFields
  ) {
    let own = raw.metadata
    let tiff = raw.tiff
    let isDescribed = metadata.xmp != own.xmp
    addXMP(metadata, source, make)
    if isDescribed { addNotes(on: own, source) }
    if raw.tags != nil {
      // Compared as bytes: String comparison would treat canonically equivalent texts as equal.
      let changed = { (entry: ExifEntry, other: CaptureMetadata) in
        entry.directory == .image
          && other[.image, entry.tag].map { TIFFField(entry.tag, $0) }
            != TIFFField(entry.tag, entry.value)
      }
      replaced.formUnion(own.entries.filter { changed($0, metadata) }.map(\.tag))
      // The sidecar's XMP includes all IPTC-IIM data that it keeps.
      if isDescribed { replaced.insert(TIFFTag.iptc) }
      image += metadata.entries.filter { changed($0, own) }
        .map { TIFFField($0.tag, $0.value, bigEndian: make.bigEndian) }
    } else {
      image += Self.fields(metadata, .image, make)
      if let iptc = metadata.iptc, !isDescribed {
        // Stored as LONG like Photoshop does; the bytes are unchanged.
        let padded = iptc + [UInt8](repeating: 0, count: (4 - iptc.count % 4) % 4)
        image.append(
          TIFFField(TIFFTag.iptc, type: 4, count: padded.count / 4, payload: padded))
      }
    }
    let pointers: Set<UInt16> = [TIFFTag.makerNote, TIFFTag.interoperabilityDirectory]
    for (role, directory) in [(TIFFDirectory.Role.exif, ExifEntry.Directory.exif), (.gps, .gps)] {
      var fields: [TIFFField] = []
      let isOwn = Self.fields(metadata, directory, make) == Self.fields(own, directory, make)
      if isOwn, let source = tiff?.directory(role) {
        fields = source.entries.values.filter { $0.count > 0 && !pointers.contains($0.tag) }
          .map { TIFFField(copying: $0) }
      }
      let known = Set(fields.map(\.tag))
      fields += Self.fields(metadata, directory, make).filter { !known.contains($0.tag) }
      fields.sort { $0.tag < $1.tag }
      if role == .exif { exif = fields } else { gps = fields }
    }
    addInteroperability(tiff)
    addNote(raw, make)
  }

  private mutating func addXMP(
    _ metadata: CaptureMetadata, _ source: XMPSourceReference, _ make: DNGFields
  ) {
    do throws(XMPFault) {
      image.append(make.bytes(TIFFTag.xmp, try source.added(to: metadata.xmp)))
    } catch {
      keepsXMP = true
      image.append(make.bytes(TIFFTag.xmp, metadata.xmp ?? []))
      notes.append(
        "its XMP cannot be edited (\(error.detail)); it was copied unchanged, without the "
          + "reference to the source")
    }
  }

  /// Adds notes about data of `own`, the raw's metadata, that the merged sidecar XMP lacks.
  private mutating func addNotes(on own: CaptureMetadata, _ source: XMPSourceReference) {
    do throws(XMPFault) {
      _ = try source.added(to: own.xmp)
    } catch {
      notes.append(
        "its XMP is partly unreadable (\(error.detail)); it was replaced by the XMP of "
          + "the sidecar")
    }
    if let note = own.iptcNote() { notes.append(note) }
  }

  private static func fields(
    _ metadata: CaptureMetadata, _ directory: ExifEntry.Directory, _ make: DNGFields
  ) -> [TIFFField] {
    metadata.entries.filter { $0.directory == directory }
      .map { TIFFField($0.tag, $0.value, bigEndian: make.bigEndian) }
  }

  private mutating func addInteroperability(_ tiff: TIFFFile?) {
    guard let tiff, let offset = tiff.directory(.exif)?[TIFFTag.interoperabilityDirectory]?.integer,
      offset != 0
    else { return }
    let directory = tiff.directory(at: offset)
    interoperability = (directory?.entries ?? [:]).values.filter { $0.count > 0 }
      .map { TIFFField(copying: $0) }.sorted { $0.tag < $1.tag }
    if directory?.malformed.isEmpty != true {
      notes.append("unreadable entries of Exif's interoperability directory were dropped")
    }
  }

  private mutating func addNote(_ raw: RawFile, _ make: DNGFields) {
    let directory = raw.tiff?.directory(.exif)
    let source = directory?[TIFFTag.makerNote]
    guard let note = raw.metadata.makerNote else {
      if let reason = source.flatMap({ CaptureMetadata.MakerNote.refusal(of: $0) }) {
        notes.append("the maker note \(reason) and was dropped")
      } else if directory?.malformed.contains(TIFFTag.makerNote) == true {
        notes.append("the maker note extends beyond the file and was dropped")
      }
      return
    }
    let offset = source.map { $0.offset - (raw.tiff?.base ?? 0) }
    switch note.placement {
    case .anywhere:
      exif.append(make.undefined(TIFFTag.makerNote, note.bytes))
      safety = make.short(DNGTag.makerNoteSafety, 1)
    case .at(let offset, let bigEndian) where bigEndian == make.bigEndian && offset >= 8:
      set(note.bytes, at: offset, make)
      safety = make.short(DNGTag.makerNoteSafety, 1)
    default:
      guard let offset, offset >= 8 else {
        notes.append("the maker note depends on its file offset and was dropped")
        return
      }
      if offset <= Self.farthest {
        set(note.bytes, at: offset, make)
      } else if raw.tags == nil || raw.tiff?.first[DNGTag.privateData] == nil {
        privateData = make.bytes(
          DNGTag.privateData, Self.adobe(note.bytes, offset, bigEndian: make.bigEndian))
      } else {
        notes.append(
          "Exif's maker note has too large an offset and was dropped; "
            + "DNGPrivateData is unchanged")
      }
    }
  }

  private mutating func set(_ bytes: [UInt8], at offset: Int, _ make: DNGFields) {
    note = (offset, bytes)
    exif.append(
      TIFFField(
        TIFFTag.makerNote, undefined: bytes.count, at: offset, bigEndian: make.bigEndian))
  }

  /// DNGPrivateData as written by Adobe's converter: its name, then "MakN", the length, the byte
  /// order, the old offset and the note; numbers are big-endian.
  private static func adobe(_ note: [UInt8], _ offset: Int, bigEndian: Bool) -> [UInt8] {
    let body =
      Array((bigEndian ? "MM" : "II").utf8) + UInt32(clamping: offset).bytes(bigEndian: true)
      + note
    return Array("Adobe\0MakN".utf8) + UInt32(clamping: body.count).bytes(bigEndian: true) + body
      + (body.count % 2 == 0 ? [] : [0])
  }
}
