import Containers
import ImageCore
import Readers

/// A JPEG file and its gain map, the picture after it, for editing: segments before the pixels
/// change or are removed, the coded data of the primary and everything else after it are copied.
///
/// Sources: ITU-T T.81 annex B, CIPA DC-007, Android's Ultra HDR format 1.1, ISO 21496-1:2025 annex
/// B.
struct JPEGDocument {
  let file: FileBytes
  let primary: JPEGSegments
  /// The picture that is the gain map, and all its bytes.
  let map: (picture: JPEGSegments, range: Range<Int>)?
  /// Whether the map is known to end where its range does; else this is the end of the file.
  private let isMapBounded: Bool
  /// After the primary's end marker, or where the next picture starts.
  let primaryEnd: Int
  private(set) var index: PictureIndex?
  private var splices = Splices()
  /// Whether the segment of the index must be rewritten.
  private var newIndex = false

  init(_ file: FileBytes, _ primary: JPEGSegments, map picture: JPEGSegments?) throws(ReadError) {
    (self.file, self.primary) = (file, primary)
    guard let scan = primary.scan, let end = primary.end() ?? picture?.start else {
      throw ReadError.contradiction("the JPEG has no end marker")
    }
    index = try primary.pictureIndex.map { range throws(ReadError) in try PictureIndex(file, range)
    }
    primaryEnd = picture.map { min(end, $0.start) } ?? end
    guard primaryEnd >= scan.upperBound else {
      throw ReadError.contradiction("its pictures overlap")
    }
    guard let picture else {
      (map, isMapBounded) = (nil, true)
      return
    }
    let mapEnd = GainMapEnd(picture, index, xmp: primary.xmp).position
    map = (picture, picture.start..<(mapEnd ?? file.count))
    isMapBounded = mapEnd != nil
  }

  /// Refuses a map of which it is not known where it ends: what follows would go with it.
  private func checkMapEnd() throws(ReadError) {
    guard isMapBounded else {
      throw ReadError(
        .unsupported,
        "its gain map has no end marker and no stated length; save it again in another program")
    }
  }

  /// Nothing would change.
  var isUnchanged: Bool { splices.isEmpty && !newIndex }

  /// XMP packets of the primary.
  private var packets: [Range<Int>] { primary.payloads(.xmp) }

  private func bytes(_ range: Range<Int>) -> [UInt8] {
    file.bytes(range.lowerBound, range.count) ?? []
  }

  /// The packet at `range`, with its extension where that mentions a gain map.
  private func packet(_ range: Range<Int>) -> [UInt8] {
    hasMapInExtension
      ? ExtendedXMP.joined(bytes(range), primary.payloads(.extendedXMP), in: file) : bytes(range)
  }

  /// Whether an extension of the packets mentions a gain map.
  private var hasMapInExtension: Bool {
    primary.payloads(.extendedXMP).contains { GainMapXMPRemoval.concerns(bytes($0)) }
  }

  private mutating func drop(_ payload: Range<Int>, _ kind: JPEGIdentifier) {
    splices.replace(JPEGSegments.segmentRange(payload, kind), with: [])
  }

  /// Refuses packets that mention gain maps in an extension, unless one packet holds both: the
  /// edited packet replaces the extension, too.
  private func checkExtension() throws(ReadError) {
    guard hasMapInExtension else { return }
    guard packets.count == 1, packet(packets[0]) != bytes(packets[0]),
      packet(packets[0]).count <= JPEGIdentifier.xmp.longestBody
    else {
      throw ReadError(
        .unsupported,
        "its extended XMP names a gain map and cannot be edited; save it again in another program"
      )
    }
  }

  // MARK: Taking out

  /// Removes the map and all that refers to it.
  mutating func removeGainMap() throws(ReadError) {
    try checkMapEnd()
    try checkExtension()
    dropAnnouncement()
    try dropXMP()
    guard let map else { return }
    var start = map.range.lowerBound
    // Padding between the two belongs to the map.
    if start > primaryEnd, bytes(primaryEnd..<start).allSatisfy({ $0 == 0 }) {
      start = primaryEnd
    }
    splices.replace(start..<map.range.upperBound, with: [])
    guard let entry = index?.entry(at: map.picture.start) else {
      newIndex = index != nil
      return
    }
    index?.remove(entry)
    newIndex = true
    if index?.entries.count == 1, let range = index?.range {
      drop(range, .pictures)
      index = nil
      newIndex = false
      dropApplesMark()
    }
  }

  /// Removes the bytes after JFIF by which Apple's files announce further pictures.
  private mutating func dropApplesMark() {
    for range in primary.payloads(.jfif)
    where range.count == 13 && file.matches("AMPF", at: range.upperBound - 4) {
      let segmentRange = JPEGSegments.segmentRange(range, .jfif)
      var segment = Array(bytes(segmentRange).dropLast(4))
      segment[3] -= 4
      splices.replace(segmentRange, with: segment)
    }
  }

  mutating func dropAnnouncement() {
    for range in primary.payloads(.gainMap) { drop(range, .gainMap) }
  }

  mutating func dropXMP() throws(ReadError) {
    for range in packets {
      let packet = packet(range)
      guard GainMapXMPRemoval.concerns(packet) else { continue }
      let edited = try removal(packet).withoutGainMap
      if edited != packet { try putXMP(edited, range) }
    }
  }

  /// A packet whose properties on gain maps can be removed.
  private func removal(_ packet: [UInt8]) throws(ReadError) -> GainMapXMPRemoval {
    try ReadError.translating { () throws(FormatError) in try GainMapXMPRemoval(packet) }
  }

  private mutating func putXMP(_ packet: [UInt8], _ range: Range<Int>) throws(ReadError) {
    if hasMapInExtension {
      for range in primary.payloads(.extendedXMP) { drop(range, .extendedXMP) }
    }
    splices.replace(
      JPEGSegments.segmentRange(range, .xmp),
      with: try JPEGIdentifier.xmp.segment(packet, "the XMP packet"))
  }

  // MARK: Putting in

  /// Replaces the map by `picture`, a complete JPEG, or adds it after the primary where there is
  /// none; the primary describes it in `formats`. Returns a note for what the file cannot store.
  mutating func put(
    _ picture: [UInt8], formats: [GainMapFormat], maker: AppleGainMap.MakerValues?
  ) throws(ReadError) -> [String] {
    var notes: [String] = []
    try checkMapEnd()
    try checkExtension()
    if formats.contains(.ultraHDR) {
      try announceUltraHDR(picture.count)
    } else {
      try dropXMP()
    }
    // New segments follow the last one: ISO, then the index.
    let last = primary.applications.last.map(\.payload.upperBound) ?? primary.start + 2
    let announced = primary.payloads(.gainMap)
    if !formats.contains(.iso) {
      dropAnnouncement()
    } else if announced.isEmpty {
      splices.replace(
        last..<last, with: try JPEGIdentifier.gainMap.segment([0, 0, 0, 0], "the record"))
    }
    if let maker {
      let blocks = primary.payloads(.exif)
      if let range = blocks.first, let edited = MakerAppleNote(bytes(range))?.with(maker) {
        if edited != bytes(range) { splices.replace(range, with: edited) }
      } else {
        notes.append(GainMapEditor.noMakerNote)
      }
    }
    let range = map?.range ?? primaryEnd..<primaryEnd
    splices.replace(range, with: picture)
    newIndex = true
    if let entry = map.flatMap({ index?.entry(at: $0.picture.start) }) {
      index?.setSize(picture.count, entry)
    } else if index != nil {
      index?.add(size: picture.count, start: range.lowerBound)
    }
    return notes
  }

  /// Writes the directory of pictures in the XMP, with the map's length.
  private mutating func announceUltraHDR(_ length: Int) throws(ReadError) {
    let isAnnounced = HDRGMValues.isIn(XMPPacket(lenient: primary.xmp ?? []))
    for range in packets {
      let edit = try removal(packet(range))
      if let edited = edit.with(gainMapLength: length), isAnnounced {
        return try putXMP(edited, range)
      }
      // Where the index refers to the map, a directory may be missing.
      let isIndexed = map.flatMap { index?.entry(at: $0.picture.start) } != nil
      if isIndexed, !edit.hasDirectory, isAnnounced { return }
      guard edit.otherPictures == 0 else {
        throw ReadError(
          .unsupported, "its XMP lists other pictures; give metadata in ISO's form only")
      }
    }
    if let range = packets.first {
      let rest = try removal(packet(range)).withoutGainMap
      guard
        let edited = XMPWriter.adding([PictureDirectory.description(mapBytes: length)], to: rest)
      else {
        throw ReadError(.unsupported, "its XMP has no rdf:RDF; save it again in another program")
      }
      return try putXMP(edited, range)
    }
    let packet = XMPWriter.packet(
      descriptions: [PictureDirectory.description(mapBytes: length)])
    let exif = primary.payloads(.exif).first
    let position =
      (exif ?? primary.payloads(.jfif).first)?.upperBound ?? primary.start + 2
    splices.replace(
      position..<position, with: try JPEGIdentifier.xmp.segment(packet, "the XMP packet"))
  }

  // MARK: The file

  /// The file with all changes.
  func bytes() throws(ReadError) -> [UInt8] {
    if isUnchanged { return bytes(0..<file.count) }
    var splices = splices
    let needsIndex = newIndex && index == nil
    let last = primary.applications.last.map(\.payload.upperBound) ?? primary.start + 2
    let range = index?.range ?? last..<last
    if newIndex || index != nil {
      // The length determines all other offsets, which are filled in afterwards.
      let length =
        needsIndex ? MultiPictureIndex.byteCountOfTwo : range.count + (index?.growth ?? 0)
      let blank = try JPEGIdentifier.pictures.segment(
        [UInt8](repeating: 0, count: length), "the index of pictures")
      splices.replace(segment(range, isNew: needsIndex), with: blank)
    }
    guard splices.areApart else { throw ReadError.contradiction("its pictures overlap") }
    var out = splices.bytes(of: file)
    guard newIndex || index != nil else { return out }
    let start = splices.offset(of: segment(range, isNew: needsIndex))
    let origin = start + 4 + JPEGIdentifier.pictures.name.utf8.count
    let firstSize = splices.offset(of: primaryEnd..<primaryEnd)
    let body: [UInt8]
    if let index {
      let target = map?.range ?? primaryEnd..<primaryEnd
      body = try index.bytes(origin: origin, firstSize: firstSize) { entry in
        let isMap = entry.isNew || entry.start == map?.range.lowerBound
        return isMap ? splices.offset(of: target) : splices.offset(entry.start ?? 0)
      }
    } else {
      body = try twoPictures(origin: origin, splices, firstSize: firstSize, count: out.count)
    }
    out.replaceSubrange(origin..<origin + body.count, with: body)
    return out
  }

  private func segment(_ range: Range<Int>, isNew: Bool) -> Range<Int> {
    isNew ? range : JPEGSegments.segmentRange(range, .pictures)
  }

  private func twoPictures(
    origin: Int, _ splices: Splices, firstSize: Int, count: Int
  ) throws(ReadError) -> [UInt8] {
    let range = map?.range ?? primaryEnd..<primaryEnd
    let start = splices.offset(of: range)
    let size = splices.offset(range.upperBound) - start
    guard
      let body = MultiPictureIndex.ofTwo(
        first: firstSize, second: size, secondOffset: start - origin)
    else { throw ReadError(.tooLarge, "the file is too large for a multi-picture index") }
    return body
  }
}
