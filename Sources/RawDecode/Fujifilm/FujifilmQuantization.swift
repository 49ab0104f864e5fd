import ImageCore

/// The quantization of differences and classification of gradients for one base: differences are
/// stored in steps of 2 · base + 1, 1 for lossless, modulo the number of steps of the range.
///
/// A gradient g has one of nine levels: the sign of g times the number of thresholds base + 1, t₁,
/// t₂, t₃ that its magnitude reaches, with t₁ = 3 · base + 18, t₂ = 5 · base + 67, t₃ = 7 · base +
/// 276, each replaced by its predecessor if it were below it or above the highest value.
struct FujifilmQuantization {
  /// Entries of the table that an instance needs.
  static let tableCount = 2 * (7 * 255 + 276) + 1

  /// The base; differences may exceed the range by at most this.
  let base: Int
  let step: Int
  /// Number of steps of the range.
  let steps: Int
  /// Correction of a value outside the range.
  let range: Int
  /// Run of zeros that announces an escape code.
  let limit: Int
  /// Bits of an escape code.
  let plainBits: Int
  private let factor: Int
  private let reach: Int
  /// Levels of −reach … reach; 0 is column 0.
  private let levels: SampleRow<Int8>

  /// The quantization by `base` of samples of `bits` bits; levels of two gradients are combined by
  /// `factor`. `table` has room for ``tableCount`` entries and must outlive this value.
  init(base: Int, bits: Int, factor: Int, table: SampleRow<Int8>) {
    let highest = 1 << bits - 1
    self.base = base
    self.factor = factor
    step = 2 * base + 1
    steps = (highest + 2 * base) / step + 1
    range = steps * step
    // The smallest number of bits that represents steps − 1, at least one.
    plainBits = max(1, Int.bitWidth - (steps - 1).leadingZeroBitCount)
    limit = 4 * bits - plainBits - 1
    var thresholds = [base + 1]
    for (index, threshold) in [3 * base + 18, 5 * base + 67, 7 * base + 276].enumerated() {
      let before = thresholds[index]
      thresholds.append(threshold < before || threshold >= highest ? before : threshold)
    }
    reach = thresholds[3]
    levels = table.from(reach)
    for magnitude in 0...reach {
      let level = Int8(thresholds.count { magnitude >= $0 })
      levels[magnitude] = level
      levels[-magnitude] = -level
    }
  }

  /// The levels of two gradients as one number, whose magnitude is at most 4 · (factor + 1).
  @inline(__always)
  func level(_ first: Int, _ second: Int) -> Int {
    factor &* Int(levels[min(max(first, -reach), reach)])
      &+ Int(levels[min(max(second, -reach), reach)])
  }
}

/// Adaptive code lengths: for each level the sum and number of the magnitudes of the differences so
/// far, both halved when the number reaches 64.
struct FujifilmStatistics {
  /// Levels of the main quantization, and of the finer ones for small gradients. Computed, since
  /// stored properties would be lazily initialized, with a check at each use.
  private static var mainLevels: Int { 41 }
  private static var fineLevels: Int { 5 }
  private static var perSet: Int { mainLevels + FujifilmStrip.fineCount * fineLevels }
  /// Three sets for even positions and three for odd ones.
  private static var sets: Int { 6 }
  /// Numbers in all sets.
  static var count: Int { sets * perSet * 2 }

  private let values: SampleRow<Int32>

  /// Statistics in `values`, which has room for ``count`` numbers.
  init(_ values: SampleRow<Int32>) { self.values = values }

  /// Index of the statistics of a level: of the main quantization, or of fine quantization 0 to 2.
  @inline(__always)
  static func index(set: Int, level: Int, fine: Int?) -> Int {
    2 &* (set &* perSet &+ (fine.map { mainLevels &+ $0 &* fineLevels } ?? 0) &+ level)
  }

  /// Resets the statistics of the main quantization (`fine` nil) or a fine one.
  func reset(_ quantization: FujifilmQuantization, fine: Int?) {
    for set in 0..<Self.sets {
      for level in 0..<(fine == nil ? Self.mainLevels : Self.fineLevels) {
        let index = Self.index(set: set, level: level, fine: fine)
        values[index] = Int32(max(2, (quantization.steps + 32) >> 6))
        values[index + 1] = 1
      }
    }
  }

  /// The smallest number of bits n with number · 2ⁿ ≥ sum.
  @inline(__always)
  func length(_ index: Int) -> Int {
    let (sum, number) = (values[index], values[index &+ 1])
    let length = max(number.leadingZeroBitCount &- sum.leadingZeroBitCount, 0)
    let isShort = number &<< Int32(truncatingIfNeeded: length) < sum
    return min(length &+ (isShort ? 1 : 0), 15)
  }

  @inline(__always)
  func add(_ magnitude: Int, _ index: Int) {
    let (sum, number) = (values[index], values[index &+ 1])
    let isFull = number &>> 6 & 1
    values[index] = (sum &+ Int32(truncatingIfNeeded: magnitude)) &>> isFull
    values[index &+ 1] = number &>> isFull &+ 1
  }
}
