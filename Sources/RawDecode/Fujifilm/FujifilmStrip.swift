import ImageCore

/// One strip of a Fujifilm compressed mosaic, decoded six rows at a time.
///
/// The rows are twelve lines of one color each: three of red, six of green, three of blue; a line
/// of red or blue combines two rows. Six passes read two lines each, alternating between them, with
/// even positions four ahead of odd ones. An even position is predicted from the two lines above,
/// an odd one from its neighbors left and right and the line above. The gradients there select the
/// quantization and one of 41 statistics; each pass uses one of three sets of statistics. Even
/// positions missing from a line of an X-Trans mosaic are predicted and not stored.
///
/// In lossy files, the base b of the main quantization changes from group to group; positions with
/// a gradient sum of at most 5, 6 and 7 use the first of bases 0, 1 and 2 below b.
///
/// Source: published analyses (LibRaw's and rawspeed's decoders), used for orders, predictors,
/// thresholds and code lengths. Known failures: none; samples equal LibRaw 0.20 and 0.22.
struct FujifilmStrip: ~Copyable {
  /// Finer quantizations in addition to the main one.
  static var fineCount: Int { 3 }
  /// Lines in memory: two of the previous group, then the current group, for each color.
  private static let red = 0
  private static let green = 5
  private static let blue = 13
  private static let lineCount = 18

  /// Two alternating lines, and the positions missing from them in an X-Trans mosaic, as a mask and
  /// the masked value.
  private struct Pass {
    let lines: (Int, Int)
    let set: Int
    let lacking: ((mask: Int, value: Int), (mask: Int, value: Int))

    static let none = (mask: 0, value: 1)
    static let even = (mask: 0, value: 0)
    static let everyFirst = (mask: 3, value: 0)
    static let everySecond = (mask: 3, value: 2)
  }

  private static let passes = [
    Pass(lines: (red + 2, green + 2), set: 0, lacking: (Pass.even, Pass.none)),
    Pass(lines: (green + 3, blue + 2), set: 1, lacking: (Pass.none, Pass.even)),
    Pass(lines: (red + 3, green + 4), set: 2, lacking: (Pass.everyFirst, Pass.even)),
    Pass(lines: (green + 5, blue + 3), set: 0, lacking: (Pass.none, Pass.everySecond)),
    Pass(lines: (red + 4, green + 6), set: 1, lacking: (Pass.everySecond, Pass.none)),
    Pass(lines: (green + 7, blue + 4), set: 2, lacking: (Pass.even, Pass.everyFirst)),
  ]

  private let header: FujifilmHeader
  private let strip: FujifilmHeader.Strip
  /// Positions in a line.
  private let count: Int
  /// Distance between lines: includes one position before the first and one after the last.
  private let stride: Int
  private let memory: RowMemory<UInt16>
  private let tables: RowMemory<Int8>
  private let numbers: RowMemory<Int32>
  private var reader: Reader

  /// Starts decoding `strip`; nil if it is empty.
  init?(_ strip: FujifilmHeader.Strip, _ header: FujifilmHeader) {
    guard let bits = HighBits(strip.data) else { return nil }
    (self.header, self.strip) = (header, strip)
    count = Self.positions(header)
    stride = count + 2
    memory = RowMemory(count: Self.lineCount * stride)
    memory.row.update(repeating: 0, count: Self.lineCount * stride)
    let perTable = FujifilmQuantization.tableCount
    tables = RowMemory(count: (1 + Self.fineCount) * perTable)
    numbers = RowMemory(count: FujifilmStatistics.count)
    let table = tables.row
    func quantization(_ index: Int) -> FujifilmQuantization {
      FujifilmQuantization(
        base: max(index - 1, 0), bits: header.bits, factor: index == 0 ? 9 : 3,
        table: table.from(index * perTable))
    }
    reader = Reader(
      bits: bits, statistics: FujifilmStatistics(numbers.row), main: quantization(0),
      fine: (quantization(1), quantization(2), quantization(3)), highest: 1 << header.bits - 1)
    reader.reset()
  }

  /// Positions in a line: an X-Trans line has four for six columns, a Bayer line one for two.
  private static func positions(_ header: FujifilmHeader) -> Int {
    header.isXTrans ? FujifilmHeader.strip * 2 / 3 : FujifilmHeader.strip / 2
  }

  /// Index of the sample at each column of six rows, under the filters of `pattern`, in the line
  /// memory that ``decode(_:)`` passes on.
  static func positions(_ header: FujifilmHeader, pattern: CFA) -> [UInt16] {
    (0..<FujifilmHeader.group * FujifilmHeader.strip).map { index in
      let (y, x) = index.quotientAndRemainder(dividingBy: FujifilmHeader.strip)
      let line =
        switch pattern.channel(x: x, y: y) {
        case 0: red + 2 + y / 2
        case 1: green + 2 + y
        default: blue + 2 + y / 2
        }
      let position = header.isXTrans ? (x * 2 / 3 & ~1 | x % 3 & 1) + x % 3 / 2 : x / 2
      return UInt16(line * (positions(header) + 2) + 1 + position)
    }
  }

  /// Decodes all groups and passes the lines of each to `take`. False if the strip is damaged.
  mutating func decode(_ take: (_ group: Int, _ lines: CodeRowView) -> Void) -> Bool {
    for group in 0..<header.groups {
      if let bases = strip.bases { setBase(Int(bases[group])) }
      if group > 0 { advance() }
      for pass in Self.passes { read(pass) }
      if reader.isDamaged || reader.bits.isPastEnd { return false }
      take(group, memory.row)
    }
    return true
  }

  private mutating func setBase(_ base: Int) {
    guard base != reader.main.base else { return }
    reader.main = FujifilmQuantization(base: base, bits: header.bits, factor: 9, table: tables.row)
    reader.statistics.reset(reader.main, fine: nil)
  }

  private func line(_ index: Int) -> CodeRowView { memory.row.from(index * stride) }

  /// Copies the last two lines of each color above the next group.
  private func advance() {
    for (first, rows) in [(Self.red, 3), (Self.green, 6), (Self.blue, 3)] {
      line(first).update(from: line(first + rows), count: stride)
      line(first + 1).update(from: line(first + rows + 1), count: stride)
    }
  }

  private mutating func read(_ pass: Pass) {
    for index in [pass.lines.0, pass.lines.1] {
      // The positions beside a line repeat the ends of the line above.
      let (current, above) = (line(index), line(index - 1))
      current[0] = above[1]
      current[count + 1] = above[count]
    }
    let lacking = header.isXTrans ? pass.lacking : (Pass.none, Pass.none)
    let (a, b) = (line(pass.lines.0).from(1), line(pass.lines.1).from(1))
    if strip.bases == nil {
      reader.read(a, b, count, stride, pass.set, lacking, isLossy: false)
    } else {
      reader.read(a, b, count, stride, pass.set, lacking, isLossy: true)
    }
  }
}

/// The state for reading a position; a copy is kept in registers.
private struct Reader {
  var bits: HighBits
  let statistics: FujifilmStatistics
  var main: FujifilmQuantization
  let fine: (FujifilmQuantization, FujifilmQuantization, FujifilmQuantization)
  /// The highest value.
  let highest: Int
  /// Whether an invalid code was read.
  var isDamaged = false

  func reset() {
    statistics.reset(main, fine: nil)
    statistics.reset(fine.0, fine: 0)
    statistics.reset(fine.1, fine: 1)
    statistics.reset(fine.2, fine: 2)
  }

  /// Reads two lines, whose position 0 is column 0; the lines above are one `stride` before.
  @inline(__always)
  mutating func read(
    _ a: CodeRowView, _ b: CodeRowView, _ count: Int, _ stride: Int, _ set: Int,
    _ lacking: ((mask: Int, value: Int), (mask: Int, value: Int)), isLossy: Bool
  ) {
    var reader = self
    var x = 0
    while x < count &+ 8 {
      if x < count {
        reader.readEven(a, x, stride, set, lacking.0, isLossy)
        reader.readEven(b, x, stride, set, lacking.1, isLossy)
      }
      if x >= 8 {
        reader.readOdd(a, x &- 7, stride, set, isLossy)
        reader.readOdd(b, x &- 7, stride, set, isLossy)
      }
      x &+= 2
    }
    self = reader
  }

  @inline(__always)
  private mutating func readEven(
    _ line: CodeRowView, _ x: Int, _ stride: Int, _ set: Int, _ lacking: (mask: Int, value: Int),
    _ isLossy: Bool
  ) {
    let above = line.from(-stride)
    let (left, middle, right) = (Int(above[x &- 1]), Int(above[x]), Int(above[x &+ 1]))
    let top = Int(line.from(-2 &* stride)[x])
    // The neighbor that differs most from the middle is excluded.
    let (toLeft, toTop, toRight) = (abs(left &- middle), abs(top &- middle), abs(right &- middle))
    let isRight = toRight > max(toLeft, toTop)
    let odd = toLeft > max(toTop, toRight) ? left : isRight ? right : top
    let predicted = (left &+ top &+ right &- odd &+ 2 &* middle) &>> 2
    if x & lacking.mask == lacking.value {
      line[x] = UInt16(truncatingIfNeeded: predicted)
    } else {
      line[x] = sample(predicted, middle &- top, left &- middle, set, isLossy)
    }
  }

  @inline(__always)
  private mutating func readOdd(
    _ line: CodeRowView, _ x: Int, _ stride: Int, _ set: Int, _ isLossy: Bool
  ) {
    let above = line.from(-stride)
    let (left, middle, right) = (Int(above[x &- 1]), Int(above[x]), Int(above[x &+ 1]))
    let (before, behind) = (Int(line[x &- 1]), Int(line[x &+ 1]))
    // A middle above or below both sides has the weight of the two neighbors.
    let isPeak = (middle &- left) &* (middle &- right) > 0
    let sides = before &+ behind
    let predicted = (sides &+ (isPeak ? 2 &* middle : sides)) &>> 2
    line[x] = sample(predicted, middle &- left, left &- before, 3 &+ set, isLossy)
  }

  /// Reads the difference to `predicted`; `first` and `second` are the gradients.
  @inline(__always)
  private mutating func sample(
    _ predicted: Int, _ first: Int, _ second: Int, _ set: Int, _ isLossy: Bool
  ) -> UInt16 {
    guard isLossy else {
      let difference = self.difference(main, first, second, set, fine: nil)
      return UInt16(truncatingIfNeeded: (predicted &+ difference) & highest)
    }
    let sum = abs(first) &+ abs(second)
    if sum <= 7 {
      if main.base >= 1, sum <= 5 { return quantized(fine.0, predicted, first, second, set, 0) }
      if main.base >= 2, sum <= 6 { return quantized(fine.1, predicted, first, second, set, 1) }
      if main.base >= 3 { return quantized(fine.2, predicted, first, second, set, 2) }
    }
    return quantized(main, predicted, first, second, set, nil)
  }

  /// Reconstructs a sample from its difference in steps.
  @inline(__always)
  private mutating func quantized(
    _ quantization: FujifilmQuantization, _ predicted: Int, _ first: Int, _ second: Int,
    _ set: Int, _ fine: Int?
  ) -> UInt16 {
    let steps = difference(quantization, first, second, set, fine: fine)
    var value = predicted &+ steps &* quantization.step
    if value < -quantization.base {
      value &+= quantization.range
    } else if value > highest &+ quantization.base {
      value &-= quantization.range
    }
    return UInt16(truncatingIfNeeded: min(max(value, 0), highest))
  }

  /// Reads the next difference in steps.
  @inline(__always)
  private mutating func difference(
    _ quantization: FujifilmQuantization, _ first: Int, _ second: Int, _ set: Int, fine: Int?
  ) -> Int {
    let level = quantization.level(first, second)
    let index = FujifilmStatistics.index(set: set, level: abs(level), fine: fine)
    let code = bits.code(
      length: statistics.length(index), limit: quantization.limit, bits: quantization.plainBits)
    // Codes beyond the number of steps are invalid; the lowest bit is the sign.
    isDamaged = isDamaged || code >= quantization.steps
    let magnitude = (code &+ 1) &>> 1
    statistics.add(magnitude, index)
    let sign = (0 &- (code & 1)) ^ (level &>> (Int.bitWidth - 1))
    return (magnitude ^ sign) &- sign
  }
}
