import Containers

/// The index (`moov`) of a movie file as a tree of boxes that can be changed. Source: ISO/IEC
/// 14496-12:2022, QuickTime File Format. Only boxes on the way to the sample entry of the pictures
/// are taken apart; all others stay as bytes.
struct MovieBoxes {
  /// One box: its bytes, or its children behind some bytes of its own.
  struct Box {
    let type: String
    /// Its content, or what is before its children.
    var head: [UInt8]
    var children: [Box]?
    /// What is behind its children: a terminator of QuickTime.
    var tail: [UInt8] = []

    var bytes: [UInt8] {
      ISOBox.bytes(type, head + (children ?? []).flatMap(\.bytes) + tail)
    }

    subscript(_ type: String) -> Box? { children?.first { $0.type == type } }

    /// Changes the first child of `type`.
    mutating func change(_ type: String, _ body: (inout Box) throws(FilmError) -> Void)
      throws(FilmError)
    {
      guard var own = children, let index = own.firstIndex(where: { $0.type == type }) else {
        throw MovieBoxes.lacking(type)
      }
      try body(&own[index])
      children = own
    }
  }

  var moov: Box
  /// Where it was in the file.
  let range: Range<Int>

  /// Bytes of an index that is read: of a film of hours some tens of megabytes.
  private static let maxBytes = 1 << 30
  private static let containers: Set = ["moov", "trak", "edts", "mdia", "minf", "stbl"]
  private static let maxBoxes = 100_000

  static func lacking(_ type: String) -> FilmError {
    FilmError(.encoderFailed, "the film that was written lacks its box \(ISOBox.shown(type))")
  }

  /// The index of `file`. Throws where it has none.
  init(_ file: FileBytes) throws(FilmError) {
    var offset = 0
    var count = 0
    while let box = file.box(at: offset) {
      if box.type == "moov" {
        guard box.content.count <= Self.maxBytes,
          let bytes = file.bytes(box.content.lowerBound, box.content.count)
        else { throw FilmError(.encoderFailed, "the index of the film is too large") }
        range = box.range
        moov = try Self.parse("moov", bytes[...])
        return
      }
      offset = box.range.upperBound
      count += 1
      guard count < Self.maxBoxes else { break }
    }
    throw Self.lacking("moov")
  }

  private static func parse(_ type: String, _ bytes: ArraySlice<UInt8>) throws(FilmError) -> Box {
    if type == "stsd" { return try sampleEntries(bytes) }
    guard containers.contains(type) else { return Box(type: type, head: Array(bytes)) }
    let (children, tail) = try boxes(bytes)
    return Box(type: type, head: [], children: children, tail: tail)
  }

  /// The boxes of `bytes`, and up to seven bytes or zeros behind them.
  private static func boxes(
    _ bytes: ArraySlice<UInt8>
  ) throws(FilmError) -> ([Box], tail: [UInt8]) {
    var cursor = ByteCursor(bytes)
    var found: [Box] = []
    while cursor.remaining >= 8 {
      let rest = cursor.rest
      do throws(FormatError) {
        guard let box = try cursor.box() else { break }
        found.append(try parsed(box))
      } catch {
        // A terminator of QuickTime.
        if rest.allSatisfy({ $0 == 0 }) { return (found, Array(rest)) }
        throw FilmError(.encoderFailed, "the index of the film is damaged: \(error.message)")
      }
    }
    return (found, Array(cursor.rest))
  }

  private static func parsed(_ box: ISOBox) throws(FormatError) -> Box {
    do throws(FilmError) { return try parse(box.type, box.content.rest) } catch {
      throw FormatError(.damaged, error.message)
    }
  }

  /// Entries of pictures have 78 bytes before their boxes; others stay as they are.
  private static func sampleEntries(_ bytes: ArraySlice<UInt8>) throws(FilmError) -> Box {
    let (entries, tail) = try boxes(bytes.dropFirst(8))
    let opened = try entries.map { (entry) throws(FilmError) -> Box in
      guard FilmCodec.tags.contains(entry.type), entry.head.count >= 78 else { return entry }
      let (children, tail) = try boxes(entry.head[78...])
      return Box(type: entry.type, head: Array(entry.head[..<78]), children: children, tail: tail)
    }
    return Box(type: "stsd", head: Array(bytes.prefix(8)), children: opened, tail: tail)
  }

  /// Changes the track of the pictures.
  mutating func changePictures(_ body: (inout Box) throws(FilmError) -> Void) throws(FilmError) {
    guard var tracks = moov.children,
      let index = tracks.firstIndex(where: { track in
        guard track.type == "trak", let stsd = track["mdia"]?["minf"]?["stbl"]?["stsd"] else {
          return false
        }
        return stsd.children?.contains { FilmCodec.tags.contains($0.type) } ?? false
      })
    else { throw Self.lacking("trak") }
    try body(&tracks[index])
    moov.children = tracks
  }
}

extension FilmCodec {
  /// Types of the sample entries that we write.
  static let tags = Set(allCases.map(\.row.tag))
}
