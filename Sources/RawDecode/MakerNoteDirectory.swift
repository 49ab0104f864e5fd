import Containers
import ImageCore

/// The directory of a raw's maker note, with the maker whose tags it has.
///
/// Source: the headers of the notes in ExifTool's documentation. Read are the notes of Canon,
/// Nikon, Sony, Fujifilm, Panasonic, Pentax and Olympus, where the Exif directory has them. Known
/// failures: notes that a DNG keeps in DNGPrivateData, and CRWs, which have none.
struct MakerNoteDirectory {
  enum Maker { case canon, nikon, sony, fujifilm, panasonic, pentax, olympus }

  let maker: Maker
  private let directory: TIFFDirectory
  private let tiff: TIFFFile

  private init?(_ maker: Maker, _ directory: TIFFDirectory?, _ tiff: TIFFFile) {
    guard let directory else { return nil }
    (self.maker, self.directory, self.tiff) = (maker, directory, tiff)
  }

  /// That of the raw `file`, whose directories are `tiff` where it is a TIFF.
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

  /// The structure whose Exif directory has the note: of an RW2, which has no note itself, that of
  /// its JPEG.
  private static func structure(_ file: FileBytes, _ tiff: TIFFFile?) -> TIFFFile? {
    guard let tiff else { return CaptureMetadata.fujiExif(file) }
    guard tiff.magic == 0x55, tiff.directory(.exif)?[TIFFTag.makerNote] == nil,
      let jpeg = tiff.first[0x2E]
    else { return tiff }
    return CaptureMetadata.exif(ofJPEG: jpeg.offset, in: file) ?? tiff
  }

  /// That of the directory `exif` in a JPEG or a raw.
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
      // Pentax before 2014, with a byte order of its own. What is read of it are values in the
      // entries themselves, so that where offsets count from does not matter.
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

  /// The header that makes a TIFF structure of a note whose offsets count from its own start.
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

  /// The beginning of a structure of this byte order with its directory so far from it.
  private static func structure(isBig: Bool, directory: UInt8) -> [UInt8] {
    isBig ? [0x4D, 0x4D, 0, 42, 0, 0, 0, directory] : [0x49, 0x49, 42, 0, directory, 0, 0, 0]
  }

  /// The integers of `tag`, in the directory that `group` points to where it is given; nil for
  /// none, and for more than a list of settings has.
  func integers(_ tag: UInt16, in group: UInt16? = nil) -> [Int]? {
    var directory: TIFFDirectory? = directory
    if let group { directory = self.directory[group]?.integer.flatMap { tiff.directory(at: $0) } }
    return directory?[tag]?.integers(atMost: 1024)
  }

  /// Integer `index` of those.
  func number(_ tag: UInt16, _ index: Int = 0, in group: UInt16? = nil) -> Int? {
    integers(tag, in: group).flatMap { $0.count > index ? $0[index] : nil }
  }

  /// The name among the `most` bytes of `tag` behind its first `skipped`.
  func name(_ tag: UInt16, skipping skipped: Int = 0, most: Int) -> String? {
    guard let bytes = directory[tag]?.bytes.dropFirst(skipped).prefix(most) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).asName
    return name.isEmpty ? nil : name
  }
}
