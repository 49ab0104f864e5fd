import Containers
import ImageCore

/// A directory with a picture.
struct DNGDirectory: Sendable {
  /// Source of the picture's bytes.
  enum Chunks: Sendable {
    /// The raw picture, encoded while writing.
    case raw(RawChunks)
    case bytes([[UInt8]])
    /// Byte ranges of the source.
    case source([(offset: Int, bytes: Int)])
    case none
  }

  private var entries: [TIFFField]
  /// Tags of `fields`: a source may have 65,536 of them, added one by one.
  private var tags: Set<UInt16>
  var isTiled: Bool
  var chunks: Chunks

  /// All entries except offsets and sizes of chunks.
  var fields: [TIFFField] {
    get { entries }
    set { (entries, tags) = (newValue, Set(newValue.map(\.tag))) }
  }

  init(fields: [TIFFField] = [], isTiled: Bool = false, chunks: Chunks = .none) {
    (entries, tags) = (fields, Set(fields.map(\.tag)))
    (self.isTiled, self.chunks) = (isTiled, chunks)
  }

  var count: Int {
    switch chunks {
    case .raw(let raw): raw.count
    case .bytes(let parts): parts.count
    case .source(let parts): parts.count
    case .none: 0
    }
  }

  /// Number of copied bytes.
  var byteCount: Int {
    switch chunks {
    case .bytes(let parts): parts.reduce(0) { $0 + $1.count }
    case .source(let parts): parts.reduce(0) { $0 + $1.bytes }
    case .raw, .none: 0
    }
  }

  /// Adds `field` unless its tag exists.
  mutating func add(_ field: TIFFField) {
    guard field.count > 0, tags.insert(field.tag).inserted else { return }
    entries.append(field)
  }

  /// Replaces any field with the tag of `field`.
  mutating func set(_ field: TIFFField) {
    if tags.remove(field.tag) != nil { entries.removeAll { $0.tag == field.tag } }
    add(field)
  }
}

/// A DNG without the bytes of its pictures (TIFF 6.0; DNG 1.7.1, chapter 2): the header, a maker
/// note at a fixed offset, and all directories, which precede the pictures.
struct DNGDocument: Sendable {
  let bigEndian: Bool
  /// IFD 0, then the directories in SubIFDs.
  var directories: [DNGDirectory]
  var exif: [TIFFField] = []
  var gps: [TIFFField] = []
  /// Exif's interoperability directory.
  var interoperability: [TIFFField] = []
  /// A maker note and its offset in the file.
  var note: (offset: Int, bytes: [UInt8])?
  /// Camera profiles, each a separate structure.
  var profiles: [[UInt8]] = []

  /// Position of a chunk in the file.
  struct ChunkRange: Sendable {
    var offset = 0
    var bytes = 0
  }

  /// Placeholder positions, one for each chunk.
  var emptyRanges: [[ChunkRange]] {
    directories.map { [ChunkRange](repeating: ChunkRange(), count: $0.count) }
  }

  /// All bytes for these chunk positions; the length does not depend on them.
  func bytes(_ ranges: [[ChunkRange]]) -> [UInt8] {
    let make = DNGFields(bigEndian: bigEndian)
    let writer = TIFFDirectoryWriter(bigEndian: bigEndian)
    var out =
      Array((bigEndian ? "MM" : "II").utf8) + UInt16(42).bytes(bigEndian: bigEndian)
      + UInt32(0).bytes(bigEndian: bigEndian)
    if let note {
      out += [UInt8](repeating: 0, count: note.offset - out.count) + note.bytes
      if out.count % 2 != 0 { out.append(0) }
    }
    let start = out.count
    out.replaceSubrange(4..<8, with: UInt32(start).bytes(bigEndian: bigEndian))
    func complete(_ index: Int) -> [TIFFField] {
      let (directory, ranges) = (directories[index], ranges[index])
      guard !ranges.isEmpty else { return directory.fields }
      let tags = TIFFTag.chunks(isTiled: directory.isTiled)
      return directory.fields + [
        make.longs(tags.offsets, ranges.map(\.offset)),
        make.longs(tags.byteCounts, ranges.map(\.bytes)),
      ]
    }
    var main = complete(0)
    let subs = Array(directories.indices.dropFirst())
    let exif =
      exif + (interoperability.isEmpty ? [] : [make.long(TIFFTag.interoperabilityDirectory, 0)])
    if !subs.isEmpty { main.append(make.longs(TIFFTag.subDirectories, subs.map { _ in 0 })) }
    if !exif.isEmpty { main.append(make.long(TIFFTag.exifDirectory, 0)) }
    if !gps.isEmpty { main.append(make.long(TIFFTag.gpsDirectory, 0)) }
    if !profiles.isEmpty {
      main.append(make.longs(DNGTag.extraCameraProfiles, profiles.map { _ in 0 }))
    }
    var rest: [UInt8] = []
    let end = start + writer.byteCount(main)
    /// Appends a part and returns its offset.
    func append(_ part: (_ offset: Int) -> [UInt8]) -> Int {
      let offset = end + rest.count
      rest += part(offset)
      if rest.count % 2 != 0 { rest.append(0) }
      return offset
    }
    func point(_ tag: UInt16, to offsets: [Int]) {
      guard !offsets.isEmpty else { return }
      main.removeAll { $0.tag == tag }
      main.append(make.longs(tag, offsets))
    }
    if !exif.isEmpty {
      var exif = exif
      if !interoperability.isEmpty {
        let offset = append { writer.bytes(interoperability, at: $0) }
        exif.removeLast()
        exif.append(make.long(TIFFTag.interoperabilityDirectory, offset))
      }
      point(TIFFTag.exifDirectory, to: [append { writer.bytes(exif, at: $0) }])
    }
    if !gps.isEmpty {
      point(TIFFTag.gpsDirectory, to: [append { writer.bytes(gps, at: $0) }])
    }
    point(
      TIFFTag.subDirectories,
      to: subs.map { index in append { writer.bytes(complete(index), at: $0) } })
    point(DNGTag.extraCameraProfiles, to: profiles.map { profile in append { _ in profile } })
    return out + writer.bytes(main, at: start) + rest
  }
}
