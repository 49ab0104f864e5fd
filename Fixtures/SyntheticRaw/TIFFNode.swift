/// A directory with everything that it points to.
struct TIFFNode {
  var directory = TIFFDirectory()
  /// Strips or tiles.
  var chunks: [[UInt8]] = []
  /// Whether the chunks are tiles.
  var isTiled = false
  /// Directories, by the tag that points to them, in the order in which they are written.
  var children: [(tag: UInt16, nodes: [TIFFNode])] = []
  /// Directories that are the bytes of a field, as maker notes are; their offsets count from the
  /// start of the file.
  var notes: [(tag: UInt16, directory: TIFFDirectory)] = []
  /// Blocks of bytes, by the tag that points to them.
  var blocks: [(tag: UInt16, parts: [[UInt8]])] = []

  private var chunkTags: (offsets: UInt16, lengths: UInt16) {
    isTiled ? (324, 325) : (273, 279)
  }

  /// The directory with an entry for every pointer, all of them 0.
  private var prepared: TIFFDirectory {
    var d = directory
    if !chunks.isEmpty {
      d[chunkTags.offsets] = .offsets(chunks.map { _ in 0 })
      d[chunkTags.lengths] = .offsets(chunks.map { UInt64($0.count) })
    }
    for child in children { d[child.tag] = .offsets(child.nodes.map { _ in 0 }) }
    for note in notes { d[note.tag] = .elsewhere(0, count: 0) }
    for block in blocks { d[block.tag] = .offsets(block.parts.map { _ in 0 }) }
    return d
  }

  /// A file whose first directory is this one at `start`: all directories, then blocks, then
  /// chunks. `following` are the next directories of its chain; `magic` replaces the number of
  /// TIFF, and `header`, made from the places of the directories in the chain, comes behind the
  /// offset of the first.
  func file(
    order: ByteOrder, isBig: Bool = false, start: Int = 8, following: [TIFFNode] = [],
    magic: UInt16? = nil, header: ([UInt64]) -> [UInt8] = { _ in [] }
  ) throws(DNGWriter.Problem) -> [UInt8] {
    var flat: [(node: TIFFNode, directory: TIFFDirectory)] = ([self] + following).map {
      ($0, $0.prepared)
    }
    let chain = flat.count
    var links: [(parent: Int, tag: UInt16, first: Int, count: Int, isNote: Bool)] = []
    var head = 0
    while head < flat.count {
      for child in flat[head].node.children {
        links.append((head, child.tag, flat.count, child.nodes.count, false))
        flat += child.nodes.map { ($0, $0.prepared) }
      }
      for note in flat[head].node.notes {
        links.append((head, note.tag, flat.count, 1, true))
        flat.append((TIFFNode(directory: note.directory), note.directory))
      }
      head += 1
    }

    var end = start
    func places(_ sizes: [Int]) -> [UInt64] {
      sizes.map { size in
        defer { end += (size + 1) & ~1 }
        return UInt64(end)
      }
    }
    let directories = places(flat.map { $0.directory.byteCount(isBig: isBig) })
    for link in links {
      flat[link.parent].directory[link.tag] =
        link.isNote
        ? .elsewhere(
          directories[link.first], count: flat[link.first].directory.byteCount(isBig: isBig))
        : .offsets(Array(directories[link.first..<(link.first + link.count)]))
    }
    var data: [[UInt8]] = []
    for index in flat.indices {
      for block in flat[index].node.blocks {
        flat[index].directory[block.tag] = .offsets(places(block.parts.map(\.count)))
        data += block.parts
      }
    }
    for index in flat.indices where !flat[index].node.chunks.isEmpty {
      let node = flat[index].node
      flat[index].directory[node.chunkTags.offsets] = .offsets(places(node.chunks.map(\.count)))
      data += node.chunks
    }
    guard isBig || end <= Int(UInt32.max) else {
      throw DNGWriter.Problem(description: "the file would pass 4 GiB; write it as BigTIFF")
    }

    var out = ByteStream(order: order, isBig: isBig)
    out.bytes.reserveCapacity(end)
    out.bytes += order == .little ? [0x49, 0x49] : [0x4D, 0x4D]
    out.append(magic ?? UInt16(isBig ? 43 : 42))
    if isBig {
      out.append(UInt16(8))
      out.append(UInt16(0))
    }
    out.appendOffset(UInt64(start))
    out.bytes += header(Array(directories[..<chain]))
    out.bytes += [UInt8](repeating: 0, count: start - out.bytes.count)
    for (index, offset) in directories.enumerated() {
      out.bytes += flat[index].directory.encoded(
        at: Int(offset), order: order, isBig: isBig,
        next: index + 1 < chain ? directories[index + 1] : 0)
    }
    for part in data {
      out.bytes += part
      if part.count & 1 == 1 { out.bytes.append(0) }
    }
    return out.bytes
  }
}
