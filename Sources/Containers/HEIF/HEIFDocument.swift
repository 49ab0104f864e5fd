/// A HEIF or AVIF file to be written: its boxes in order, its items with their bytes, properties,
/// references and groups. Either new, or read and edited; then unknown parts are preserved, and
/// bytes of items are copied unchanged.
///
/// Sources: ISO/IEC 14496-12:2022 8.11 and 8.18, ISO/IEC 23008-12:2022 9. Only files that an edit
/// cannot break are accepted: every byte of an item is in a media data box or among the tables, and
/// nothing else in the file has offsets from the file's start. So sequences (`moov`), items in
/// other files and items within items are refused.
package struct HEIFDocument {
  /// A box at the top of the file.
  enum Part {
    /// Any other box, copied unchanged.
    case copied(Range<Int>)
    case brands
    case meta
    /// The content of a media data box.
    case media(Range<Int>)
  }

  /// Boxes at the top that count bytes from the file's start.
  private static let sequences: Set<String> = ["moov", "moof", "mfra", "sidx", "ssix", "meco"]

  /// nil for a new file.
  package let file: FileBytes?
  private(set) var parts: [Part] = []
  /// The content of `ftyp`.
  package private(set) var brands: [UInt8] = []
  package var meta: HEIFMeta

  /// A file without pictures.
  package init(majorBrand: String, compatibleBrands: [String]) {
    (file, parts, meta) = (nil, [.brands, .meta], HEIFMeta())
    brands = majorBrand.utf8 + [0, 0, 0, 0] + compatibleBrands.flatMap(\.utf8)
  }

  /// The file in `file`.
  package init(_ file: FileBytes) throws(FormatError) {
    self.file = file
    var tables: Range<Int>?
    var position = 0
    var count = file.itemCount(of: "boxes")
    while position < file.count {
      try count.add()
      guard let box = file.box(at: position) else {
        throw file.count - position < 8
          ? HEIFMeta.refused("it has trailing bytes after the last box")
          : .contradiction("a box extends past the end of the file")
      }
      switch box.type {
      case "ftyp" where parts.isEmpty:
        guard box.content.count <= 4096,
          let bytes = file.bytes(box.content.lowerBound, box.content.count)
        else { throw .contradiction("its ftyp box is too long") }
        brands = bytes
        parts.append(.brands)
      case "meta":
        guard tables == nil else { throw HEIFMeta.refused("it has two meta boxes") }
        tables = box.content
        parts.append(.meta)
      case "mdat": parts.append(.media(box.content))
      case _ where Self.sequences.contains(box.type):
        throw HEIFMeta.refused(
          "it holds an image sequence (\(box.type)), whose chunk offsets cannot be rewritten")
      default:
        // It means: to the end, where other boxes may be added.
        guard !box.isOpen else { throw HEIFMeta.refused("its last box has no size") }
        parts.append(.copied(box.range))
      }
      position = box.range.upperBound
    }
    guard case .brands = parts.first, let tables, tables.count <= FormatLimits.blockBytes,
      let bytes = file.bytes(tables.lowerBound, tables.count)
    else { throw .contradiction("its meta box is missing or truncated") }
    meta = try HEIFMeta(ByteCursor(bytes), file.limits)
    if let obstacle = meta.obstacle { throw obstacle }
    try locateItems(file)
    try checkItems()
  }

  /// The ranges of the items' bytes. Their sum is limited to a multiple of the file: an edit reads
  /// each, and may write it.
  private mutating func locateItems(_ file: FileBytes) throws(FormatError) {
    let media = parts.compactMap { if case .media(let range) = $0 { range } else { nil } }
    guard media.count <= FormatLimits.mediaBoxes else {
      throw HEIFMeta.refused(
        "it has \(media.count) mdat boxes, more than \(FormatLimits.mediaBoxes)")
    }
    var total = 0
    for number in meta.order {
      guard case .located(let location) = meta.items[number]?.storage else { continue }
      guard location.isHere, let origin = location.origin, origin != .item else {
        throw HEIFMeta.refused("item \(number) is stored in another file or item")
      }
      let available = origin == .inline ? meta.inline.count : file.count
      var ranges: [Range<Int>] = []
      for extent in location.extents {
        let length = extent.length ?? (available - extent.offset)
        guard extent.offset <= available, length >= 0, length <= available - extent.offset else {
          throw .contradiction("item \(number) has data outside the file")
        }
        if length == 0 { continue }
        let range = extent.offset..<extent.offset + length
        guard
          origin == .inline
            || media.contains(where: {
              $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
            })
        else { throw HEIFMeta.refused("item \(number) is stored outside the mdat boxes") }
        ranges.append(range)
        total += range.count
      }
      guard total <= FormatLimits.reuse * file.count else {
        throw .contradiction("its items overlap")
      }
      meta.items[number]?.storage = .source(ranges, isInline: origin == .inline)
    }
  }

  /// References and groups must refer to existing items: the effect of an edit on others is
  /// unknown.
  private func checkItems() throws(FormatError) {
    guard meta.items.values.allSatisfy({ $0.associations.count < FormatLimits.itemAssociations })
    else {
      throw HEIFMeta.refused("an item has \(FormatLimits.itemAssociations) or more properties")
    }
    guard meta.items.values.count(where: { $0.type == "tmap" }) <= FormatLimits.toneMaps else {
      throw HEIFMeta.refused("it has more than \(FormatLimits.toneMaps) gain maps")
    }
    for reference in meta.references {
      guard meta.items[reference.from] != nil,
        reference.to.allSatisfy({ meta.items[$0] != nil })
      else { throw .contradiction("an iref entry names a missing item") }
    }
  }

  /// Of what an edit would break.
  package static func refused(_ what: String) -> FormatError { HEIFMeta.refused(what) }
}

// MARK: Items

extension HEIFDocument {
  /// The bytes of item `number`.
  package func bytes(of number: Int) throws(FormatError) -> [UInt8] {
    switch meta.items[number]?.storage {
    case nil, .located: return []
    case .new(let bytes, _): return bytes
    case .source(let ranges, let isInline):
      var bytes: [UInt8] = []
      for range in ranges {
        guard let file, bytes.count + range.count <= file.count else {
          throw .contradiction("item \(number) is larger than the file")
        }
        if isInline {
          bytes += meta.inline[range]
        } else {
          bytes += file.bytes(range.lowerBound, range.count) ?? []
        }
      }
      return bytes
    }
  }

  /// Replaces the bytes of item `number`, at the same position.
  package mutating func replaceBytes(of number: Int, with bytes: [UInt8]) {
    let isInline =
      switch meta.items[number]?.storage {
      case .source(_, let isInline), .new(_, let isInline): isInline
      case nil, .located: false
      }
    meta.items[number]?.storage = .new(bytes, isInline: isInline)
  }

  /// Whether an item has the same bytes as in `other`, compared in place where possible.
  package func hasSameBytes(
    _ number: Int, as other: HEIFDocument
  ) throws(FormatError) -> Bool {
    guard case .source(let own, let isInline) = meta.items[number]?.storage,
      case .source(let others, let wasInline) = other.meta.items[number]?.storage, !isInline,
      !wasInline, own.map(\.count) == others.map(\.count), let file, let theirs = other.file
    else { return try bytes(of: number) == other.bytes(of: number) }
    return zip(own, others).allSatisfy {
      unsafe file.buffer[$0].elementsEqual(theirs.buffer[$1])
    }
  }

  /// Whether `brand` is among the brands.
  package func hasBrand(_ brand: String) -> Bool {
    stride(from: 8, to: brands.count - 3, by: 4).contains {
      brands[$0..<$0 + 4].elementsEqual(brand.utf8)
    }
  }

  /// Adds `brand` to the compatible brands, or takes it from them.
  package mutating func setBrand(_ brand: String, _ isThere: Bool) {
    guard hasBrand(brand) != isThere else { return }
    if isThere {
      brands += Array(brand.utf8)
    } else {
      for start in stride(from: 8, to: brands.count - 3, by: 4).reversed()
      where brands[start..<start + 4].elementsEqual(brand.utf8) {
        brands.removeSubrange(start..<start + 4)
      }
    }
  }
}

// MARK: Writing

extension HEIFDocument {
  /// The complete file.
  package func bytes() throws(FormatError) -> [UInt8] {
    let chunks = try chunks()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(chunks.reduce(0) { $0 + $1.count })
    for chunk in chunks { bytes += chunk }
    return bytes
  }

  /// The complete file in chunks: boxes in their order, tables rewritten where an edit can change
  /// them, and from the media data only what items refer to. The bytes of each new item are a
  /// chunk.
  package func chunks() throws(FormatError) -> [[UInt8]] {
    let fileRanges = meta.sourceRanges(inline: false)
    var media: [Int: ByteRuns] = [:]
    for (index, part) in parts.enumerated() {
      guard case .media(let content) = part else { continue }
      media[index] = ByteRuns(fileRanges.filter { content.contains($0.lowerBound) })
    }
    let inlineRuns = ByteRuns(meta.sourceRanges(inline: true))
    let added = meta.added(inline: false)
    let addedBytes = added.reduce(0) { $0 + $1.bytes.count }
    let lastMedia = media.keys.max()
    let isLarge = try hasLargeOffsets(addedBytes)
    // The size of the tables does not depend on the offsets in them.
    let metaBytes = meta.box(inlineRuns, isLarge: isLarge) { _ in
      0
    } new: { _ in
      0
    }
    func header(_ content: Int) -> Int { content + 8 > Int(UInt32.max) ? 16 : 8 }
    var position = 0
    var starts: [Int: Int] = [:]
    var addedStart = 0
    for (index, part) in parts.enumerated() {
      switch part {
      case .copied(let range): position += range.count
      case .brands: position += 8 + brands.count
      case .meta: position += metaBytes.count
      case .media:
        let copied = media[index]?.count ?? 0
        let size = copied + (index == lastMedia ? addedBytes : 0)
        if size == 0 { continue }
        position += header(size)
        starts[index] = position
        if index == lastMedia { addedStart = position + copied }
        position += size
      }
    }
    if lastMedia == nil, addedBytes > 0 { addedStart = position + header(addedBytes) }
    if file == nil, addedStart + addedBytes >= Int(UInt32.max) {
      throw FormatError(.tooLarge, "the picture is too large for one file")
    }
    var newOffsets: [Int: Int] = [:]
    for (number, bytes) in added {
      newOffsets[number] = addedStart
      addedStart += bytes.count
    }
    let sources = parts.enumerated().compactMap { index, part -> (Range<Int>, ByteRuns, Int)? in
      guard case .media(let content) = part, let runs = media[index], let start = starts[index]
      else { return nil }
      return (content, runs, start)
    }
    let finished = meta.box(inlineRuns, isLarge: isLarge) { position in
      guard let (_, runs, start) = sources.first(where: { $0.0.contains(position) }) else {
        return 0
      }
      return start + runs.offset(of: position)
    } new: {
      newOffsets[$0] ?? 0
    }
    guard finished.count == metaBytes.count else {
      throw .contradiction("the size of its meta box changed while it was written")
    }
    return assembled(finished, media, added.map(\.bytes), lastMedia)
  }

  /// Whether offsets in the file take eight bytes: offsets of an edited file may grow; offsets of a
  /// new one are known, and refused where they do not fit. So are more items than its tables can
  /// number in 16 bits, and more properties than in 15, as they share a word with a flag.
  private func hasLargeOffsets(_ addedBytes: Int) throws(FormatError) -> Bool {
    if let file { return file.count + addedBytes > Int(UInt32.max) / 2 }
    guard meta.order.count < Int(UInt16.max), meta.properties.count <= Int(Int16.max) else {
      throw FormatError(.tooLarge, "the picture has too many tiles for one file")
    }
    return false
  }

  private func assembled(
    _ meta: [UInt8], _ media: [Int: ByteRuns], _ added: [[UInt8]], _ lastMedia: Int?
  ) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var out = BoxWriter()
    let addedBytes = added.reduce(0) { $0 + $1.count }
    func begin(_ count: Int) {
      let isLong = count + 8 > Int(UInt32.max)
      out.u32(isLong ? 1 : UInt32(count + 8))
      out.append("mdat".utf8)
      if isLong { out.u64(UInt64(count + 16)) }
    }
    func add() {
      chunks.append(out.bytes)
      out = BoxWriter()
      chunks += added
    }
    for (index, part) in parts.enumerated() {
      switch part {
      case .copied(let range): if let file { unsafe out.append(file.buffer[range]) }
      case .brands: out.append(ISOBox.bytes("ftyp", brands))
      case .meta: out.append(meta)
      case .media:
        let isLast = index == lastMedia
        let count = (media[index]?.count ?? 0) + (isLast ? addedBytes : 0)
        if count == 0 { continue }
        begin(count)
        for run in media[index]?.runs ?? [] { if let file { unsafe out.append(file.buffer[run]) } }
        if isLast { add() }
      }
    }
    if lastMedia == nil, addedBytes > 0 {
      begin(addedBytes)
      add()
    }
    return out.bytes.isEmpty ? chunks : chunks + [out.bytes]
  }
}

/// New offsets of copied runs of bytes: runs that touch or overlap are merged.
struct ByteRuns {
  private(set) var runs: [Range<Int>] = []
  private var starts: [Int] = []
  private(set) var count = 0

  init(_ ranges: [Range<Int>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = runs.last, range.lowerBound <= last.upperBound {
        runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        runs.append(range)
      }
    }
    for run in runs {
      starts.append(count)
      count += run.count
    }
  }

  /// The offset of the byte at `position` among the copied ones.
  func offset(of position: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].lowerBound <= position { low = middle } else { high = middle }
    }
    return runs.isEmpty ? 0 : starts[low] + position - runs[low].lowerBound
  }
}
