import ImageCore

/// The first picture of a film of pictures, for files that hold no still: what its track says of
/// it, as if it was an item (ISO/IEC 14496-12:2022 8.3 to 8.7, ISO/IEC 23008-12:2022 7).
struct HEIFSequence {
  /// The type of an item with the same coding.
  let type: String
  let properties: [HEIFProperty]
  let location: HEIFLocation
  /// Pictures of the track.
  let count: Int

  /// The first track of pictures in the content of a `moov` box; nil if there is none.
  init?(_ movie: ByteCursor, _ limits: DecodeLimits) throws(FormatError) {
    for track in try Self.boxes(movie, limits) where track.type == "trak" {
      guard let media = try Self.box("mdia", in: track.content, limits),
        var handler = try Self.box("hdlr", in: media, limits)
      else { continue }
      _ = try handler.take(8)
      guard try ["pict", "vide"].contains(handler.name()),
        let information = try Self.box("minf", in: media, limits),
        let table = try Self.box("stbl", in: information, limits)
      else { continue }
      let turn = try Self.box("tkhd", in: track.content, limits).flatMap(Self.turn)
      try self.init(table: table, turn: turn, limits)
      return
    }
    return nil
  }

  private init(
    table: ByteCursor, turn: Int?, _ limits: DecodeLimits
  ) throws(FormatError) {
    guard var entries = try Self.box("stsd", in: table, limits),
      var sizes = try Self.box("stsz", in: table, limits)
    else { throw .contradiction("its image sequence lacks a stsd or stsz box") }
    _ = try entries.take(8)
    guard let entry = try entries.box() else {
      throw .contradiction("its image sequence has no sample entry")
    }
    type = entry.type == "hev1" ? "hvc1" : entry.type
    var content = entry.content
    _ = try content.take(24)
    let size = PixelSize(width: try content.u16(), height: try content.u16())
    _ = try content.take(50)
    var properties = [HEIFProperty.size(size)]
    for box in try Self.boxes(content, limits) {
      if let property = try HEIFProperty(box) { properties.append(property) }
    }
    if let turn { properties.append(.transform(.turn(turn))) }
    self.properties = properties

    _ = try sizes.take(4)
    let (common, count) = (try sizes.u32(), try sizes.u32())
    guard count > 0 else { throw .contradiction("its image sequence has no samples") }
    self.count = count
    let offset: Int
    if var chunks = try Self.box("stco", in: table, limits) {
      _ = try chunks.take(8)
      offset = try chunks.u32()
    } else if var chunks = try Self.box("co64", in: table, limits) {
      _ = try chunks.take(8)
      offset = try chunks.uint(8)
    } else {
      throw .contradiction("its image sequence has no chunk offsets (stco or co64)")
    }
    let length = common > 0 ? common : try sizes.u32()
    location = HEIFLocation(
      origin: .file, isHere: true,
      extents: [HEIFLocation.Extent(index: 0, offset: offset, length: length)])
  }

  /// Quarter turns counter-clockwise by the matrix of a track header; nil for all but turns.
  private static func turn(_ header: ByteCursor) throws(FormatError) -> Int? {
    var header = header
    let isLong = try header.version().version == 1
    // Times, number, duration, layer, group, volume.
    _ = try header.take((isLong ? 32 : 20) + 16)
    var matrix: [Int] = []
    for _ in 0..<5 { matrix.append(try header.s32() >> 16) }
    switch (matrix[0], matrix[1], matrix[3], matrix[4]) {
    case (0, 1, -1, 0): return 3
    case (-1, 0, 0, -1): return 2
    case (0, -1, 1, 0): return 1
    default: return nil
    }
  }

  private static func boxes(
    _ content: ByteCursor, _ limits: DecodeLimits
  ) throws(FormatError) -> [ISOBox] {
    var (content, count, boxes) = (content, ItemCount("boxes", limits), [ISOBox]())
    while let box = try content.box() {
      try count.add()
      boxes.append(box)
    }
    return boxes
  }

  private static func box(
    _ type: String, in content: ByteCursor, _ limits: DecodeLimits
  ) throws(FormatError) -> ByteCursor? {
    try boxes(content, limits).first { $0.type == type }?.content
  }
}
