import ImageCore

/// One image file directory: its entries by tag.
package struct TIFFDirectory: Sendable {
  /// How a directory is reached.
  package enum Role: Sendable, Hashable {
    /// In the chain from the header; the first has index 0.
    case main(Int)
    /// Through SubIFDs (330).
    case sub
    /// The Exif directory of the first one.
    case exif
    /// The GPS directory of the first one.
    case gps
  }

  package let role: Role
  package let entries: [UInt16: TIFFEntry]
  /// Tags of entries that are left out, since their type, count or offset makes no sense.
  package let malformed: Set<UInt16>

  package subscript(_ tag: UInt16) -> TIFFEntry? { entries[tag] }

  /// Whether its picture is a mosaic of color filters.
  package var isMosaic: Bool {
    self[TIFFTag.photometricInterpretation]?.integer == TIFFTag.Photometric.colorFilterArray
  }
}

/// The directories of a TIFF, BigTIFF or TIFF-like raw file (DNG, CR2, NEF, ARW, PEF, ORF, RW2) or
/// of an Exif block within another file. TIFF 6.0; BigTIFF as libtiff defines it. Every offset and
/// count is checked against the file; directories are read once, so that loops end. The limits are
/// on the entries of all directories together, and on directories within directories.
package struct TIFFFile: Sendable {
  /// Maximum bytes of all entries of `file` together. Writers give each entry its own bytes; where
  /// they are shared, a copy would take the file once for each entry.
  package static func mostBytes(of file: FileBytes) -> Int { 4 * file.count + (1 << 20) }

  package let bigEndian: Bool
  /// The magic number after the byte order mark: 42, 43, or a maker's own.
  package let magic: UInt16
  /// All directories; the first is IFD 0.
  package private(set) var directories: [TIFFDirectory] = []
  /// Whether an offset or a value points outside the file.
  package private(set) var pointsOutside = false
  /// Bytes of the values outside the entries.
  package private(set) var valueBytes = 0

  package let file: FileBytes
  /// Where the structure starts in the file; offsets count from there.
  package let base: Int
  private var isBig: Bool { magic == 43 }

  /// The directory at `offset`, which no other refers to; nil when it does not fit.
  package func directory(at offset: Int) -> TIFFDirectory? {
    var (copy, entries) = (self, Self.count(file))
    let directory = (try? copy.read(at: offset, .sub, &entries))?.0
    return copy.valueBytes <= Self.mostBytes(of: file) ? directory : nil
  }

  private static func count(_ file: FileBytes) -> ItemCount {
    file.itemCount(of: "entries in its directories")
  }

  /// IFD 0.
  package var first: TIFFDirectory { directories[0] }

  /// The directory with this role.
  package func directory(_ role: TIFFDirectory.Role) -> TIFFDirectory? {
    directories.first { $0.role == role }
  }

  /// 42 TIFF, 43 BigTIFF, 0x55 Panasonic, "RO" and "RS" Olympus.
  package static let fileMagics: Set<UInt16> = [42, 43, 0x55, 0x4F52, 0x5352]
  /// "CR": a camera profile within a DNG, which is one directory: of a file with many of them no
  /// others are read.
  package static let profileMagics: Set<UInt16> = [0x4352]

  /// Reads the directories of the TIFF structure that starts at `base` and has one of `magics`; nil
  /// if there is none.
  package init?(
    _ file: FileBytes, base: Int = 0, magics: Set<UInt16> = fileMagics
  ) throws(FormatError) {
    guard let mark = file.bytes(base, 2), mark == [0x49, 0x49] || mark == [0x4D, 0x4D] else {
      return nil
    }
    self.file = file
    self.base = base
    bigEndian = mark[0] == 0x4D
    magic = file.integer(UInt16.self, at: base + 2, bigEndian: bigEndian) ?? 0
    guard magics.contains(magic) else { return nil }
    var queue: [(offset: Int, role: TIFFDirectory.Role, depth: Int)] = []
    var seen: Set<Int> = []
    var entries = Self.count(file)
    if let offset = pointer(at: base + (magic == 43 ? 8 : 4)) {
      queue.append((offset, .main(0), 1))
    }
    var head = 0
    let limit = Self.profileMagics.contains(magic) ? 1 : FormatLimits.directories
    while head < queue.count, directories.count < limit {
      let (offset, role, depth) = queue[head]
      head += 1
      guard seen.insert(offset).inserted else { continue }
      guard let (directory, next) = try read(at: offset, role, &entries) else {
        pointsOutside = true
        continue
      }
      guard depth <= file.limits.maxNesting else {
        throw file.tooDeep("directories")
      }
      directories.append(directory)
      if directories.count == limit { break }
      if case .main(let index) = role {
        if next != 0 { queue.append((next, .main(index + 1), depth)) }
        if index == 0 {
          for (tag, role) in [
            (TIFFTag.exifDirectory, TIFFDirectory.Role.exif), (TIFFTag.gpsDirectory, .gps),
          ] {
            // Programs that take GPS out leave an offset of 0.
            if let offset = directory[tag]?.integer, offset != 0 {
              queue.append((offset, role, depth))
            }
          }
        }
      }
      if role == .exif || role == .gps { continue }
      guard let offsets = directory[TIFFTag.subDirectories], !Self.pointsAtPixels(directory)
      else { continue }
      try entries.add(offsets.count)
      for offset in offsets.integers(atMost: offsets.count) ?? [] {
        queue.append((offset, .sub, depth + 1))
      }
    }
    guard valueBytes <= Self.mostBytes(of: file) else {
      throw FormatError(
        .damaged, "its directories overlap; copy the file again",
        path: file.path)
    }
    guard let first = directories.first, first.role == .main(0) else {
      throw FormatError(
        .damaged,
        "the offset of its first directory is past the end of the file; copy it again",
        path: file.path)
    }
  }

  /// Whether SubIFDs points at the pixels instead, as in Sony's α 100.
  private static func pointsAtPixels(_ directory: TIFFDirectory) -> Bool {
    directory.role == .main(0) && directory[0x0110]?.text?.isSame(as: "DSLR-A100") == true
  }

  private func pointer(at position: Int) -> Int? {
    isBig
      ? file.integer(UInt64.self, at: position, bigEndian: bigEndian).flatMap { Int(exactly: $0) }
      : file.integer(UInt32.self, at: position, bigEndian: bigEndian).map { Int($0) }
  }

  /// The directory at `offset` from the base and the offset of the next; nil when it does not fit.
  private mutating func read(
    at offset: Int, _ role: TIFFDirectory.Role, _ total: inout ItemCount
  ) throws(FormatError) -> (TIFFDirectory, Int)? {
    let countWidth = isBig ? 8 : 2
    let entryWidth = isBig ? 20 : 12
    let pointerWidth = isBig ? 8 : 4
    guard offset > 0, file.holds(base, offset), file.holds(base + offset, countWidth) else {
      return nil
    }
    let start = base + offset
    let count: Int? =
      isBig
      ? pointer(at: start)
      : file.integer(UInt16.self, at: start, bigEndian: bigEndian).map { Int($0) }
    guard let count, count <= file.count, file.holds(start + countWidth, count * entryWidth)
    else { return nil }
    try total.add(count)
    var entries: [UInt16: TIFFEntry] = [:]
    var malformed: Set<UInt16> = []
    for index in 0..<count {
      let position = start + countWidth + index * entryWidth
      guard let tag = file.integer(UInt16.self, at: position, bigEndian: bigEndian) else { break }
      guard let type = file.integer(UInt16.self, at: position + 2, bigEndian: bigEndian),
        let width = TIFFEntry.width(ofType: type), let values = pointer(at: position + 4)
      else {
        malformed.insert(tag)
        continue
      }
      let (bytes, overflow) = values.multipliedReportingOverflow(by: width)
      let field = position + 4 + pointerWidth
      let target = !overflow && bytes <= pointerWidth ? field - base : pointer(at: field) ?? -1
      guard !overflow, target >= 0, file.holds(base, target), file.holds(base + target, bytes)
      else {
        pointsOutside = true
        malformed.insert(tag)
        continue
      }
      if bytes > pointerWidth { valueBytes += bytes }
      entries[tag] = TIFFEntry(
        tag: tag, type: type, count: values, offset: base + target, position: position,
        file: file, bigEndian: bigEndian)
    }
    let next = pointer(at: start + countWidth + count * entryWidth) ?? 0
    return (TIFFDirectory(role: role, entries: entries, malformed: malformed), next)
  }
}
