public import HDRRender
public import ImageCore

/// A weight for each pixel, 0…1: a plane in memory or a function of the position. Values outside
/// 0…1 are clamped; NaN becomes 0.
public struct PixelMask: Sendable {
  private enum Content: Sendable {
    case uniform(Float)
    case plane([Float])
    case function(@Sendable (PixelPoint) -> Float)
  }

  /// Columns and rows.
  public let size: PixelSize
  private let content: Content

  /// A plane, row by row. Throws when the values do not make `size`.
  public init(size: PixelSize, values: [Float]) throws(OperatorError) {
    let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, count == values.count else {
      throw OperatorError(
        "mask", "\(values.count) values do not make \(size); give one for a pixel")
    }
    self.size = size
    content = values.contains { $0 > 0 } ? .plane(values) : .uniform(0)
  }

  /// A function, which is called from any thread, any number of times.
  public init(size: PixelSize, value: @escaping @Sendable (PixelPoint) -> Float) {
    self.size = size
    content = .function(value)
  }

  /// One value everywhere.
  public init(size: PixelSize, uniform value: Float) {
    self.size = size
    content = .uniform(Self.held(value))
  }

  /// Whether it is known to be 0 everywhere.
  var isEmpty: Bool { if case .uniform(0) = content { true } else { false } }

  /// `count` values from `origin` on, which must lie in the mask.
  func read(at origin: PixelPoint, count: Int, into row: MutableRowView) {
    switch content {
    case .uniform(let value): for x in 0..<count { row[x] = value }
    case .plane(let values):
      let start = origin.y * size.width + origin.x
      for x in 0..<count { row[x] = Self.held(values[start + x]) }
    case .function(let value):
      for x in 0..<count {
        row[x] = Self.held(value(PixelPoint(x: origin.x + x, y: origin.y)))
      }
    }
  }

  static func held(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
}
