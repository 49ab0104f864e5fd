/// The largest error of one kind of value in one file.
struct Comparison {
  /// What was compared.
  let name: String
  /// The largest relative error with which the file passes; nil when the error is only reported.
  let limit: Double?
  private(set) var worst = 0.0
  private(set) var count = 0

  init(_ name: String, limit: Double?) {
    self.name = name
    self.limit = limit
  }

  /// Compares `got`; the error is relative to `reference`, differences up to
  /// `allowance` count as none.
  mutating func add(
    _ got: Double, wanted: Double, reference: Double? = nil, allowance: Double
  ) {
    count += 1
    let difference = abs(got - wanted)
    if difference <= allowance { return }
    let ratio = difference / max(abs(reference ?? wanted), 1e-12)
    worst = max(worst, ratio.isNaN ? .infinity : ratio)
  }

  /// Notes that something cannot be compared at all, as two sizes.
  mutating func fail() {
    count += 1
    worst = .infinity
  }

  var isGood: Bool { limit.map { worst <= $0 } ?? true }
  /// `0.012 %`.
  var text: String {
    guard count > 0 else { return "–" }
    if worst == .infinity { return "**size**" }
    let percent = (worst * 1e5).rounded() / 1e3
    return "\(percent) %" + (isGood ? "" : " **!**")
  }
}

/// Limits, each with its reason.
enum Limits {
  /// Values that need no demosaic: the rounding of the reference's seven digits and of 32-bit
  /// floats is far below.
  static let linear = 0.001
  /// Differences that count as none in such values.
  static let linearAllowance = 5e-5
  /// Mean of a picture that was demosaiced: the reference interpolates bilinearly.
  static let mosaicMean = 0.005
  /// Cells of such pictures: bilinear interpolation smears an edge on the border of a cell into the
  /// next one, so the error is relative to the cell's largest channel.
  static let mosaicCell = 0.02
  /// Differences that count as none in such cells.
  static let mosaicAllowance = 5e-4
}
