import Containers
import ImageCore

/// The directory of a raw's maker note, and the maker that defines its tags.
///
/// Source: the maker note headers in ExifTool's documentation. Supports the notes of Canon, Nikon,
/// Sony, Fujifilm, Panasonic, Pentax and Olympus in the Exif directory. Known failures: notes in
/// DNGPrivateData of a DNG, and CRWs, which have no maker note.
struct MakerNoteDirectory {
  enum Maker { case canon, nikon, sony, fujifilm, panasonic, pentax, olympus }

  let maker: Maker
  private let directory: TIFFDirectory
  private let tiff: TIFFFile

  private init?(_ maker: Maker, _ directory: TIFFDirectory?, _ tiff: TIFFFile) {
    guard let directory else { return nil }
    (self.maker, self.directory, self.tiff) = (maker, directory, tiff)
  }

  /// The maker note of the raw `file`, whose directories are `tiff` if it is a TIFF.
  init?(_ file: FileBytes, _ tiff: TIFFFile?) {
    if let structure = Self.structure(file, tiff) {
      self.init(
        exif: structure.directory(.exif), make: structure.first[TIFFTag.make]?.text, structure)
    } else if let block = (try? CR3Boxes(file))?.blocks["CMT3"],
      let note = try? TIFFFile(file, base: block.lowerBound)
    {
      self.init(.canon, note.first, note)
    } else {
      return nil
    }
  }

  /// The structure whose Exif directory contains the note: for an RW2, which has no note itself,
  /// the structure of its JPEG.
  private static func structure(_ file: FileBytes, _ tiff: TIFFFile?) -> TIFFFile? {
    guard let tiff else { return CaptureMetadata.fujiExif(file) }
    guard tiff.magic == 0x55, tiff.directory(.exif)?[TIFFTag.makerNote] == nil,
      let jpeg = tiff.first[0x2E]
    else { return tiff }
    return CaptureMetadata.exif(ofJPEG: jpeg.offset, in: file) ?? tiff
  }

  /// The maker note of the directory `exif` in a JPEG or a raw.
  init?(exif: TIFFDirectory?, make: String?, _ tiff: TIFFFile) {
    guard let entry = exif?[TIFFTag.makerNote],
      (16...FormatLimits.makerNoteBytes).contains(entry.count)
    else {
      return nil
    }
    let start = entry.bytes.prefix(16)
    func begins(_ text: String) -> Bool { start.starts(with: text.utf8) }
    let maker: (Maker, start: Int)? =
      if begins("SONY ") {
        (.sony, 12)
      } else if begins("Panasonic\0\0\0") {
        (.panasonic, 12)
      } else if make?.hasPrefix("SONY") == true {
        (.sony, 0)
      } else if make?.hasPrefix("Canon") == true {
        (.canon, 0)
      } else {
        nil
      }
    if let maker {
      self.init(maker.0, tiff.directory(at: entry.offset + maker.start - tiff.base), tiff)
    } else if begins("Nikon\0\u{2}") {
      guard let note = try? TIFFFile(tiff.file, base: entry.offset + 10) else { return nil }
      self.init(.nikon, note.first, note)
    } else if begins("AOC\0") {
      // Pentax before 2014, with its own byte order. Only values stored in the entries are read, so
      // the origin of offsets does not matter.
      let isBig = start[4] == 0x4D || start[4] != 0x49 && tiff.bigEndian
      let structure = Self.structure(isBig: isBig, directory: 8) + entry.bytes.dropFirst(6)
      guard let file = try? FileBytes(structure, of: tiff.file), let note = try? TIFFFile(file)
      else { return nil }
      self.init(.pentax, note.first, note)
    } else if let (maker, header) = Self.header(Array(start)),
      let file = try? FileBytes(header + entry.bytes.dropFirst(8), of: tiff.file),
      let note = try? TIFFFile(file)
    {
      self.init(maker, note.first, note)
    } else {
      return nil
    }
  }

  /// The TIFF header for a note whose offsets are relative to its own start.
  private static func header(_ start: [UInt8]) -> (Maker, [UInt8])? {
    if start.starts(with: "FUJIFILM".utf8) {
      return (.fujifilm, [0x49, 0x49, 42, 0] + start[8..<12])
    }
    if start.starts(with: "OM SYSTEM\0".utf8) {
      return (.olympus, Self.structure(isBig: start[12] == 0x4D, directory: 16))
    }
    let (maker, directory): (Maker, UInt8) =
      start.starts(with: "PENTAX \0".utf8) ? (.pentax, 10) : (.olympus, 12)
    guard maker == .pentax || start.starts(with: "OLYMPUS\0".utf8) else { return nil }
    return (maker, Self.structure(isBig: start[8] == 0x4D, directory: directory))
  }

  /// The start of a structure with this byte order and directory offset.
  private static func structure(isBig: Bool, directory: UInt8) -> [UInt8] {
    isBig ? [0x4D, 0x4D, 0, 42, 0, 0, 0, directory] : [0x49, 0x49, 42, 0, directory, 0, 0, 0]
  }

  /// The integers of `tag`, in the directory that `group` points to if given; nil for none, or for
  /// more than a list of settings has.
  func integers(_ tag: UInt16, in group: UInt16? = nil) -> [Int]? {
    var directory: TIFFDirectory? = directory
    if let group { directory = self.directory[group]?.integer.flatMap { tiff.directory(at: $0) } }
    return directory?[tag]?.integers(atMost: 1024)
  }

  /// Element `index` of these integers.
  func number(_ tag: UInt16, _ index: Int = 0, in group: UInt16? = nil) -> Int? {
    integers(tag, in: group).flatMap { $0.count > index ? $0[index] : nil }
  }

  /// The name in up to `maxLength` bytes of `tag` after the first `skipped`.
  func name(_ tag: UInt16, skipping skipped: Int = 0, maxLength: Int) -> String? {
    guard let bytes = directory[tag]?.bytes.dropFirst(skipped).prefix(maxLength) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).asName
    return name.isEmpty ? nil : name
  }
}
