import ImageCore

/// Fujifilm's compression of mosaics of 12, 14 or 16 bits, lossless and lossy, in strips of 768
/// columns that are coded apart.
///
/// Six rows at a time become lines of one color: three of red, six of green, three of blue, a line
/// of red or blue from two rows. They are coded in six passes of two lines each, even places four
/// ahead of odd ones. An even place is predicted from the two lines above, an odd one from its
/// neighbors left and right, of which the right is coded before. The gradients at hand choose one
/// of 41 statistics, which give the length of a Golomb code; each pass has one of three sets.
/// Places that an X-Trans line lacks are predicted and not coded. Differences are taken modulo the
/// range.
///
/// With losses, differences are stored in steps of 2 · base + 1, as in JPEG-LS; each strip has a
/// base for every six rows. The thresholds of the gradients grow with it. Where the gradients of a
/// place sum up to at most 5, 6 or 7, it has the statistics and the smaller base 0, 1 or 2
/// instead, the first of these that is below that of the rows. A new base resets its
/// statistics.
///
/// A header of 16 bytes and the lengths of the strips come first, then the bases. The order of the
/// filters in an X-Trans mosaic is fixed, since lines without coded even places depend on it.
///
/// Sources: published analyses (LibRaw's and rawspeed's decoders), whose states are followed here
/// from the other side.
struct FujifilmCompression {
  private(set) var bytes: [UInt8] = []
  /// The decoded samples, row by row: equal to the originals without losses.
  private(set) var samples: [UInt16]

  private static let strip = 768

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    samples = raw.samples
    let isLossless = raw.coding != .rafLossy
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
    head.bytes += [isLossless ? 1 : 0, wide ? 16 : 0, UInt8(raw.bits)]
    for value in [height, strips * Self.strip, width, Self.strip] { head.append(UInt16(value)) }
    head.bytes.append(UInt8(strips))
    head.append(UInt16(height / 6))

    let groups = height / 6
    let bases = (0..<strips).map { strip in
      (0..<groups).map { isLossless ? 0 : Self.base(group: $0, strip: strip) }
    }
    let coded = (0..<strips).map { index in
      var coder = StripCoder(
        raw, left: index * Self.strip, width: Self.strip, bases: bases[index])
      return coder.coded(into: &samples)
    }
    for strip in coded { head.append(UInt32(strip.count)) }
    while head.bytes.count % 16 != 0 { head.bytes.append(0) }
    if !isLossless {
      for strip in bases {
        head.bytes += strip.map { UInt8($0) }
        while head.bytes.count % 16 != 0 { head.bytes.append(0) }
      }
    }
    bytes = head.bytes + coded.joined()
  }

  /// The base of six rows: all from 0 to 7, some more than once, and a large one.
  private static func base(group: Int, strip: Int) -> Int {
    let order = [3, 3, 0, 1, 2, 2, 4, 5, 6, 7, 0, 40]
    return order[(group + 5 * strip) % order.count]
  }
}

/// Steps and thresholds for one base.
private struct Quantizer {
  let base: Int
  /// The index of the statistics within a set.
  let first: Int
  let factor: Int
  let step: Int
  /// Number of steps of the range.
  let steps: Int
  /// Bits of a code that is written as it is.
  let bits: Int
  private let thresholds: [Int]

  init(base: Int, highest: Int, first: Int, factor: Int) {
    (self.base, self.first, self.factor) = (base, first, factor)
    step = 2 * base + 1
    steps = (highest + 2 * base) / step + 1
    var bits = 1
    while 1 << bits < steps { bits += 1 }
    self.bits = bits
    var thresholds = [base + 1]
    for threshold in [0x12 + 3 * base, 0x43 + 5 * base, 0x114 + 7 * base] {
      let before = thresholds[thresholds.count - 1]
      thresholds.append(threshold >= before && threshold < highest ? threshold : before)
    }
    self.thresholds = thresholds
  }

  /// Two gradients in nine steps each.
  func level(_ a: Int, _ b: Int) -> Int { factor * level(a) + level(b) }

  private func level(_ gradient: Int) -> Int {
    let step = thresholds.reduce(0) { $0 + (abs(gradient) >= $1 ? 1 : 0) }
    return gradient < 0 ? -step : step
  }
}

/// One strip.
private struct StripCoder {
  /// Lines are stored with two of the six rows before: red 0…4, green 5…12, blue 13…17.
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
  private let highest: Int
  /// The bases of all groups; all are 0 without losses.
  private let bases: [Int]
  private var main: Quantizer
  private let fine: [Quantizer]
  /// Each line has a place before the first and one behind the last.
  private var lines: [[Int]]
  private var wanted: [[Int]]
  /// Where the sample of a place is in the picture; −1 for places that have none.
  private var positions: [[Int]]
  /// Sum of magnitudes and number, for each of three sets of even and three of odd places.
  private var sums: [[Int]]
  private var numbers: [[Int]]
  private var sink = BitSink()

  init(_ raw: CameraContainer, left: Int, width: Int, bases: [Int]) {
    (self.raw, self.left, self.width, self.bases) = (raw, left, width, bases)
    wide = raw.pattern.period == 6
    count = wide ? width * 2 / 3 : width / 2
    highest = 1 << raw.bits - 1
    main = Quantizer(base: bases[0], highest: highest, first: 0, factor: 9)
    fine = (0..<3).map { [highest] in
      Quantizer(base: $0, highest: highest, first: 41 + 5 * $0, factor: 3)
    }
    lines = [[Int]](repeating: [Int](repeating: 0, count: count + 2), count: 18)
    wanted = lines
    positions = lines
    sums = [[Int]](repeating: [Int](repeating: 0, count: 56), count: 6)
    numbers = sums
    for quantizer in [main] + fine { forget(quantizer) }
  }

  /// The strip, filled to 16 bytes. The decoded samples replace `samples`.
  mutating func coded(into samples: inout [UInt16]) -> [UInt8] {
    for (group, base) in bases.enumerated() {
      if group > 0 { advance() }
      if base != main.base {
        main = Quantizer(base: base, highest: highest, first: 0, factor: 9)
        forget(main)
      }
      gather(6 * group)
      for pass in Self.passes { code(pass) }
      for (line, places) in positions.enumerated() {
        for (at, position) in places.enumerated() where position >= 0 {
          samples[position] = UInt16(lines[line][at])
        }
      }
    }
    sink.finish()
    return sink.bytes + [UInt8](repeating: 0, count: (16 - sink.bytes.count % 16) % 16)
  }

  /// Resets the statistics of `quantizer`.
  private mutating func forget(_ quantizer: Quantizer) {
    let range = quantizer.first..<quantizer.first + (quantizer.first == 0 ? 41 : 5)
    for set in 0..<6 {
      for index in range {
        sums[set][index] = max(2, (quantizer.steps + 0x20) >> 6)
        numbers[set][index] = 1
      }
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
    positions = [[Int]](repeating: [Int](repeating: -1, count: count + 2), count: 18)
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
        positions[line][place + 1] = row * raw.size.width + column
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
    // The positions beside the lines of these colors are taken from the line above.
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
      put(line, at, predicted: sum >> 2, gradients: (b - f, c - b), set)
    }
  }

  private mutating func codeOdd(_ line: Int, _ place: Int, _ set: Int) {
    let at = place + 1
    let above = lines[line - 1]
    let (a, b, c, d) = (lines[line][at - 1], above[at], above[at - 1], above[at + 1])
    let g = lines[line][at + 1]
    let isPeak = b > c && b > d || b < c && b < d
    let predicted = isPeak ? (g + a + 2 * b) >> 2 : (a + g) >> 1
    put(line, at, predicted: predicted, gradients: (b - c, c - a), 3 + set)
  }

  private mutating func put(
    _ line: Int, _ at: Int, predicted: Int, gradients: (Int, Int), _ set: Int
  ) {
    let sum = abs(gradients.0) + abs(gradients.1)
    let q = fine.first { $0.base < main.base && sum <= 5 + $0.base } ?? main
    let gradient = q.level(gradients.0, gradients.1)

    let exact = wanted[line][at] - predicted
    var steps = (abs(exact) + q.base) / q.step * exact.signum()
    if steps < -(q.steps / 2) { steps += q.steps }
    if steps >= (q.steps + 1) / 2 { steps -= q.steps }
    // What a reader makes of it.
    var value = predicted + steps * q.step
    if value < -q.base { value += q.steps * q.step }
    if value > highest + q.base { value -= q.steps * q.step }
    lines[line][at] = min(max(value, 0), highest)

    if gradient < 0, 2 * steps > -q.steps { steps = -steps }
    let code = steps < 0 ? -2 * steps - 1 : 2 * steps
    let index = q.first + abs(gradient)
    var length = 0
    while length <= 14, numbers[set][index] << length < sums[set][index] { length += 1 }
    let zeros = code >> length
    let limit = 4 * raw.bits - q.bits - 1
    if zeros < limit {
      sink.putZeros(zeros)
      sink.put(UInt32(code & (1 << length - 1)), UInt32(length))
    } else {
      sink.putZeros(limit)
      sink.put(UInt32(code - 1), UInt32(q.bits))
    }
    sums[set][index] += abs(steps)
    if numbers[set][index] == 0x40 {
      sums[set][index] >>= 1
      numbers[set][index] >>= 1
    }
    numbers[set][index] += 1
  }
}
