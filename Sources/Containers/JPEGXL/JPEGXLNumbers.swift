/// Numbers of a JPEG XL codestream that are coded by entropy (ISO/IEC 18181-1, annex on entropy
/// decoding): contexts share clusters, each with a prefix code or a distribution; symbols hold the
/// highest bits of a number, and its lowest; copies of earlier numbers.
///
/// Of a codestream only profiles, the order of parts of a frame and the clusters themselves are
/// read by it here; distances of copies that depend on a picture's width are not.
struct JPEGXLNumbers {
  /// Which bits of a number its symbol holds.
  private struct Shape {
    var split, high, low: Int

    init?(logAlphabet: Int, _ bits: inout JPEGXLBits) {
      (split, high, low) = (bits.take(JPEGXLBits.width(logAlphabet)), 0, 0)
      if split != logAlphabet {
        high = bits.take(JPEGXLBits.width(split))
        guard high <= split else { return nil }
        low = bits.take(JPEGXLBits.width(split - high))
      }
      guard high + low <= split else { return nil }
    }

    func number(_ symbol: Int, _ bits: inout JPEGXLBits) -> UInt32 {
      guard symbol >= 1 << split else { return UInt32(symbol) }
      let inSymbol = high + low
      let count = (split - inSymbol + (symbol - 1 << split) >> inSymbol) & 31
      let highest = 1 << high | symbol >> low & (1 << high - 1)
      let value = (highest << count | bits.take(count)) << low | symbol & (1 << low - 1)
      return UInt32(truncatingIfNeeded: value)
    }
  }

  private enum Code {
    case prefix(JPEGXLPrefixCode)
    case distribution(JPEGXLANSCode)
  }

  /// Symbols from `first` on are lengths of copies, `shortest` or longer.
  private struct Copies {
    let first, shortest: Int
    let shape: Shape
  }

  /// The numbers that copies can reach back for.
  private static let windowSize = 1 << 20

  private var clusters: [UInt8] = [0]
  private var codes: [(shape: Shape, code: Code)] = []
  private let copies: Copies?
  private var state = JPEGXLANSCode.finalState
  private var window: [UInt32] = []
  private var count = 0
  private var copy = (from: 0, left: 0)

  /// The codes of the next `contexts` contexts; nil when they are damaged.
  init?(contexts: Int, allowsCopies: Bool = true, _ bits: inout JPEGXLBits) {
    var contexts = contexts
    if bits.bit() {
      let first = bits.number((0, 224), (0, 512), (0, 4096), (15, 8))
      let shortest = bits.number((0, 3), (0, 4), (2, 5), (8, 9))
      guard allowsCopies, let shape = Shape(logAlphabet: 8, &bits) else { return nil }
      copies = Copies(first: first, shortest: shortest, shape: shape)
      contexts += 1
    } else {
      copies = nil
    }
    if contexts > 1 {
      guard let map = Self.clusters(of: contexts, &bits) else { return nil }
      clusters = map
    }
    let isPrefix = bits.bit()
    let logAlphabet = isPrefix ? 15 : 5 + bits.take(2)
    let number = Int(clusters.max() ?? 0) + 1
    var shapes: [Shape] = []
    for _ in 0..<number {
      guard let shape = Shape(logAlphabet: logAlphabet, &bits) else { return nil }
      shapes.append(shape)
    }
    if isPrefix {
      let alphabets = shapes.map { _ in 1 + bits.numberWithWidth(of: 4) }
      for (shape, alphabet) in zip(shapes, alphabets) {
        guard alphabet <= 1 << logAlphabet,
          let code = JPEGXLPrefixCode(alphabet: alphabet, &bits)
        else { return nil }
        codes.append((shape, .prefix(code)))
      }
    } else {
      for shape in shapes {
        guard let code = JPEGXLANSCode(logSize: logAlphabet, &bits) else { return nil }
        codes.append((shape, .distribution(code)))
      }
      state = UInt32(bits.take(32))
    }
    if bits.isExhausted { return nil }
  }

  /// Whether the final state is reached, as at the end of streams with distributions.
  var isAtEnd: Bool { state == JPEGXLANSCode.finalState }

  /// The next number.
  mutating func next(context: Int, _ bits: inout JPEGXLBits) -> UInt32 {
    bits.charge(1)
    if copy.left > 0 { return copied() }
    let (shape, symbol) = symbol(context, &bits)
    guard let copies else { return shape.number(symbol, &bits) }
    guard symbol >= copies.first else { return keep(shape.number(symbol, &bits)) }
    let length = Int(copies.shape.number(symbol - copies.first, &bits)) + copies.shortest
    let (distance, far) = self.symbol(clusters.count - 1, &bits)
    let back = min(Int(distance.number(far, &bits)) + 1, count, Self.windowSize)
    copy = (count - back, length)
    return copied()
  }

  private mutating func copied() -> UInt32 {
    // Before the first number there are zeros.
    let value = copy.from < count ? window[copy.from % Self.windowSize] : 0
    copy = (copy.from + 1, copy.left - 1)
    return keep(value)
  }

  private mutating func keep(_ value: UInt32) -> UInt32 {
    if window.count < Self.windowSize {
      window.append(value)
    } else {
      window[count % Self.windowSize] = value
    }
    count += 1
    return value
  }

  private mutating func symbol(_ context: Int, _ bits: inout JPEGXLBits) -> (Shape, Int) {
    let (shape, code) = codes[Int(clusters[context])]
    return switch code {
    case .prefix(let code): (shape, code.next(&bits))
    case .distribution(let code): (shape, code.next(&state, &bits))
    }
  }

  /// The cluster of each context.
  private static func clusters(of contexts: Int, _ bits: inout JPEGXLBits) -> [UInt8]? {
    if bits.bit() {
      let width = bits.take(2)
      return (0..<contexts).map { _ in UInt8(bits.take(width)) }
    }
    let isMoved = bits.bit()
    guard var numbers = JPEGXLNumbers(contexts: 1, allowsCopies: contexts > 2, &bits) else {
      return nil
    }
    var map: [UInt8] = []
    for _ in 0..<contexts {
      guard let cluster = UInt8(exactly: numbers.next(context: 0, &bits)) else { return nil }
      map.append(cluster)
    }
    guard numbers.isAtEnd else { return nil }
    return isMoved ? movedToFront(map) : map
  }

  /// Positions in a list of clusters to the clusters, each of which moves to the front.
  private static func movedToFront(_ positions: [UInt8]) -> [UInt8] {
    var list = Array(UInt8(0)...255)
    return positions.map { position in
      let cluster = list.remove(at: Int(position))
      list.insert(cluster, at: 0)
      return cluster
    }
  }
}
