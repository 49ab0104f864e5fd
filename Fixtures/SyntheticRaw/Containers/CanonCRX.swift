import ImageCore

/// Canon's CRX without wavelets, which loses nothing: the four colors of a Bayer mosaic as planes,
/// less half the range, each line predicted from the last.
///
/// A sample is predicted by the median of left, above and left plus above less above left; the
/// difference, its sign in the lowest bit, is a Golomb–Rice code whose parameter follows the last
/// code and the next gradient. Where left, above and above right are alike, the number of samples
/// that repeat the left one comes first: a run code whose steps grow as runs do (JPEG-LS, ISO/IEC
/// 14495-1, has the same). The first line is predicted from the left alone. Codes of over 40 zeros
/// have 21 bits instead.
///
/// A header comes first: one entry for the tile (FF01), then for each plane one of its own (FF02)
/// and one for its only band (FF03), with their lengths.
///
/// Source: the published description of CR3 (Clevy); LibRaw's decoder, whose states are followed
/// here from the other side.
struct CanonCRX {
  /// Bytes of the header.
  static let headerBytes = 12 + 4 * 24
  /// Header and planes.
  private(set) var bytes: [UInt8]
  /// The number of the order of filters.
  let filterOrder: UInt8

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    let (width, height) = (raw.size.width, raw.size.height)
    try raw.require(
      width % 2 == 0 && height % 2 == 0 && width >= 44 && height >= 44 && raw.bits <= 14,
      "sides must be even and at least 44, bits at most 14")
    // Planes are red, green beside red, green beside blue, blue.
    let red = raw.pattern.channels.firstIndex(of: 0) ?? 0
    filterOrder = UInt8(red)
    let planes = [red, red ^ 1, red ^ 2, red ^ 3].map { position in
      let (x0, y0) = (position & 1, position >> 1)
      var plane = PlaneCoder(width: width / 2)
      for y in 0..<height / 2 {
        plane.add(
          (0..<width / 2).map { x in
            Int(raw.samples[(2 * y + y0) * width + 2 * x + x0]) - 1 << (raw.bits - 1)
          })
      }
      return plane.bytes
    }
    var header = ByteStream(order: .big)
    func entry(_ mark: UInt16, _ length: Int, _ rest: UInt32) {
      header.append(mark)
      header.append(UInt16(8))
      header.append(UInt32(length))
      header.append(rest)
    }
    entry(0xFF01, planes.reduce(0) { $0 + $1.count }, 0)
    for (index, plane) in planes.enumerated() {
      entry(0xFF02, plane.count, UInt32(index) << 28 | 0x800_0000)
      entry(0xFF03, plane.count, 0)
    }
    bytes = header.bytes + planes.joined()
  }
}

/// One plane.
private struct PlaneCoder {
  /// Bits of the rest of a run, and so the step, for each of 32 states.
  private static let runBits = [
    0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13,
    14, 15,
  ]

  private let width: Int
  /// The line above with a place before and two behind; nil for the first line.
  private var above: [Int]?
  /// The Golomb–Rice parameter.
  private var parameter = 0
  private var runState = 0
  private var sink = BitSink()

  init(width: Int) { self.width = width }

  /// All lines, filled to 4 bytes.
  var bytes: [UInt8] {
    mutating get {
      sink.finish()
      return sink.bytes + [UInt8](repeating: 0, count: (4 - sink.bytes.count % 4) % 4 + 4)
    }
  }

  mutating func add(_ line: [Int]) {
    // The sample before the first is the one above it; after the last comes the next number.
    var next = [above?[1] ?? 0] + line
    if let above { followed(next, above) } else { first(next) }
    next += [line[width - 1] + 1, 0]
    above = next
  }

  private mutating func first(_ line: [Int]) {
    var x = 0
    while x < width {
      let left = line[x]
      if left == 0, width - x > 1 {
        x += run(line, x)
        if x == width { break }
        put(line[x + 1])
      } else {
        put(line[x + 1] - left)
      }
      x += 1
    }
  }

  private mutating func followed(_ line: [Int], _ above: [Int]) {
    var x = 0
    while x < width {
      let isLast = width - x == 1
      if !isLast, line[x] == above[x + 1], line[x] == above[x + 2] {
        x += run(line, x)
        if x == width { break }
        put(line[x + 1] - above[x + 1], next: gradient(above, x))
      } else {
        let (left, up, corner) = (line[x], above[x + 1], above[x])
        // The median of left, above and their plane.
        let median = max(min(left, up), min(max(left, up), left + up - corner))
        put(line[x + 1] - median, next: gradient(above, x))
      }
      x += 1
    }
  }

  /// How much the line above changes behind `x`; nil at the end, where it does not count.
  private func gradient(_ above: [Int], _ x: Int) -> Int? {
    width - x > 1 ? abs(above[x + 2] - above[x + 1]) * 2 : nil
  }

  /// Appends how many samples from `x` on repeat the one before; returns the number.
  private mutating func run(_ line: [Int], _ x: Int) -> Int {
    let left = width - x
    let count = line[(x + 1)...].prefix { $0 == line[x] }.count
    guard count > 0 else {
      sink.put(0, 1)
      return 0
    }
    sink.put(1, 1)
    var done = 1
    while done < left {
      let step = 1 << Self.runBits[runState]
      guard count == left || done + step <= count else {
        sink.put(0, 1)
        sink.put(UInt32(count - done), UInt32(Self.runBits[runState]))
        runState = max(0, runState - 1)
        return count
      }
      sink.put(1, 1)
      done += step
      if done > left { return left }
      runState = min(31, runState + 1)
    }
    return left
  }

  private mutating func put(_ difference: Int, next: Int? = nil) {
    var code = difference < 0 ? -2 * difference - 1 : 2 * difference
    let zeros = code >> parameter
    if zeros < 41 {
      sink.putZeros(zeros)
      sink.put(UInt32(code & (1 << parameter - 1)), UInt32(parameter))
    } else {
      sink.putZeros(41)
      sink.put(UInt32(code), 21)
    }
    if let next { code = (code + next) >> 1 }
    let scaled = code >> parameter
    parameter +=
      (scaled > 2 ? 1 : 0) + (scaled > 5 ? 1 : 0) - (code < (1 << parameter) >> 1 ? 1 : 0)
    parameter = min(parameter, 15)
  }
}
