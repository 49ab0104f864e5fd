import Codecs
import Containers

/// A format that is pieces in a row.
enum PieceFormat {
  /// Segments, with the coded data behind those of scans.
  case jpeg
  /// Chunks, whose checksums are made right.
  case png
  /// A DNG's list of opcodes, behind the byte that chooses which one.
  case opcodes
  case lines

  init?(_ target: FuzzTarget) {
    switch target {
    case .recipe, .sidecar, .folder, .journal, .report, .manifest, .worker, .serve, .look:
      self = .lines
    case .opcodes: self = .opcodes
    default: return nil
    }
  }

  init?(of bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else {
      return nil
    }
  }
}

/// Changes of the order, number and content of pieces, with their lengths and checksums right.
struct PieceMutator {
  private struct Piece {
    /// What comes before the length: a marker, a type; in opcodes ID, version and flags.
    var kind: [UInt8] = []
    var body: ArraySlice<UInt8>
    /// Whether it has a length; else the body is all of it.
    var isFramed = true
  }
  private let format: PieceFormat
  /// What comes before the pieces.
  private var head: ArraySlice<UInt8> = []
  private var pieces: [Piece] = []

  private enum Change: CaseIterable {
    case number, resize, remove, double, swap, copy, kind, end

    /// Numbers are what most depends on.
    static let weighted = allCases + [.number, .number]
  }

  /// `bytes` after one change; nil where they have no pieces.
  static func changed(
    _ bytes: [UInt8], _ format: PieceFormat, _ random: inout Draws
  ) -> [UInt8]? {
    var mutator = PieceMutator(bytes, format)
    guard !mutator.pieces.isEmpty else { return nil }
    mutator.change(&random)
    return mutator.written
  }

  private init(_ bytes: [UInt8], _ format: PieceFormat) {
    self.format = format
    var rest = bytes[...]
    switch format {
    case .jpeg: while let piece = Self.segment(&rest) { pieces.append(piece) }
    case .png:
      head = rest.prefix(8)
      rest = rest.dropFirst(8)
      while let length = Self.length(rest, 4), length + 12 <= rest.count {
        let chunk = rest.prefix(length + 8)
        pieces.append(Piece(kind: Array(chunk.prefix(8).suffix(4)), body: chunk.dropFirst(8)))
        rest = rest.dropFirst(length + 12)
      }
    case .opcodes:
      head = rest.prefix(1)
      rest = rest.dropFirst(5)
      while let length = Self.length(rest.dropFirst(12), 4),
        length + 16 <= rest.count
      {
        let opcode = rest.prefix(length + 16)
        pieces.append(Piece(kind: Array(opcode.prefix(12)), body: opcode.dropFirst(16)))
        rest = rest.dropFirst(length + 16)
      }
    case .lines:
      while let end = rest.firstIndex(of: 0x0A) {
        pieces.append(Piece(body: rest[...end], isFramed: false))
        rest = rest[(end + 1)...]
      }
    }
    if !rest.isEmpty { pieces.append(Piece(body: rest, isFramed: false)) }
  }

  private static func length(_ bytes: ArraySlice<UInt8>, _ width: Int) -> Int? {
    guard bytes.count >= width else { return nil }
    return bytes.prefix(width).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The next segment of a JPEG, or coded data up to the next marker.
  private static func segment(_ rest: inout ArraySlice<UInt8>) -> Piece? {
    guard let first = rest.first else { return nil }
    let second = rest.dropFirst().first ?? 0
    let isMarker = isMarker(first, second)
    if isMarker, second != 0xD8, second != 0xD9,
      let length = length(rest.dropFirst(2), 2), length >= 2,
      length + 2 <= rest.count
    {
      defer { rest = rest.dropFirst(length + 2) }
      return Piece(kind: [first, second], body: rest.prefix(length + 2).dropFirst(4))
    }
    let next = rest.indices.dropFirst().dropLast().first { Self.isMarker(rest[$0], rest[$0 + 1]) }
    let end = isMarker ? rest.startIndex + 2 : next ?? rest.endIndex
    defer { rest = rest[end...] }
    return Piece(body: rest[..<end], isFramed: false)
  }

  /// Whether two bytes are a marker that ends coded data.
  private static func isMarker(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0xFF && (0xC0...0xFE).contains(second) && !(0xD0...0xD7).contains(second)
  }

  private var written: [UInt8] {
    var bytes = Array(head)
    if format == .opcodes { bytes += UInt32(pieces.count).bytes(bigEndian: true) }
    for piece in pieces {
      let length = UInt32(truncatingIfNeeded: piece.body.count)
      switch format {
      case _ where !piece.isFramed: bytes += piece.body
      case .lines: bytes += piece.body
      case .jpeg:
        bytes += piece.kind + UInt16(truncatingIfNeeded: length + 2).bytes(bigEndian: true)
        bytes += piece.body
      case .png:
        let summed = piece.kind + piece.body
        let sum = summed.withUnsafeBytes { ZlibStream.crc32($0) }
        bytes += length.bytes(bigEndian: true) + summed + sum.bytes(bigEndian: true)
      case .opcodes: bytes += piece.kind + length.bytes(bigEndian: true) + piece.body
      }
    }
    return bytes
  }

  private mutating func change(_ random: inout Draws) {
    guard let index = pieces.indices.randomElement(using: &random),
      let other = pieces.indices.randomElement(using: &random),
      let change = Change.weighted.randomElement(using: &random)
    else { return }
    var body = Array(pieces[index].body)
    switch change {
    // Text is not made of numbers.
    case .number:
      guard format != .lines else { return pieces.swapAt(index, other) }
      Mutator.changeNumber(&body, in: body.indices, &random)
      pieces[index].body = body[...]
    case .resize:
      let offset = Int.random(in: 0...body.count, using: &random)
      let removed = Int.random(in: 0...min(16, body.count - offset), using: &random)
      let source = pieces[other].body
      let added = source.prefix(.random(in: 0...16, using: &random))
      body.replaceSubrange(offset..<offset + removed, with: added)
      pieces[index].body = body[...]
    case .remove: pieces.remove(at: index)
    case .double:
      let times = [1, 1, 1, 16, 256].randomElement(using: &random) ?? 1
      guard times * body.count < 100_000 else { return }
      pieces.insert(contentsOf: repeatElement(pieces[index], count: times), at: index)
    case .swap: pieces.swapAt(index, other)
    case .copy: pieces.insert(pieces[index], at: other)
    case .kind:
      guard pieces[index].isFramed else { return }
      pieces[index].kind = pieces[other].isFramed ? pieces[other].kind : pieces[index].kind
      let last = pieces[index].kind.count - 1
      guard Bool.random(using: &random), last >= 0 else { return }
      let byte = format == .opcodes ? 3 : last
      // Markers, letters of types, numbers of opcodes.
      let range: ClosedRange<UInt8> =
        switch format {
        case .jpeg: 0xC0...0xFE
        case .opcodes: 0...15
        default: 0x41...0x7A
        }
      pieces[index].kind[byte] = .random(in: range, using: &random)
    case .end: pieces.removeSubrange((index + 1)...)
    }
  }
}
