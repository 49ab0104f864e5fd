import ImageCore

/// Fujifilm's lossless compression of mosaics, 14 or 16 bits, in strips of 768 columns that are
/// coded apart.
///
/// Six rows at a time become lines of one color: three of red, six of green, three of blue, a line
/// of red or blue from two rows. They are coded in six passes of two lines each, even places four
/// ahead of odd ones. An even place is predicted from the two lines above, an odd one from its
/// neighbors left and right, of which the right is coded before. The gradients at hand choose one
/// of 41 statistics, which give the length of a Golomb code; each pass has one of three sets.
/// Places that an X-Trans line lacks are predicted and not coded. Differences are taken modulo the
/// range.
///
/// A header of 16 bytes and the lengths of the strips come first. The order of the filters in an
/// X-Trans mosaic is fixed, since lines without coded even places depend on it.
///
/// Sources: published analyses (LibRaw's and rawspeed's decoders), whose states are followed here
/// from the other side.
struct FujifilmCompression {
  private(set) var bytes: [UInt8] = []

  private static let strip = 768

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    let (width, height, wide) = (raw.size.width, raw.size.height, raw.pattern.period == 6)
    try raw.require(
      width >= Self.strip && width % 24 == 0 && height % 6 == 0,
      "columns must be 768 or more and a multiple of 24, rows a multiple of 6")
    let fixed = MosaicPattern.xTrans(y: 2)
    try raw.require(
      !wide
        || (0..<36).allSatisfy {
          raw.pattern.channel(x: $0 % 6 - raw.area.x, y: $0 / 6 - raw.area.y)
            == fixed.channel(x: $0 % 6, y: $0 / 6)
        }, "the stored filters must begin with the third row of the pattern")
    let strips = (width + Self.strip - 1) / Self.strip
    var head = ByteStream(order: .big)
    head.append(UInt16(0x4953))
    head.bytes += [1, wide ? 16 : 0, UInt8(raw.bits)]
    for value in [height, strips * Self.strip, width, Self.strip] { head.append(UInt16(value)) }
    head.bytes.append(UInt8(strips))
    head.append(UInt16(height / 6))

    let coded = (0..<strips).map { index in
      var coder = StripCoder(raw, left: index * Self.strip, width: Self.strip)
      return coder.bytes
    }
    for strip in coded { head.append(UInt32(strip.count)) }
    while head.bytes.count % 16 != 0 { head.bytes.append(0) }
    bytes = head.bytes + coded.joined()
  }
}

/// One strip.
private struct StripCoder {
  /// Lines are kept with two of the six rows before: red 0…4, green 5…12, blue 13…17.
  private static let (red, green, blue) = (0, 5, 13)
  /// What even places of a line are.
  private enum Even { case coded, predicted, everyFirstPredicted, everySecondPredicted }
  /// Lines of a pass, its set of statistics, and the even places of X-Trans.
  private static let passes: [(a: Int, b: Int, set: Int, evenA: Even, evenB: Even)] = [
    (red + 2, green + 2, 0, .predicted, .coded),
    (green + 3, blue + 2, 1, .coded, .predicted),
    (red + 3, green + 4, 2, .everyFirstPredicted, .predicted),
    (green + 5, blue + 3, 0, .coded, .everySecondPredicted),
    (red + 4, green + 6, 1, .everySecondPredicted, .coded),
    (green + 7, blue + 4, 2, .predicted, .everyFirstPredicted),
  ]

  private let raw: CameraContainer
  private let left: Int
  private let width: Int
  private let wide: Bool
  /// Places of a line.
  private let count: Int
  private let total: Int
  /// Each line has a place before the first and one behind the last.
  private var lines: [[Int]]
  private var wanted: [[Int]]
  /// Sum of magnitudes and number, for each of three sets of even and three of odd places.
  private var sums: [[Int]]
  private var numbers: [[Int]]
  private var sink = BitSink()

  init(_ raw: CameraContainer, left: Int, width: Int) {
    (self.raw, self.left, self.width) = (raw, left, width)
    wide = raw.pattern.period == 6
    count = wide ? width * 2 / 3 : width / 2
    total = 1 << raw.bits
    lines = [[Int]](repeating: [Int](repeating: 0, count: count + 2), count: 18)
    wanted = lines
    sums = [[Int]](repeating: [Int](repeating: total >> 6, count: 41), count: 6)
    numbers = [[Int]](repeating: [Int](repeating: 1, count: 41), count: 6)
  }

  /// The strip, filled to 16 bytes.
  var bytes: [UInt8] {
    mutating get {
      for top in stride(from: 0, to: raw.size.height, by: 6) {
        if top > 0 { advance() }
        gather(top)
        for pass in Self.passes { code(pass) }
      }
      sink.finish()
      return sink.bytes + [UInt8](repeating: 0, count: (16 - sink.bytes.count % 16) % 16)
    }
  }

  /// The last two lines of each color are those above the next.
  private mutating func advance() {
    for (first, rows) in [(Self.red, 3), (Self.green, 6), (Self.blue, 3)] {
      lines[first] = lines[first + rows]
      lines[first + 1] = lines[first + rows + 1]
      for line in first + 2..<first + 2 + rows {
        lines[line] = [Int](repeating: 0, count: count + 2)
      }
      lines[first + 2][0] = lines[first + 1][1]
      lines[first + 2][count + 1] = lines[first + 1][count]
    }
  }

  /// Sorts six rows into `wanted`.
  private mutating func gather(_ top: Int) {
    for y in 0..<6 {
      for x in 0..<width where left + x < raw.size.width {
        let (column, row) = (left + x, top + y)
        let line: Int
        switch raw.pattern.channel(x: column - raw.area.x, y: row - raw.area.y) {
        case 0: line = Self.red + 2 + y / 2
        case 1: line = Self.green + 2 + y
        default: line = Self.blue + 2 + y / 2
        }
        let place = wide ? (x * 2 / 3 & ~1 | x % 3 & 1) + x % 3 / 2 : x / 2
        wanted[line][place + 1] = Int(raw.samples[row * raw.size.width + column])
      }
    }
  }

  private mutating func code(_ pass: (a: Int, b: Int, set: Int, evenA: Even, evenB: Even)) {
    var (even, odd) = (0, 1)
    while even < count || odd < count {
      if even < count {
        codeEven(pass.a, even, pass.set, pass.evenA)
        codeEven(pass.b, even, pass.set, pass.evenB)
        even += 2
      }
      if even > 8 {
        codeOdd(pass.a, odd, pass.set)
        codeOdd(pass.b, odd, pass.set)
        odd += 2
      }
    }
    // The places beside the lines of the colors at hand are those of the line above.
    for line in [pass.a, pass.b] {
      let (first, rows) =
        line < Self.green ? (Self.red, 3) : line < Self.blue ? (Self.green, 6) : (Self.blue, 3)
      for i in first + 2..<first + 2 + rows {
        lines[i][0] = lines[i - 1][1]
        lines[i][count + 1] = lines[i - 1][count]
      }
    }
  }

  private mutating func codeEven(_ line: Int, _ place: Int, _ set: Int, _ rule: Even) {
    let at = place + 1
    let above = lines[line - 1]
    let (b, c, d, f) = (above[at], above[at - 1], above[at + 1], lines[line - 2][at])
    let (cb, fb, db) = (abs(c - b), abs(f - b), abs(d - b))
    let sum =
      cb > fb && cb > db ? f + d + 2 * b : db > cb && db > fb ? f + c + 2 * b : d + c + 2 * b
    let isPredicted =
      switch rule {
      case .coded: false
      case .predicted: true
      case .everyFirstPredicted: place & 3 == 0
      case .everySecondPredicted: place & 3 == 2
      }
    if wide && isPredicted {
      lines[line][at] = sum >> 2
    } else {
      put(line, at, predicted: sum >> 2, gradient: 9 * level(b - f) + level(c - b), set)
    }
  }

  private mutating func codeOdd(_ line: Int, _ place: Int, _ set: Int) {
    let at = place + 1
    let above = lines[line - 1]
    let (a, b, c, d) = (lines[line][at - 1], above[at], above[at - 1], above[at + 1])
    let g = lines[line][at + 1]
    let isPeak = b > c && b > d || b < c && b < d
    let predicted = isPeak ? (g + a + 2 * b) >> 2 : (a + g) >> 1
    put(line, at, predicted: predicted, gradient: 9 * level(b - c) + level(c - a), 3 + set)
  }

  /// A gradient in nine steps.
  private func level(_ gradient: Int) -> Int {
    let step = [1, 0x12, 0x43, 0x114].reduce(0) { $0 + (abs(gradient) >= $1 ? 1 : 0) }
    return gradient < 0 ? -step : step
  }

  private mutating func put(
    _ line: Int, _ at: Int, predicted: Int, gradient: Int, _ set: Int
  ) {
    let value = wanted[line][at]
    lines[line][at] = value
    var difference = value - predicted
    if difference < -total / 2 { difference += total }
    if difference >= total / 2 { difference -= total }
    if gradient < 0, difference > -total / 2 { difference = -difference }
    let code = difference < 0 ? -2 * difference - 1 : 2 * difference

    let index = abs(gradient)
    var length = 0
    while length <= 14, numbers[set][index] << length < sums[set][index] { length += 1 }
    let zeros = code >> length
    let limit = 3 * raw.bits - 1
    if zeros < limit {
      sink.putZeros(zeros)
      sink.put(UInt32(code & (1 << length - 1)), UInt32(length))
    } else {
      sink.putZeros(limit)
      sink.put(UInt32(code - 1), UInt32(raw.bits))
    }
    sums[set][index] += abs(difference)
    if numbers[set][index] == 0x40 {
      sums[set][index] >>= 1
      numbers[set][index] >>= 1
    }
    numbers[set][index] += 1
  }
}
